package dev.forebay.cli.recipe;

import dev.forebay.dataset.ConcatDataset;
import dev.forebay.dataset.Dataset;
import dev.forebay.dataset.GeneratedDataset;
import dev.forebay.dataset.ImageFolder;
import dev.forebay.dataset.RandomSplit;
import dev.forebay.dataset.SubsetDataset;
import dev.forebay.dataset.TokenDataset;
import dev.forebay.memory.DType;
import dev.forebay.memory.Field;
import dev.forebay.memory.Mix64;
import dev.forebay.memory.Schema;
import dev.forebay.memory.Shape;
import dev.forebay.transform.Sample;
import dev.forebay.transform.Value;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.LongStream;

/** The datasets that a recipe can name. */
final class DatasetTable {
  private static final Type DATASET = Sections.oneOf("dataset", DatasetTable::keys);
  private static final Type COUNT = Types.whole(0, Types.UNBOUNDED);
  private static final int PARTS_MAX = 1000;
  private static final Type TOKEN_TYPES =
      Types.choice(
          DType::label,
          List.of(
              DType.UINT8,
              DType.INT8,
              DType.UINT16,
              DType.INT16,
              DType.UINT32,
              DType.INT32,
              DType.INT64));

  private static final Map<String, List<Key>> KEYS =
      Map.of(
          "image_folder",
          List.of(
              Key.required("root", Types.text("a folder")),
              Key.optional("allow_empty", Types.flag(), false),
              Key.optional(
                  "extensions", Types.list(Types.text("an ending such as .jpg"), 1, 100), null),
              Key.optional("save_index", Types.flag(), true)),
          "generated",
          List.of(
              Key.required("size", COUNT),
              Key.optional("shape", Types.list(Types.whole(1, 1 << 28), 0, 8), List.of()),
              Key.optional("dtype", ImageKeys.DTYPES, DType.UINT8),
              Key.optional("seed", Types.whole(Long.MIN_VALUE, Types.UNBOUNDED), 0L)),
          "subset",
          List.of(
              Key.required("of", DATASET),
              Key.optional("start", COUNT, 0L),
              Key.optional("end", COUNT, null)),
          "split",
          List.of(
              Key.required("of", DATASET),
              Key.required("fractions", Types.list(Types.real(0, 1), 1, PARTS_MAX)),
              Key.required("part", Types.whole(0, PARTS_MAX)),
              Key.optional("seed", Types.whole(Long.MIN_VALUE, Types.UNBOUNDED), 0L)),
          "concat",
          List.of(Key.required("of", Types.list(DATASET, 1, PARTS_MAX))),
          "tokens",
          List.of(
              Key.required("path", Types.text("a file")),
              Key.optional("dtype", TOKEN_TYPES, null),
              Key.optional("window", Types.whole(1, Integer.MAX_VALUE), 1024L),
              Key.optional("stride", Types.whole(1, Types.UNBOUNDED), null),
              Key.optional("targets", Types.flag(), false)));

  private final Consumer<String> progress;
  private final Paths paths;
  private final List<Dataset> opened = new ArrayList<>();

  private DatasetTable(Paths paths, Consumer<String> progress) {
    this.paths = paths;
    this.progress = progress;
  }

  static Map<String, List<Key>> keys() {
    return KEYS;
  }

  /** What may stand for a dataset. */
  static Type type() {
    return DATASET;
  }

  /**
   * Opens what a recipe names.
   *
   * @param progress takes lines of text while folders are indexed
   */
  static OpenedDataset open(Variant variant, Paths paths, Consumer<String> progress) {
    DatasetTable table = new DatasetTable(paths, progress);
    try {
      return new OpenedDataset(table.open(variant), table.opened);
    } catch (Throwable failure) {
      table.opened.forEach(Dataset::close);
      throw failure;
    }
  }

  private Dataset open(Variant variant) {
    Settings at = variant.settings();
    try {
      return switch (variant.name()) {
        case "image_folder" -> imageFolder(at);
        case "generated" -> generated(at);
        case "subset" -> subset(at);
        case "split" -> split(at);
        case "concat" -> concat(at);
        case "tokens" -> tokens(at);
        default -> throw new AssertionError(variant.name());
      };
    } catch (IllegalArgumentException e) {
      throw at.problem("", String.valueOf(e.getMessage()));
    }
  }

