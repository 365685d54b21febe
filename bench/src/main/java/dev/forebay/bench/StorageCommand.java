package dev.forebay.bench;

import dev.forebay.bench.probe.StorageProbe;
import dev.forebay.cli.CliCommand;
import dev.forebay.cli.ExitCode;
import dev.forebay.cli.console.Json;
import dev.forebay.cli.console.ProgressLine;
import dev.forebay.cli.console.Quantities;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code forebay bench mlperf-storage}. */
@Command(
    name = "mlperf-storage",
    mixinStandardHelpOptions = true,
    header = "Feeds emulated accelerators with the workloads of MLPerf Storage.",
    description = {
      "",
      "Generates data in the workload's format and sizes, and runs accelerators that compute on each"
          + " batch for as long as the benchmark says, each fed by a loader of its own: by Forebay,"
          + " and by PyTorch's DataLoader beside it. Accelerator utilization is the compute time of"
          + " all steps divided by the total time, from the first batch on; a run passes if its mean"
          + " over the accelerators reaches the benchmark's bound. Cold runs begin with the data"
          + " dropped from the page cache and end with the epoch; warm runs have read it all.",
      "",
      "Both sides read each sample whole, open it as its format wants it (checksum of the npz"
          + " archive, decoded JPEG), and keep eight bytes of it.%n"
    },
    footer = {
      "",
      "Forebay is a loader of its own, so in MLPerf Storage's terms its results belong into the OPEN"
          + " division. They are not official results, and data smaller than five times the memory"
          + " does not make a valid run there."
    })
public final class StorageCommand implements CliCommand {
  private static final int ACCELERATORS_MAX = 64;
  private static final int MEMORY_FACTOR = 5;

  @Option(
      names = "--model",
      paramLabel = "NAME",
      required = true,
      description = "unet3d, resnet50, cosmoflow or retinanet.")
  @SuppressWarnings("NullAway.Init")
  private String modelName;

  @Option(
      names = "--accelerator",
      paramLabel = "NAME",
      description = "a100, h100 or b200, as the model has a time for it; default h100 if so.")
  private @Nullable String accelerator;

  @Option(
      names = "--accelerators",
      paramLabel = "N",
      description = "Run this many; default: find the most that pass.")
  private @Nullable Integer accelerators;

  @Option(
      names = "--data-size",
      paramLabel = "SIZE",
      defaultValue = "2GiB",
      description = "How much data to make; default ${DEFAULT-VALUE}.")
  private String dataSize = "";

  @Option(
      names = "--seconds",
      paramLabel = "N",
      defaultValue = "8",
      description = "The length of a run; default ${DEFAULT-VALUE}.")
  private double seconds;

  @Option(
      names = "--workers",
      paramLabel = "N",
      description = "Of Forebay, for each accelerator; default: the processors shared out.")
  private @Nullable Integer workers;

