package dev.forebay.bench;

import dev.forebay.cli.CliCommand;
import dev.forebay.cli.ExitCode;
import java.util.List;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code forebay bench kernels}. */
@Command(
    name = "kernels",
    mixinStandardHelpOptions = true,
    header = "Measures single kernels by JMH.",
    description = {"", "Takes some minutes.%n"})
public final class KernelsCommand implements CliCommand {
  @Parameters(
      paramLabel = "PATTERN",
      arity = "0..*",
      description = "Only benchmarks whose name matches, such as PixelKernel; default all.")
  private List<String> patterns = List.of();

  /** For picocli, which fills in the parameters. */
  public KernelsCommand() {}

  @Override
  public String parent() {
    return "bench";
  }

  @Override
  public Integer call() throws RunnerException {
    ChainedOptionsBuilder options = new OptionsBuilder().shouldFailOnError(true);
    patterns.forEach(options::include);
    new Runner(options.build()).run();
    return ExitCode.OK;
  }
}