  private Dataset imageFolder(Settings at) {
    ImageFolder.Builder builder =
        ImageFolder.builder(paths.resolve(at.text("root")))
            .allowEmpty(at.flag("allow_empty"))
            .progress(progress);
    if (at.has("extensions")) {
      builder.extensions(new HashSet<>(at.texts("extensions")));
    }
    if (!at.flag("save_index")) {
      builder.withoutIndex();
    }
    Dataset folder = builder.open();
    opened.add(folder);
    return folder;
  }

  private Dataset tokens(Settings at) {
    TokenDataset.Builder builder =
        TokenDataset.builder(paths.resolve(at.text("path")))
            .window(at.integer("window"))
            .targets(at.flag("targets"));
    if (at.has("dtype")) {
      builder.dtype(at.choice("dtype", DType.class));
    }
    if (at.has("stride")) {
      builder.stride(at.whole("stride"));
    }
    Dataset tokens = builder.open();
    opened.add(tokens);
    return tokens;
  }

  private static Dataset generated(Settings at) {
    long[] dims = at.wholes("shape").stream().mapToLong(Long::longValue).toArray();
    DType dtype = at.choice("dtype", DType.class);
    Field field = Field.tensor("data", dtype, Shape.of(dims));
    long seed = at.whole("seed");
    return GeneratedDataset.of(
        at.whole("size"),
        Schema.of(field),
        "recipe/1 seed=" + seed,
        (id, sample) -> fill(sample, field, Mix64.key(seed, 0, id)));
  }

  /** Bytes at random for uint8; else numbers from 0 to 1, at single precision or less. */
  private static void fill(Sample sample, Field field, long key) {
    Value value = sample.value(0);
    MemorySegment place = value.write(field.dtype(), field.shape());
    long start = value.offset();
    long elements = value.elements();
    for (long i = 0; i < elements; i++) {
      double unit = Mix64.unit(Mix64.number(key, i));
      switch (field.dtype()) {
        case UINT8 -> place.set(ValueLayout.JAVA_BYTE, start + i, (byte) (unit * 256));
        case FLOAT32 -> place.set(ValueLayout.JAVA_FLOAT_UNALIGNED, start + 4 * i, (float) unit);
        case FLOAT16 ->
            place.set(
                ValueLayout.JAVA_SHORT_UNALIGNED,
                start + 2 * i,
                Float.floatToFloat16((float) unit));
        case BFLOAT16 ->
            place.set(
                ValueLayout.JAVA_SHORT_UNALIGNED,
                start + 2 * i,
                (short) (Float.floatToRawIntBits((float) unit) >>> 16));
        default -> throw new AssertionError(field.dtype());
      }
    }
  }

  private Dataset subset(Settings at) {
    Dataset whole = open(at.variant("of"));
    long end = at.has("end") ? at.whole("end") : whole.size();
    if (end > whole.size()) {
      throw at.problem(
          "end", "expected at most %d, the dataset's size, found %d".formatted(whole.size(), end));
    }
    long start = at.whole("start");
    if (start > end) {
      throw at.problem("start", "expected at most %d, the end, found %d".formatted(end, start));
    }
    return SubsetDataset.of(whole, LongStream.range(start, end).toArray());
  }

  private Dataset split(Settings at) {
    double[] fractions = at.reals("fractions").stream().mapToDouble(Double::doubleValue).toArray();
    int part = at.integer("part");
    if (part >= fractions.length) {
      throw at.problem("part", "expected 0 to %d, found %d".formatted(fractions.length - 1, part));
    }
    Dataset whole = open(at.variant("of"));
    return RandomSplit.byFractions(whole, at.whole("seed"), fractions).get(part);
  }

  private Dataset concat(Settings at) {
    return ConcatDataset.of(at.variants("of").stream().map(this::open).toArray(Dataset[]::new));
  }
}
