package dev.forebay.cli.recipe;

import dev.forebay.DataLoader;
import dev.forebay.pipeline.ErrorPolicy;
import dev.forebay.pipeline.OutputOrder;
import dev.forebay.sampler.World;
import dev.forebay.transform.BatchTransform;
import dev.forebay.transform.Transform;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What may stand in a recipe, from the top down. */
final class RecipeKeys {
  static final Map<String, Entry<Transform>> TRANSFORMS = allTransforms();
  static final Map<String, Entry<BatchTransform>> BATCH_TRANSFORMS = ColorTable.BATCH_LINES;

  private static final Type SEED = Types.whole(Long.MIN_VALUE, Types.UNBOUNDED);
  private static final int LIST_MAX = 1000;

  private static final List<Key> WEIGHTED =
      List.of(
          Key.required("weights", Types.list(Types.real(0, Double.MAX_VALUE), 1, 1 << 24)),
          Key.optional("samples", Types.whole(1, Types.UNBOUNDED), null),
          Key.optional("replacement", Types.flag(), true));

  static final List<Key> ORDER =
      List.of(
          Key.optional("shuffle", Types.flag(), false),
          Key.optional("seed", SEED, 0L),
          Key.optional("drop_last", Types.flag(), false),
          Key.optional(
              "sampler",
              Sections.oneOf(
                  "sampler",
                  () ->
                      Map.of("sequential", List.of(), "shuffled", List.of(), "weighted", WEIGHTED)),
              null),
          Key.optional("tail", Types.choice(World.Tail.class), World.Tail.PAD));

  private static final Key SKIPS =
      Key.optional("budget", new SkipBudgetType(), SkipBudgetType.DEFAULT);

  static final List<Key> LOADER =
      List.of(
          Key.optional(
              "workers", Types.wholeOr("auto", DataLoader.AUTO, 0, 1024), (long) DataLoader.AUTO),
          Key.optional("prefetch_factor", Types.whole(1, 4096), null),
          Key.optional("persistent_workers", Types.flag(), null),
          Key.optional("pin_memory", Types.flag(), false),
          Key.optional(
              "on_error",
              Sections.oneOf(
                  "policy",
                  () ->
                      Map.of(
                          "fail", List.of(), "skip", List.of(SKIPS), "substitute", List.of(SKIPS))),
              null),
          Key.optional("quarantine", Types.text("a file"), null),
          Key.optional("timeout", Types.duration(), null),
          Key.optional("stall_report_after", Types.duration(), null),
          Key.optional("output_order", Types.choice(OutputOrder.class), OutputOrder.INPUT),
          Key.optional("memory", Types.bytes(), null),
          Key.optional("read_ahead", Types.bytes(), null),
          Key.optional("io_threads", Types.whole(1, 1024), null));

  static final List<Key> BATCH =
      List.of(
          Key.optional("size", Types.whole(1, (1 << 24) - 1), 1L),
          Key.optional(
              "transforms",
              Types.list(
                  Sections.oneOf("batch transform", () -> Entry.keys(BATCH_TRANSFORMS)),
                  0,
                  LIST_MAX),
              List.of()));

  static final List<Key> ROOT =
      List.of(
          Key.required("dataset", DatasetTable.type()),
          Key.optional("order", Sections.of(ORDER), empty(ORDER)),
          Key.optional(
              "transforms",
              Types.list(Sections.oneOf("transform", () -> Entry.keys(TRANSFORMS)), 0, LIST_MAX),
              List.of()),
          Key.optional("batch", Sections.of(BATCH), empty(BATCH)),
          Key.optional("loader", Sections.of(LOADER), empty(LOADER)),
          Key.optional("cache", new Unavailable(), null));

  private RecipeKeys() {}

  private static Map<String, Entry<Transform>> allTransforms() {
    Map<String, Entry<Transform>> all = new HashMap<>(GeometryTable.LINES);
    all.putAll(ColorTable.LINES);
    return Map.copyOf(all);
  }

  /** A section that is left out: all defaults. */
  private static Settings empty(List<Key> keys) {
    Node nothing = new Node.Scalar(new Position(1, 1), Node.Scalar.Kind.NOTHING, "");
    return Settings.read(nothing, "", keys);
  }

  /** What the policy is called that the loader has by itself. */
  static ErrorPolicy policy(Variant variant) {
    return switch (variant.name()) {
      case "fail" -> ErrorPolicy.fail();
      case "skip" -> ErrorPolicy.skip(SkipBudgetType.of(variant.settings()));
      case "substitute" -> ErrorPolicy.substitute(SkipBudgetType.of(variant.settings()));
      default -> throw new AssertionError(variant.name());
    };
  }

  /** A section that a later version will have, and that this one must not pass over in silence. */
  private record Unavailable() implements Type {
    @Override
    public Object read(Node node, String path) {
      throw new RecipeProblem(
          node.position(),
          path,
          "cache tiers are not available in this version; remove the section: data is read from"
              + " where it lies, and what fits stays in the page cache of the operating system");
    }

    @Override
    public String expected() {
      return "nothing";
    }
  }
}
