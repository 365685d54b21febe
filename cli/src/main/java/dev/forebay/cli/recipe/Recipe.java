package dev.forebay.cli.recipe;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.forebay.DataLoader;
import dev.forebay.dataset.Dataset;
import dev.forebay.error.ConfigurationException;
import dev.forebay.memory.Schema;
import dev.forebay.pipeline.OutputOrder;
import dev.forebay.sampler.Sampler;
import dev.forebay.sampler.World;
import dev.forebay.transform.BatchTransform;
import dev.forebay.transform.Transform;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * A dataset, its order, its transforms and the loader's settings, as a YAML file describes them;
 * {@code docs/recipes.md} has all keys. Immutable.
 *
 * <p>Errors are {@link ConfigurationException}s whose message begins with {@code
 * file:line:column:}, names the key, and says what was expected and what was found.
 */
public final class Recipe {
  private static final long BYTES_MAX = 64L << 20;

  private final String name;
  private final Paths paths;
  private final Settings root;

  private Recipe(String name, Paths paths, Settings root) {
    this.name = name;
    this.paths = paths;
    this.root = root;
  }

  /** Reads a file; relative paths in it begin at its folder. */
  public static Recipe read(Path file) throws IOException {
    if (Files.size(file) > BYTES_MAX) {
      throw new ConfigurationException(file + " is too large for a recipe");
    }
    Path folder = Objects.requireNonNull(file.toAbsolutePath().getParent(), "folder");
    try {
      return parse(Files.readString(file), file.toString(), folder);
    } catch (CharacterCodingException e) {
      throw new ConfigurationException(file + " is no text in UTF-8, so it is no recipe", e);
    }
  }

  /**
   * Reads a text.
   *
   * @param name stands in messages where a file's name would
   * @param folder where relative paths begin
   */
  public static Recipe parse(String text, String name, Path folder) {
    Paths paths = new Paths(folder, Path.of(System.getProperty("user.home")));
    return located(
        name,
        () -> {
          Settings root = Settings.read(YamlReader.read(text), "", RecipeKeys.ROOT);
          Recipe recipe = new Recipe(name, paths, root);
          recipe.transforms();
          recipe.batchTransforms();
          return recipe;
        });
  }

  /** The usual training on a folder of images, with 64 random crops of 224 x 224 in a batch. */
  public static Recipe ofFolder(Path folder) {
    try {
      String root = new ObjectMapper().writeValueAsString(folder.toAbsolutePath().toString());
      String training =
          """
          dataset:    { image_folder: { root: %s } }
          order:      { shuffle: true, seed: 0 }
          transforms:
            - decode_image: { }
            - random_resized_crop: { size: 224 }
            - random_horizontal_flip: { p: 0.5 }
            - normalize: { mean: [0.485, 0.456, 0.406], std: [0.229, 0.224, 0.225] }
          batch:      { size: 64 }
          """
              .formatted(root);
      return parse(training, folder.toString(), folder);
    } catch (JsonProcessingException e) {
      throw new ConfigurationException("root=" + folder + " cannot be written as text", e);
    }
  }

  private static <T> T located(String name, Supplier<T> action) {
    try {
      return action.get();
    } catch (RecipeProblem problem) {
      throw new ConfigurationException(
          name + ":" + problem.position() + ": " + problem.getMessage(), problem);
    }
  }

  /** All settings, with the defaults; reading it again gives the same recipe. */
  public Map<String, Object> plain() {
    return root.plain();
  }

