package dev.forebay.cli.recipe;

import static dev.forebay.cli.recipe.ImageKeys.FIELD;
import static dev.forebay.cli.recipe.ImageKeys.FILL;
import static dev.forebay.cli.recipe.ImageKeys.around;
import static dev.forebay.cli.recipe.ImageKeys.field;
import static dev.forebay.cli.recipe.ImageKeys.interpolation;
import static dev.forebay.cli.recipe.ImageKeys.range;

import dev.forebay.image.ColorJitter;
import dev.forebay.image.CutMix;
import dev.forebay.image.GaussianBlur;
import dev.forebay.image.Grayscale;
import dev.forebay.image.Interpolation;
import dev.forebay.image.MixUp;
import dev.forebay.image.OneHot;
import dev.forebay.image.RandAugment;
import dev.forebay.image.RandomAffine;
import dev.forebay.image.RandomErasing;
import dev.forebay.image.RandomGrayscale;
import dev.forebay.image.RandomRotation;
import dev.forebay.image.Range;
import dev.forebay.image.TrivialAugment;
import dev.forebay.transform.BatchTransform;
import dev.forebay.transform.Transform;
import java.util.List;
import java.util.Map;

/** The transforms of colour, those that turn and shear, and those that mix samples. */
final class ColorTable {
  private static final Key BINS = Key.optional("bins", Types.whole(2, 1000), 31L);
  private static final Key NEAREST = interpolation(Interpolation.NEAREST);
  private static final Key DEGREES = Key.required("degrees", ImageKeys.NUMBER_OR_PAIR);
  private static final Type ERASING = new NoiseOr(Types.oneOrList(ImageKeys.ANY_NUMBER, 1, 3));

  static final Map<String, Entry<Transform>> LINES =
      Map.ofEntries(
          Map.entry(
              "color_jitter",
              new Entry<>(
                  List.of(
                      jitter("brightness"),
                      jitter("contrast"),
                      jitter("saturation"),
                      jitter("hue"),
                      FIELD),
                  at ->
                      new ColorJitter(
                          factors(at, "brightness"),
                          factors(at, "contrast"),
                          factors(at, "saturation"),
                          around(at, "hue", 0),
                          field(at)))),
          Map.entry(
              "grayscale",
              new Entry<>(
                  List.of(Key.optional("channels", Types.whole(1, 3), 1L), FIELD),
                  at -> new Grayscale(at.integer("channels"), field(at)))),
          Map.entry(
              "random_grayscale",
              new Entry<>(
                  List.of(ImageKeys.probability(0.1), FIELD),
                  at -> new RandomGrayscale(at.real("p"), field(at)))),
          Map.entry(
              "gaussian_blur",
              new Entry<>(
                  List.of(
                      Key.required("kernel_size", Types.whole(1, 1023)),
                      Key.optional(
                          "sigma", Types.oneOrList(Types.positive(), 2, 2), List.of(0.1, 2.0)),
                      FIELD),
                  at ->
                      new GaussianBlur(at.integer("kernel_size"), range(at, "sigma"), field(at)))),
          Map.entry(
              "random_rotation",
              new Entry<>(
                  List.of(DEGREES, NEAREST, FILL, FIELD),
                  at ->
                      new RandomRotation(
                          around(at, "degrees", 0),
                          interpolation(at),
                          at.integer("fill"),
                          field(at)))),
          Map.entry(
              "random_affine",
              new Entry<>(
                  List.of(
                      DEGREES,
                      ImageKeys.pair("translate", 0, 0),
                      ImageKeys.pair("scale", 1, 1),
                      Key.optional(
                          "shear", Types.oneOrList(ImageKeys.ANY_NUMBER, 2, 4), List.of(0.0)),
                      NEAREST,
                      FILL,
                      FIELD),
                  at ->
                      new RandomAffine(
                          change(at), interpolation(at), at.integer("fill"), field(at)))),
          Map.entry(
              "trivial_augment",
              new Entry<>(
                  List.of(BINS, NEAREST, FILL, FIELD),
                  at ->
                      new TrivialAugment(
                          at.integer("bins"), interpolation(at), at.integer("fill"), field(at)))),
          Map.entry(
              "rand_augment",
              new Entry<>(
                  List.of(
                      Key.optional("operations", Types.whole(0, 100), 2L),
                      Key.optional("magnitude", Types.whole(0, 999), 9L),
                      BINS,
                      NEAREST,
                      FILL,
                      FIELD),
                  at ->
                      new RandAugment(
                          at.integer("operations"),
                          at.integer("magnitude"),
                          at.integer("bins"),
                          interpolation(at),
                          at.integer("fill"),
                          field(at)))),
          Map.entry(
              "random_erasing",
              new Entry<>(
                  List.of(
                      ImageKeys.probability(0.5),
                      ImageKeys.pair("scale", 0.02, 0.33),
                      ImageKeys.pair("ratio", 0.3, 3.3),
                      Key.optional("value", ERASING, List.of(0.0)),
                      FIELD),
                  at ->
                      new RandomErasing(
                          at.real("p"),
                          range(at, "scale"),
                          range(at, "ratio"),
                          fill(at),
                          field(at)))),
          Map.entry(
              "one_hot",
              new Entry<>(
                  List.of(
                      Key.required("classes", Types.whole(1, 1 << 24)),
                      ImageKeys.field("field", "label")),
                  at -> new OneHot(at.integer("classes"), field(at)))));

