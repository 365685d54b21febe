package dev.forebay.bench;

import dev.forebay.bench.probe.DjlProbe;
import dev.forebay.bench.probe.LoaderProbe;
import dev.forebay.cli.CliCommand;
import dev.forebay.cli.ExitCode;
import dev.forebay.cli.console.Json;
import dev.forebay.cli.console.ProgressLine;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code forebay bench compare}. */
@Command(
    name = "compare",
    mixinStandardHelpOptions = true,
    header = "Compares Forebay with PyTorch's DataLoader and DJL's datasets on this machine.",
    description = {
      "",
      "Each loader runs in fresh processes of its own, in turn, round by round, on the same data, and"
          + " is drained as fast as it goes. Prints medians over the rounds: samples per second,"
          + " their smallest and largest, the ratio to the best of the others, CPU seconds per 1,000"
          + " samples, seconds from the first request to the first batch, and the highest memory"
          + " (proportional set size of all processes).",
      "",
      "PyTorch is run by /usr/bin/python3, or the interpreter that PYTHON names.%n"
    })
public final class CompareCommand implements CliCommand {
  private static final String SCRIPT = "torch_loader.py";
  private static final int SMALL_BATCH = 64;

  @Parameters(
      paramLabel = "WORKLOAD",
      arity = "0..*",
      description =
          "What to compare; default all: jpeg-train, jpeg-eval, jpeg-restart, decoded, rows, numbers,"
              + " tokens, files-warm, files-cold, uneven.")
  private List<String> names = List.of();

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "5",
      description = "Runs of each loader; default ${DEFAULT-VALUE}.")
  private int rounds;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      defaultValue = "4",
      description = "Measured in each run; default ${DEFAULT-VALUE}.")
  private double seconds;

  @Option(
      names = "--warm",
      paramLabel = "N",
      defaultValue = "2",
      description = "Seconds before that; default ${DEFAULT-VALUE}.")
  private double warm;

  @Option(
      names = "--workers",
      paramLabel = "N",
      description = "Of Forebay and DJL; default one per processor.")
  private @Nullable Integer workers;

  @Option(
      names = "--torch-workers",
      paramLabel = "N,N",
      split = ",",
      description =
          "Numbers of PyTorch's worker processes to try; default 0 and one per processor.")
  private @Nullable List<Integer> torchWorkers;

  @Option(
      names = "--photos",
      paramLabel = "DIR",
      description =
          "A folder of JPEG files, one folder per class; default: photo-like ones are made.")
  private @Nullable Path photos;

  @Option(
      names = "--photo-count",
      paramLabel = "N",
      defaultValue = "1000",
      description = "How many to make; default ${DEFAULT-VALUE}.")
  private int photoCount;

  @Option(
      names = "--file-count",
      paramLabel = "N",
      defaultValue = "20000",
      description = "How many small files to make; default ${DEFAULT-VALUE}.")
  private int fileCount;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "Where made data is kept; default the user's cache folder.")
  private @Nullable Path data;

  @Option(names = "--json", description = "Prints one JSON object.")
  private boolean json;

  @Option(names = "--markdown", description = "Prints tables as Markdown.")
  private boolean markdown;

  @Spec private @Nullable CommandSpec spec;

  /** For picocli, which fills in the options. */
  public CompareCommand() {}

  @Override
  public String parent() {
    return "bench";
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    CommandSpec used = Objects.requireNonNull(spec, "spec");
    PrintWriter out = used.commandLine().getOut();
    PrintWriter err = used.commandLine().getErr();
    List<Workload> workloads = workloads(used);
    Path root = data == null ? BenchData.defaultRoot() : data;
    Files.createDirectories(root);
    List<Object> plain = new ArrayList<>();
    Path script = BenchScript.extract(SCRIPT, root);
    try (ProgressLine progress = new ProgressLine(err)) {
      BenchData bench = new BenchData(root, photos, photoCount, fileCount, progress, () -> false);
      for (Workload workload : workloads) {
        CompareReport report = compare(workload, bench.of(workload), script, err);
        plain.add(report.plain());
        if (!json) {
          out.println(markdown ? report.markdown() : report.text());
          out.println();
          out.flush();
        }
      }
    } finally {
      Files.deleteIfExists(script);
    }
    if (json) {
      Map<String, Object> all = new LinkedHashMap<>();
      all.put("machine", Machine.describe());
      all.put("rounds", rounds);
      all.put("results", plain);
      out.println(Json.text(all));
    } else {
      out.println(Machine.describe());
    }
    return ExitCode.OK;
  }

  private CompareReport compare(Workload workload, Path place, Path script, PrintWriter err)
      throws IOException, InterruptedException {
    List<Contender> contenders = contenders(workload, script, err);
    Comparison.Settings settings = new Comparison.Settings(rounds, SMALL_BATCH, warm, seconds);
    Comparison comparison = new Comparison(settings, workload, place.toString());
    return new CompareReport(
        workload,
        comparison.run(
            contenders,
            () -> BenchData.prepare(workload, place),
            (round, contender) ->
                err.printf(
                    "%s, round %d of %d: %s%n",
                    workload.id(), round + 1, rounds, contender.name())));
  }

  private List<Workload> workloads(CommandSpec used) {
    require(used, rounds >= 1 && rounds <= 1000, "--rounds", rounds, "1 to 1000");
    require(used, seconds > 0 && seconds <= 600, "--seconds", seconds, "above 0, up to 600");
    require(used, warm >= 0 && warm <= 600, "--warm", warm, "0 to 600");
    require(used, photoCount >= SMALL_BATCH, "--photo-count", photoCount, "64 or more");
    require(used, fileCount >= SMALL_BATCH, "--file-count", fileCount, "64 or more");
    try {
      return names.isEmpty()
          ? List.of(Workload.values())
          : names.stream().map(Workload::of).toList();
    } catch (IllegalArgumentException e) {
      throw new ParameterException(used.commandLine(), String.valueOf(e.getMessage()), e);
    }
  }

  private static void require(
      CommandSpec used, boolean isTrue, String option, Object value, String expected) {
    if (!isTrue) {
      throw new ParameterException(
          used.commandLine(), option + "=" + value + " must be " + expected);
    }
  }

  private List<Contender> contenders(Workload workload, Path script, PrintWriter err) {
    int processors = Runtime.getRuntime().availableProcessors();
    int ours = workers == null ? processors : workers;
    List<Contender> contenders = new ArrayList<>();
    contenders.add(
        new Contender("Forebay, " + ours + " workers", true, java(LoaderProbe.class), ours));
    if (workload.isTiny()) {
      contenders.add(new Contender("Forebay, 0 workers", true, java(LoaderProbe.class), 0));
    }
    String python = BenchScript.python();
    if (BenchScript.hasTorch()) {
      List<Integer> counts = torchWorkers == null ? List.of(0, processors) : torchWorkers;
      for (int count : counts) {
        contenders.add(
            new Contender(
                "PyTorch, " + count + " workers",
                false,
                List.of(python, "-B", script.toString()),
                count));
      }
    } else {
      err.printf("%s has no torch and torchvision, so PyTorch is left out%n", python);
    }
    if (workload.isKnownToDjl()) {
      contenders.add(new Contender("DJL, " + ours + " threads", false, java(DjlProbe.class), ours));
    }
    return contenders;
  }

  /** A fresh JVM, with the launcher's options. */
  static List<String> java(Class<?> main) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("--enable-native-access=ALL-UNNAMED");
    command.add("--sun-misc-unsafe-memory-access=allow");
    command.add("-XX:+UseSerialGC");
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add(main.getName());
    return command;
  }
}