  @Option(
      names = "--torch-workers",
      paramLabel = "N",
      defaultValue = "4",
      description = "Of PyTorch, for each accelerator; default ${DEFAULT-VALUE}.")
  private int torchWorkers;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "Where made data is kept; default the user's cache folder.")
  private @Nullable Path data;

  @Option(names = "--json", description = "Prints one JSON object.")
  private boolean json;

  @Spec private @Nullable CommandSpec spec;

  /** For picocli, which fills in the options. */
  public StorageCommand() {}

  @Override
  public String parent() {
    return "bench";
  }

  /**
   * One run.
   *
   * @param loader who fed the accelerators
   */
  private record Run(
      String loader, boolean isCold, int accelerators, double utilization, double rate) {}

  @Override
  public Integer call() throws IOException, InterruptedException {
    CommandSpec used = Objects.requireNonNull(spec, "spec");
    PrintWriter out = used.commandLine().getOut();
    PrintWriter err = used.commandLine().getErr();
    StorageModel model;
    double compute;
    long bytes;
    try {
      model = StorageModel.of(modelName);
      compute =
          model.computeSeconds(accelerator == null ? model.defaultAccelerator() : accelerator);
      bytes = Quantities.bytes(dataSize);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(used.commandLine(), String.valueOf(e.getMessage()), e);
    }
    checkOptions(used);
    Path root = data == null ? BenchData.defaultRoot() : data;
    Files.createDirectories(root);
    Path index;
    try (ProgressLine progress = new ProgressLine(err)) {
      index = new StorageData(root, model).make(bytes, progress);
    }
    warnOfMemory(bytes, err);
    List<Run> runs = new ArrayList<>();
    Path script = BenchScript.extract("torch_storage.py", root);
    try {
      for (boolean isCold : new boolean[] {true, false}) {
        for (boolean isOurs : new boolean[] {true, false}) {
          if (isOurs || BenchScript.hasTorch()) {
            new Trial(model, compute, index, script, isCold, isOurs, runs, err).runAll();
          }
        }
      }
    } finally {
      Files.deleteIfExists(script);
    }
    out.println(json ? Json.text(plain(model, compute, bytes, runs)) : text(model, compute, runs));
    return ExitCode.OK;
  }

  private void checkOptions(CommandSpec used) {
    if (accelerators != null && (accelerators < 1 || accelerators > ACCELERATORS_MAX)) {
      throw new ParameterException(
          used.commandLine(),
          "--accelerators=" + accelerators + " must be 1 to " + ACCELERATORS_MAX);
    }
    if (!(seconds > 0 && seconds <= 3600)) {
      throw new ParameterException(
          used.commandLine(), "--seconds=" + seconds + " must be above 0, up to 3600");
    }
  }

  private static void warnOfMemory(long bytes, PrintWriter err) {
    long memory = Machine.memoryBytes();
    if (bytes < MEMORY_FACTOR * memory) {
      err.printf(
          "The data (%s) is less than %d times the memory (%s): a cold run is only as cold as"
              + " dropping its pages makes it, and no valid MLPerf Storage run.%n",
          Quantities.rounded((double) bytes), MEMORY_FACTOR, Quantities.rounded((double) memory));
    }
  }

  /** The runs of one loader, cold or warm. */
  private final class Trial {
    private final StorageModel model;
    private final double compute;
    private final Path index;
    private final Path script;
    private final boolean isCold;
    private final boolean isOurs;
    private final List<Run> runs;
    private final PrintWriter err;

    Trial(
        StorageModel model,
        double compute,
        Path index,
        Path script,
        boolean isCold,
        boolean isOurs,
        List<Run> runs,
        PrintWriter err) {
      this.model = model;
      this.compute = compute;
      this.index = index;
      this.script = script;
      this.isCold = isCold;
      this.isOurs = isOurs;
      this.runs = runs;
      this.err = err;
    }

    /** The number that was asked for; else doubles until it fails, and halves the gap. */
    void runAll() throws IOException, InterruptedException {
      if (accelerators != null) {
        run(accelerators);
        return;
      }
      int passed = 0;
      int failed = 1;
      while (failed <= limit() && run(failed)) {
        passed = failed;
        failed *= 2;
      }
      failed = Math.min(failed, limit() + 1);
      while (failed - passed > 1) {
        int middle = (passed + failed) / 2;
        if (run(middle)) {
          passed = middle;
        } else {
          failed = middle;
        }
      }
    }

    /** Each accelerator needs some batches of its own. */
    private int limit() throws IOException {
      long samples = Files.readAllLines(index).size();
      return Math.clamp(samples / model.batchSize() / 2, 1, ACCELERATORS_MAX);
    }

    private boolean run(int count) throws IOException, InterruptedException {
      if (isCold) {
        PageCache.drop(Objects.requireNonNull(index.getParent()));
      } else {
        BenchData.readAll(Objects.requireNonNull(index.getParent()));
      }
      Map<String, Double> seen = MeasuredProcess.numbers(command(count));
      String loader = isOurs ? "Forebay" : "PyTorch";
      Run run =
          new Run(
              loader,
              isCold,
              count,
              seen.getOrDefault("utilization", 0.0),
              seen.getOrDefault("rate", 0.0));
      runs.add(run);
      err.println(line(model, run));
      err.flush();
      return run.utilization >= model.utilizationMin();
    }

    private List<String> command(int count) {
      int shared = Math.max(1, Runtime.getRuntime().availableProcessors() / count);
      int used = isOurs ? Objects.requireNonNullElse(workers, shared) : torchWorkers;
      List<String> command = new ArrayList<>();
      if (isOurs) {
        command.addAll(CompareCommand.java(StorageProbe.class));
      } else {
        command.addAll(List.of(BenchScript.python(), "-B", script.toString()));
      }
      command.addAll(
          List.of(
              model.id(),
              index.toString(),
              String.valueOf(count),
              String.valueOf(used),
              String.valueOf(model.batchSize()),
              String.valueOf(compute),
              String.valueOf(seconds),
              String.valueOf(isCold)));
      return command;
    }
  }

  private static String line(StorageModel model, Run run) {
    return String.format(
        Locale.ROOT,
        "%-8s %-4s %2d accelerators  utilization %5.1f %%  %,10.1f samples/s  %8s/s  %s",
        run.loader,
        run.isCold ? "cold" : "warm",
        run.accelerators,
        100 * run.utilization,
        run.rate,
        Quantities.rounded(run.rate * model.bytes()),
        run.utilization >= model.utilizationMin() ? "passes" : "fails");
  }

  private static int most(StorageModel model, List<Run> runs, String loader, boolean isCold) {
    return runs.stream()
        .filter(run -> run.loader.equals(loader) && run.isCold == isCold)
        .filter(run -> run.utilization >= model.utilizationMin())
        .mapToInt(Run::accelerators)
        .max()
        .orElse(0);
  }

  private String text(StorageModel model, double compute, List<Run> runs) {
    List<String> lines = new ArrayList<>();
    lines.add(
        String.format(
            Locale.ROOT,
            "%s: batches of %d, %.5g s each, at least %.0f %% utilization",
            model.id(),
            model.batchSize(),
            compute,
            100 * model.utilizationMin()));
    runs.forEach(run -> lines.add("  " + line(model, run)));
    if (accelerators == null) {
      for (boolean isCold : new boolean[] {true, false}) {
        lines.add(
            "the most that pass, %s: Forebay %d, PyTorch %s"
                .formatted(
                    isCold ? "cold" : "warm",
                    most(model, runs, "Forebay", isCold),
                    BenchScript.hasTorch() ? most(model, runs, "PyTorch", isCold) : "not here"));
      }
    }
    lines.add(Machine.describe());
    return String.join(System.lineSeparator(), lines);
  }

  private static Map<String, Object> plain(
      StorageModel model, double compute, long bytes, List<Run> runs) {
    Map<String, Object> plain = new LinkedHashMap<>();
    plain.put("model", model.id());
    plain.put("batch_size", model.batchSize());
    plain.put("compute_seconds", compute);
    plain.put("utilization_min", model.utilizationMin());
    plain.put("data_bytes", bytes);
    plain.put("division", "OPEN");
    plain.put("machine", Machine.describe());
    List<Object> list = new ArrayList<>();
    for (Run run : runs) {
      Map<String, Object> one = new LinkedHashMap<>();
      one.put("loader", run.loader);
      one.put("cold", run.isCold);
      one.put("accelerators", run.accelerators);
      one.put("utilization", run.utilization);
      one.put("samples_per_second", run.rate);
      one.put("passes", run.utilization >= model.utilizationMin());
      list.add(one);
    }
    plain.put("runs", list);
    return plain;
  }
}