  static final Map<String, Entry<BatchTransform>> BATCH_LINES =
      Map.of(
          "mixup",
          new Entry<>(mixing(), at -> new MixUp(at.real("alpha"), at.text("image"), label(at))),
          "cutmix",
          new Entry<>(mixing(), at -> new CutMix(at.real("alpha"), at.text("image"), label(at))));

  private ColorTable() {}

  private static List<Key> mixing() {
    return List.of(
        Key.optional("alpha", Types.positive(), 1.0),
        ImageKeys.field("image", "image"),
        ImageKeys.field("label", "label"));
  }

  private static String label(Settings at) {
    return at.text("label");
  }

  private static Key jitter(String name) {
    return Key.optional(name, ImageKeys.NUMBER_OR_PAIR, List.of(0.0));
  }

  /** A pair as it is, or a distance around 1, which ends at 0. */
  private static Range factors(Settings at, String name) {
    Range range = around(at, name, 1);
    boolean isDistance = at.reals(name).size() == 1;
    return isDistance ? new Range(Math.max(0, range.min()), range.max()) : range;
  }

  private static RandomAffine.Change change(Settings at) {
    List<Double> translate = at.reals("translate");
    List<Double> shear = at.reals("shear");
    if (shear.size() == 3) {
      throw at.problem("shear", "expected 1, 2 or 4 numbers, found 3");
    }
    boolean hasVertical = shear.size() == 4;
    Range shearX = hasVertical ? new Range(shear.get(0), shear.get(1)) : around(at, "shear", 0);
    Range shearY = hasVertical ? new Range(shear.get(2), shear.get(3)) : Range.of(0);
    return new RandomAffine.Change(
        around(at, "degrees", 0),
        translate.getFirst(),
        translate.getLast(),
        range(at, "scale"),
        shearX,
        shearY);
  }

  private static RandomErasing.Fill fill(Settings at) {
    if (at.isEmptyList("value")) {
      return new RandomErasing.Fill.Noise();
    }
    return new RandomErasing.Fill.Constant(ImageKeys.floats(at, "value"));
  }

  /** Numbers, or the word {@code random}, which becomes an empty list. */
  private record NoiseOr(Type numbers) implements Type {
    private static final String WORD = "random";

    @Override
    public Object read(Node node, String path) {
      boolean isWord = node instanceof Node.Scalar scalar && scalar.text().equals(WORD);
      return isWord ? List.of() : numbers.read(node, path);
    }

    @Override
    public String expected() {
      return "'" + WORD + "' or " + numbers.expected();
    }

    @Override
    public Object plain(Object value) {
      return value.equals(List.of()) ? WORD : numbers.plain(value);
    }
  }
}
