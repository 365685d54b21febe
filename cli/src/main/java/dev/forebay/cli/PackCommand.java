package dev.forebay.cli;

import dev.forebay.cli.console.Interruption;
import dev.forebay.cli.console.Json;
import dev.forebay.cli.console.ProgressLine;
import dev.forebay.cli.pack.JpegPacking;
import dev.forebay.cli.pack.PackReport;
import dev.forebay.error.ConfigurationException;
import dev.forebay.image.JpegRecoder;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code forebay pack}. */
@Command(
    name = "pack",
    mixinStandardHelpOptions = true,
    description = {
      "Copies a folder of images so that it loads faster: JPEG files get restart markers, by which"
          + " random crops are decoded without the rest of the picture.",
      "",
      "The pixels stay the same to the bit, which is checked for each file, and any program can read"
          + " the files. Baseline and progressive files become baseline ones. Files of other kinds,"
          + " and damaged ones, are copied as they are. Stopped early, the same command goes on.",
      ""
    },
    footer = {"", "Exit codes: 0 done, 1 failed, 2 wrong usage, 130 Ctrl-C."})
final class PackCommand implements Callable<Integer> {
  private final Interruption interruption;

  @Spec
  @SuppressWarnings("NullAway.Init")
  private CommandSpec spec;

  @Parameters(index = "0", paramLabel = "SRC", description = "The folder to copy.")
  @SuppressWarnings("NullAway.Init")
  private Path source;

  @Parameters(index = "1", paramLabel = "DST", description = "Where to; made if it is missing.")
  @SuppressWarnings("NullAway.Init")
  private Path target;

  @Option(
      names = "--jpeg-restart",
      paramLabel = "N",
      required = true,
      description =
          "MCUs (mostly 16 x 16 pixels) between two markers. 1 decodes crops fastest; more makes"
              + " the files smaller, but helps only where it divides a row of MCUs.")
  private int interval;

  @Option(
      names = "--workers",
      paramLabel = "N",
      description = "Threads; default one per processor.")
  private @Nullable Integer workers;

  @Option(names = "--json", description = "Prints one JSON object.")
  private boolean json;

  /** The command, which Ctrl-C ends early. */
  PackCommand(Interruption interruption) {
    this.interruption = interruption;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    int threads = workers == null ? Runtime.getRuntime().availableProcessors() : workers;
    require(threads >= 1 && threads <= 1024, "--workers", threads, "1 to 1024");
    require(
        interval >= 1 && interval <= JpegRecoder.INTERVAL_MAX,
        "--jpeg-restart",
        interval,
        "1 to " + JpegRecoder.INTERVAL_MAX);
    if (!Files.isDirectory(source)) {
      throw new ConfigurationException(
          source + (Files.exists(source) ? " is not a folder" : " does not exist"));
    }
    PrintWriter out = spec.commandLine().getOut();
    interruption.await();
    PackReport report;
    try (ProgressLine progress = new ProgressLine(spec.commandLine().getErr())) {
      JpegPacking packing =
          new JpegPacking(source, target, interval, progress, interruption::isRaised);
      report = packing.run(threads);
    } catch (InterruptedException e) {
      if (interruption.isRaised()) {
        spec.commandLine().getErr().println("Stopped early; the same command goes on from here.");
        return ExitCode.INTERRUPTED;
      }
      throw e;
    }
    interruption.end();
    out.println(json ? Json.text(report.plain()) : report.text());
    return report.isInterrupted() ? ExitCode.INTERRUPTED : ExitCode.OK;
  }

  private static void require(boolean isTrue, String option, Object value, String expected) {
    if (!isTrue) {
      throw new ConfigurationException(option + "=" + value + " must be " + expected);
    }
  }
}