  /** {@link #plain} as YAML. */
  public String yaml() {
    YAMLMapper mapper =
        YAMLMapper.builder()
            .disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER)
            .disable(YAMLGenerator.Feature.SPLIT_LINES)
            .build();
    try {
      return mapper.writeValueAsString(plain());
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("plain values can always be written", e);
    }
  }

  /**
   * Opens the dataset; it must be closed after the loader.
   *
   * @param progress takes lines of text while folders are indexed
   */
  public OpenedDataset openDataset(Consumer<String> progress) {
    return located(name, () -> DatasetTable.open(root.variant("dataset"), paths, progress));
  }

  private List<Transform> transforms() {
    List<Transform> transforms = new ArrayList<>();
    for (Variant variant : root.variants("transforms")) {
      transforms.add(
          Objects.requireNonNull(RecipeKeys.TRANSFORMS.get(variant.name())).make(variant));
    }
    return transforms;
  }

  private List<BatchTransform> batchTransforms() {
    List<BatchTransform> transforms = new ArrayList<>();
    for (Variant variant : root.section("batch").variants("transforms")) {
      transforms.add(
          Objects.requireNonNull(RecipeKeys.BATCH_TRANSFORMS.get(variant.name())).make(variant));
    }
    return transforms;
  }

  /** The loader of a dataset that {@link #openDataset} opened. */
  public DataLoader loader(Dataset dataset, Overrides overrides) {
    return located(
        name,
        () -> {
          checkSchemas(dataset);
          DataLoader.Builder builder = DataLoader.builder(dataset);
          builder.transforms(transforms()).batchTransforms(batchTransforms());
          builder.world(overrides.world()).epochs(overrides.epochs());
          addOrder(builder, dataset.size(), overrides);
          addWorkers(builder, overrides);
          addLimits(builder);
          try {
            return builder.build();
          } catch (IllegalArgumentException e) {
            throw root.problem("loader", String.valueOf(e.getMessage()));
          }
        });
  }

  /** Finds the transform that does not fit what comes before it. */
  private void checkSchemas(Dataset dataset) {
    Schema schema = dataset.schema();
    List<Transform> transforms = transforms();
    List<Variant> variants = root.variants("transforms");
    for (int i = 0; i < transforms.size(); i++) {
      try {
        schema = transforms.get(i).output(schema);
      } catch (IllegalArgumentException e) {
        throw variants.get(i).settings().problem("", String.valueOf(e.getMessage()));
      }
    }
    variants = root.section("batch").variants("transforms");
    List<BatchTransform> batchTransforms = batchTransforms();
    for (int i = 0; i < batchTransforms.size(); i++) {
      try {
        schema = batchTransforms.get(i).output(schema);
      } catch (IllegalArgumentException e) {
        throw variants.get(i).settings().problem("", String.valueOf(e.getMessage()));
      }
    }
  }

  private void addOrder(DataLoader.Builder builder, long size, Overrides overrides) {
    Settings order = root.section("order");
    Integer batchSize = overrides.batchSize();
    builder.batchSize(batchSize == null ? root.section("batch").integer("size") : batchSize);
    Long seedOverride = overrides.seed();
    long seed = seedOverride == null ? order.whole("seed") : seedOverride;
    builder.seed(seed).dropLast(order.flag("drop_last"));
    builder.tail(order.choice("tail", World.Tail.class));
    Boolean shuffle = overrides.shuffle();
    if (shuffle != null || !order.has("sampler")) {
      builder.shuffle(shuffle == null ? order.flag("shuffle") : shuffle);
      return;
    }
    if (order.flag("shuffle")) {
      throw order.problem("sampler", "excludes shuffle: true; remove one of the two");
    }
    builder.sampler(sampler(order.variant("sampler"), size, seed));
  }

  private static Sampler sampler(Variant variant, long size, long seed) {
    Settings at = variant.settings();
    return switch (variant.name()) {
      case "sequential" -> Sampler.sequential();
      case "shuffled" -> Sampler.shuffled(seed);
      case "weighted" -> {
        double[] weights = at.reals("weights").stream().mapToDouble(Double::doubleValue).toArray();
        if (weights.length != size) {
          throw at.problem(
              "weights",
              "expected one for each of %d samples, found %d".formatted(size, weights.length));
        }
        long samples = at.has("samples") ? at.whole("samples") : size;
        try {
          yield Sampler.weighted(weights, samples, at.flag("replacement"), seed);
        } catch (IllegalArgumentException e) {
          throw at.problem("", String.valueOf(e.getMessage()));
        }
      }
      default -> throw new AssertionError(variant.name());
    };
  }

  /** What only makes sense with workers is left out where a command line wants none. */
  private void addWorkers(DataLoader.Builder builder, Overrides overrides) {
    Settings loader = root.section("loader");
    Integer override = overrides.workers();
    builder.workers(override == null ? loader.integer("workers") : override);
    if (override != null && override == 0) {
      return;
    }
    if (loader.has("prefetch_factor")) {
      builder.prefetchFactor(loader.integer("prefetch_factor"));
    }
    if (loader.has("persistent_workers")) {
      builder.persistentWorkers(loader.flag("persistent_workers"));
    }
    if (loader.has("timeout")) {
      builder.timeout(loader.duration("timeout"));
    }
  }

  private void addLimits(DataLoader.Builder builder) {
    Settings loader = root.section("loader");
    builder.pinMemory(loader.flag("pin_memory"));
    builder.outputOrder(loader.choice("output_order", OutputOrder.class));
    if (loader.has("on_error")) {
      builder.onError(RecipeKeys.policy(loader.variant("on_error")));
    }
    if (loader.has("quarantine")) {
      builder.quarantine(paths.resolve(loader.text("quarantine")));
    }
    if (loader.has("stall_report_after")) {
      builder.stallReportAfter(loader.duration("stall_report_after"));
    }
    if (loader.has("memory")) {
      builder.memoryBudget(loader.whole("memory"));
    }
    if (loader.has("read_ahead")) {
      builder.readAheadBytes(loader.whole("read_ahead"));
    }
    if (loader.has("io_threads")) {
      builder.ioThreads(loader.integer("io_threads"));
    }
  }
}
