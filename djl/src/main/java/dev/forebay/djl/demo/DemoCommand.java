package dev.forebay.djl.demo;

import dev.forebay.cli.CliCommand;
import dev.forebay.cli.ExitCode;
import dev.forebay.cli.console.Json;
import dev.forebay.cli.console.ProgressLine;
import dev.forebay.dataset.Dataset;
import dev.forebay.dataset.ImageFolder;
import dev.forebay.dataset.RandomSplit;
import dev.forebay.stats.Ticker;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code forebay demo}: the same training with synchronous and with asynchronous loading. */
@Command(
    name = "demo",
    mixinStandardHelpOptions = true,
    header = "Trains a small network, with synchronous and with asynchronous loading.",
    description = {
      "",
      "Makes a data set of JPEG pictures of six classes, and trains a convolutional network on them with",
      "PyTorch on the CPU: first with the loading in the training thread, then with loading ahead in",
      "worker threads. Both see the same batches. Ends with a table of both.%n"
    })
public final class DemoCommand implements CliCommand {
  private static final int BATCH_SIZE = 32;
  private static final double VALIDATION_SHARE = 0.15;

  @Option(
      names = "--samples",
      paramLabel = "N",
      defaultValue = "1800",
      description = "Pictures to make, at least 240; default ${DEFAULT-VALUE}.")
  private int samples;

  @Option(
      names = "--epochs",
      paramLabel = "N",
      defaultValue = "3",
      description = "Passes over them, in each of both runs; default ${DEFAULT-VALUE}.")
  private int epochs;

  @Option(
      names = "--workers",
      paramLabel = "N",
      description =
          "Workers of the asynchronous run; default: one for each core that PyTorch leaves.")
  private @Nullable Integer workers;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "42",
      description = "Of pictures, order and first weights; default ${DEFAULT-VALUE}.")
  private long seed;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "Where to make and keep the pictures; default: a folder that is removed.")
  private @Nullable Path data;

  @Option(names = "--json", description = "Prints the result as one JSON object.")
  private boolean json;

  @Spec private @Nullable CommandSpec spec;

  /** For picocli, which fills in the options. */
  public DemoCommand() {}

  @Override
  public Integer call() throws IOException, InterruptedException {
    check(samples >= 240, "--samples=" + samples + " must be at least 240");
    check(epochs >= 1, "--epochs=" + epochs + " must be at least 1");
    check(workers == null || workers >= 1, "--workers=" + workers + " must be at least 1");
    if (data != null) {
      report(train(data, () -> false));
      return ExitCode.OK;
    }
    try (PassingFolder folder = PassingFolder.create()) {
      report(train(folder.path(), folder::isEnding));
      return ExitCode.OK;
    }
  }

  private void check(boolean isRight, String problem) {
    if (!isRight) {
      throw new ParameterException(spec().commandLine(), problem);
    }
  }

  private CommandSpec spec() {
    return Objects.requireNonNull(spec, "picocli has set it");
  }

  private DemoReport train(Path folder, BooleanSupplier isEnding)
      throws IOException, InterruptedException {
    PrintWriter err = spec().commandLine().getErr();
    makePictures(folder, isEnding, err);
    PyTorch engine = PyTorch.start(err);
    int loaders = workers == null ? engine.coresLeft() : workers;
    try (ImageFolder pictures = ImageFolder.builder(folder).withoutIndex().open()) {
      List<Dataset> parts =
          RandomSplit.byFractions(pictures, seed, 1 - VALIDATION_SHARE, VALIDATION_SHARE);
      warmUp(pictures);
      TrainingResult synchronous = run(pictures, parts, "synchronous", 0, err);
      TrainingResult asynchronous = run(pictures, parts, "asynchronous", loaders, err);
      return new DemoReport(samples, loaders, engine.threads(), synchronous, asynchronous);
    }
  }

  private void makePictures(Path folder, BooleanSupplier isEnding, PrintWriter err)
      throws IOException, InterruptedException {
    Path stamp = folder.resolve("forebay-demo.txt");
    String content = "samples=%d seed=%d%n".formatted(samples, seed);
    if (Files.exists(stamp) && Files.readString(stamp).equals(content)) {
      err.println("Using the pictures in " + folder);
      return;
    }
    if (Files.isDirectory(folder) && !isEmpty(folder)) {
      throw new ParameterException(
          spec().commandLine(),
          folder + " holds something else than this demo's pictures; name another folder");
    }
    err.println("Making %d pictures ...".formatted(samples));
    err.flush();
    try (ProgressLine line = new ProgressLine(err)) {
      ProgressBar progress = new ProgressBar(line, "Making pictures", samples);
      PictureMaker.make(folder, new PictureMaker.Order(samples, seed, isEnding), progress::show);
    }
    Files.writeString(stamp, content);
  }

  private static boolean isEmpty(Path folder) throws IOException {
    try (Stream<Path> entries = Files.list(folder)) {
      return entries.findAny().isEmpty();
    }
  }

  /** Lets the JVM compile and PyTorch set up what both runs use, so that neither pays for it. */
  private void warmUp(ImageFolder pictures) {
    List<Dataset> parts =
        RandomSplit.byCounts(
            pictures, seed, 6 * BATCH_SIZE, 1, pictures.size() - 6 * BATCH_SIZE - 1);
    training(pictures, parts, 1).run("warm-up", 0, _ -> {});
  }

  private TrainingResult run(
      ImageFolder pictures, List<Dataset> parts, String name, int loaders, PrintWriter err) {
    long total = parts.get(0).size() / BATCH_SIZE * BATCH_SIZE * epochs;
    err.println("Training with " + name + " loading ...");
    err.flush();
    try (ProgressLine line = new ProgressLine(err)) {
      ProgressBar progress = new ProgressBar(line, "Training, " + name, total);
      return training(pictures, parts, epochs).run(name, loaders, progress::show);
    }
  }

  private Training training(ImageFolder pictures, List<Dataset> parts, int passes) {
    Training.Settings settings =
        new Training.Settings(pictures.classes().size(), BATCH_SIZE, passes, seed);
    return new Training(settings, parts.get(0), parts.get(1), Ticker.SYSTEM);
  }

  private void report(DemoReport report) {
    PrintWriter out = spec().commandLine().getOut();
    if (json) {
      out.println(Json.text(report.numbers()));
      return;
    }
    out.println();
    out.print(report.text());
    out.println();
    out.println("Next, on your own pictures (one folder per class):");
    out.println("  ./forebay inspect FOLDER           what is there, and is all of it readable");
    out.println("  ./forebay bench FOLDER             how fast it loads, and what holds it up");
  }
}
