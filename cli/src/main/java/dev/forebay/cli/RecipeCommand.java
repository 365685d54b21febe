package dev.forebay.cli;

import dev.forebay.DataLoader;
import dev.forebay.cli.console.Json;
import dev.forebay.cli.recipe.OpenedDataset;
import dev.forebay.cli.recipe.Overrides;
import dev.forebay.cli.recipe.Recipe;
import dev.forebay.memory.Field;
import dev.forebay.memory.Schema;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code forebay recipe}: everything about recipe files. */
@Command(
    name = "recipe",
    mixinStandardHelpOptions = true,
    description = "Checks recipe files.",
    synopsisSubcommandLabel = "COMMAND")
final class RecipeCommand {
  @Spec
  @SuppressWarnings("NullAway.Init")
  private CommandSpec spec;

  @Command(
      name = "check",
      mixinStandardHelpOptions = true,
      description = {
        "Reads a recipe and prints it with all defaults. The dataset is opened too, and the"
            + " transforms are tried on its fields, but no sample is read.",
        "",
        "Exit code: 0 the recipe is right, 2 it is not."
      })
  int check(
      @Parameters(paramLabel = "FILE", description = "The recipe.") Path file,
      @Option(
              names = "--no-dataset",
              description = "Leaves the dataset alone: it may be on another machine.")
          boolean isDatasetLeft,
      @Option(names = "--json", description = "Prints one JSON object.") boolean json)
      throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    PrintWriter err = spec.commandLine().getErr();
    Recipe recipe = Recipe.read(file);
    Map<String, Object> report = new LinkedHashMap<>();
    report.put("file", file.toString());
    report.put("recipe", recipe.plain());
    if (!isDatasetLeft) {
      try (OpenedDataset opened = recipe.openDataset(err::println);
          DataLoader loader = recipe.loader(opened.dataset(), Overrides.NONE)) {
        report.put("samples", opened.dataset().size());
        report.put("batches_per_epoch", loader.batchesPerEpoch());
        report.put("fields", fields(loader.schema()));
      }
    }
    if (json) {
      out.println(Json.text(report));
      return ExitCode.OK;
    }
    out.print(recipe.yaml());
    err.println(summary(report));
    return ExitCode.OK;
  }

  private static String summary(Map<String, Object> report) {
    return report.containsKey("samples")
        ? "%s is right: %s samples, %s batches an epoch of %s"
            .formatted(
                report.get("file"),
                report.get("samples"),
                report.get("batches_per_epoch"),
                report.get("fields"))
        : report.get("file") + " is right, as far as can be said without the dataset";
  }

  private static List<String> fields(Schema schema) {
    List<String> fields = new ArrayList<>();
    for (Field field : schema.fields()) {
      fields.add(field.name() + " " + field.dtype().label() + field.shape());
    }
    return fields;
  }
}
