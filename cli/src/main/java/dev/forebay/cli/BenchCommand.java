package dev.forebay.cli;

import dev.forebay.DataLoader;
import dev.forebay.cli.bench.BenchOptions;
import dev.forebay.cli.bench.BenchReport;
import dev.forebay.cli.bench.BenchRun;
import dev.forebay.cli.bench.SavedRun;
import dev.forebay.cli.console.Interruption;
import dev.forebay.cli.console.Json;
import dev.forebay.cli.console.ProgressLine;
import dev.forebay.cli.console.Quantities;
import dev.forebay.cli.recipe.OpenedDataset;
import dev.forebay.cli.recipe.Overrides;
import dev.forebay.cli.recipe.Recipe;
import dev.forebay.error.ConfigurationException;
import dev.forebay.sampler.World;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code forebay bench}. */
@Command(
    name = "bench",
    mixinStandardHelpOptions = true,
    description = {
      "Drains a loader as a training loop would, and reports how fast it was, where the time went"
          + " and whether every sample came exactly once.",
      ""
    },
    footer = {
      "",
      "`bench compare` sets it beside PyTorch's loader, `bench mlperf-storage` runs the workloads of"
          + " MLPerf Storage; each has a --help of its own.",
      "",
      "Exit codes: 0 done, 1 failed, 2 wrong usage, recipe or state, 130 Ctrl-C (the report so far"
          + " is printed)."
    })
final class BenchCommand implements Callable<Integer> {
  private final Interruption interruption;

  @Spec
  @SuppressWarnings("NullAway.Init")
  private CommandSpec spec;

  @Parameters(
      paramLabel = "RECIPE_OR_FOLDER",
      arity = "0..1",
      description =
          "A recipe, or a folder with one folder of images per class, which gets the usual training"
              + " transforms (random crops of 224 x 224, flips, 64 in a batch).")
  private @Nullable Path path;

  @Option(
      names = "--epochs",
      paramLabel = "N",
      defaultValue = "1",
      description = "Ends after epoch N - 1, wherever it begins. Default ${DEFAULT-VALUE}.")
  private long epochs;

  @Option(
      names = "--workers",
      paramLabel = "N|auto",
      description = "Threads that decode and transform; 0: the loop itself does it.")
  private @Nullable String workers;

  @Option(names = "--batch", paramLabel = "N", description = "Samples in a batch.")
  private @Nullable Integer batch;

  @Option(
      names = "--rank",
      paramLabel = "N",
      defaultValue = "0",
      description = "The place among those that train together.")
  private int rank;

  @Option(
      names = "--world",
      paramLabel = "N",
      defaultValue = "1",
      description = "How many train together.")
  private int worldSize;

  @Option(names = "--seed", paramLabel = "N", description = "Of the order and all transforms.")
  private @Nullable Long seed;

  @Option(
      names = "--shuffle",
      negatable = true,
      description = "Whether the order is random, in place of what the recipe says.")
  private @Nullable Boolean shuffle;

  @Option(names = "--stop-after", paramLabel = "N", description = "Stops after N batches.")
  private @Nullable Long stopAfter;

  @Option(
      names = "--state-out",
      paramLabel = "FILE",
      description = "Writes where it stopped, for --resume.")
  private @Nullable Path stateOut;

  @Option(
      names = "--resume",
      paramLabel = "FILE",
      description = "Goes on where --state-out stopped, also with another --world or --batch.")
  private @Nullable Path resume;

  @Option(
      names = "--simulate-step",
      paramLabel = "TIME",
      description = "Sleeps for each batch as long as a device would compute, such as 20ms.")
  private @Nullable String step;

  @Option(
      names = "--digest",
      description = "Hashes all delivered bytes, so that two runs can be compared.")
  private boolean isDigestWanted;

  @Option(names = "--json", description = "Prints one JSON object.")
  private boolean json;

  /** The command, which Ctrl-C ends early. */
  BenchCommand(Interruption interruption) {
    this.interruption = interruption;
  }

  @Override
  public Integer call() throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    PrintWriter err = spec.commandLine().getErr();
    Path source = source();
    BenchOptions options = options(source);
    Recipe recipe = Files.isDirectory(source) ? Recipe.ofFolder(source) : Recipe.read(source);
    SavedRun saved = options.resume() == null ? null : SavedRun.read(options.resume());
    interruption.await();
    try (OpenedDataset opened = recipe.openDataset(err::println);
        DataLoader loader = recipe.loader(opened.dataset(), options.overrides());
        ProgressLine progress = new ProgressLine(err)) {
      BenchRun run = new BenchRun(options, loader, progress, interruption);
      if (saved != null) {
        run.resume(saved);
      }
      BenchReport report = run.run(loader.workers());
      if (stateOut != null) {
        run.saved().write(stateOut);
      }
      out.println(json ? Json.text(report.plain()) : report.text());
      return exitCode(report, err);
    }
  }

  private static int exitCode(BenchReport report, PrintWriter err) {
    if (report.isInterrupted()) {
      return ExitCode.INTERRUPTED;
    }
    if (report.isFaulty()) {
      err.println("forebay: an epoch did not deliver each sample exactly once; see its coverage");
      return ExitCode.FAILURE;
    }
    return ExitCode.OK;
  }

  private Path source() {
    if (path == null) {
      throw new ParameterException(
          spec.commandLine(), "Missing required parameter: 'RECIPE_OR_FOLDER'");
    }
    return path;
  }

  private BenchOptions options(Path source) {
    require(epochs >= 1, "--epochs", epochs, "at least 1");
    require(batch == null || batch >= 1, "--batch", batch, "at least 1");
    require(stopAfter == null || stopAfter >= 1, "--stop-after", stopAfter, "at least 1");
    require(worldSize >= 1, "--world", worldSize, "at least 1");
    require(rank >= 0 && rank < worldSize, "--rank", rank, "0 to " + (worldSize - 1));
    if (!Files.exists(source)) {
      throw new ConfigurationException(source + " does not exist");
    }
    Overrides overrides =
        new Overrides(workers(), batch, seed, shuffle, new World(rank, worldSize), epochs);
    return new BenchOptions(
        source.toString(),
        overrides,
        Objects.requireNonNullElse(stopAfter, Long.MAX_VALUE),
        resume,
        step == null ? Duration.ZERO : step(step),
        isDigestWanted);
  }

  private @Nullable Integer workers() {
    if (workers == null || workers.equals("auto")) {
      return workers == null ? null : DataLoader.AUTO;
    }
    require(workers.matches("[0-9]{1,4}"), "--workers", workers, "auto, or 0 to 1024");
    int number = Integer.parseInt(workers);
    require(number <= 1024, "--workers", workers, "auto, or 0 to 1024");
    return number;
  }

  private static Duration step(String text) {
    try {
      return Quantities.duration(text);
    } catch (IllegalArgumentException e) {
      throw new ConfigurationException("--simulate-step: " + e.getMessage(), e);
    }
  }

  private static void require(
      boolean isTrue, String option, @Nullable Object value, String expected) {
    if (!isTrue) {
      throw new ConfigurationException(option + "=" + value + " must be " + expected);
    }
  }
}
