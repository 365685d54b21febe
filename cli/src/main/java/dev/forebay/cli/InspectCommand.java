package dev.forebay.cli;

import dev.forebay.cli.console.Json;
import dev.forebay.cli.console.ProgressLine;
import dev.forebay.cli.inspect.InspectReport;
import dev.forebay.cli.inspect.Inspection;
import dev.forebay.cli.recipe.OpenedDataset;
import dev.forebay.cli.recipe.Recipe;
import dev.forebay.dataset.Dataset;
import dev.forebay.dataset.ImageFolder;
import dev.forebay.error.ConfigurationException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code forebay inspect}. */
@Command(
    name = "inspect",
    mixinStandardHelpOptions = true,
    description = {
      "Says what is in a folder of images, or in a recipe's dataset: samples, classes, sizes, and"
          + " files that cannot be used.",
      ""
    },
    footer = {"", "Exit codes: 0 nothing is wrong, 1 files cannot be used, 2 wrong usage."})
final class InspectCommand implements Callable<Integer> {
  @Spec
  @SuppressWarnings("NullAway.Init")
  private CommandSpec spec;

  @Parameters(paramLabel = "PATH", description = "A folder of images, or a recipe.")
  @SuppressWarnings("NullAway.Init")
  private Path path;

  @Option(names = "--verify", description = "Reads and decodes every sample.")
  private boolean isVerified;

  @Option(names = "--json", description = "Prints one JSON object.")
  private boolean json;

  @Override
  public Integer call() throws IOException {
    if (!Files.exists(path)) {
      throw new ConfigurationException(path + " does not exist");
    }
    InspectReport report = Files.isDirectory(path) ? ofFolder() : ofRecipe();
    PrintWriter out = spec.commandLine().getOut();
    out.println(json ? Json.text(report.plain()) : report.text());
    return report.isFaultless() ? ExitCode.OK : ExitCode.FAILURE;
  }

  private InspectReport ofFolder() {
    PrintWriter err = spec.commandLine().getErr();
    try (ImageFolder folder =
        ImageFolder.builder(path).allowEmpty(true).progress(err::println).open()) {
      return inspect(folder);
    }
  }

  private InspectReport ofRecipe() throws IOException {
    PrintWriter err = spec.commandLine().getErr();
    try (OpenedDataset opened = Recipe.read(path).openDataset(err::println)) {
      return inspect(opened.dataset());
    }
  }

  private InspectReport inspect(Dataset dataset) {
    try (ProgressLine progress = new ProgressLine(spec.commandLine().getErr())) {
      return new Inspection(dataset, progress).run(path.toString(), isVerified);
    }
  }
}
