package dev.forebay.cli.recipe;

import dev.forebay.image.Interpolation;
import dev.forebay.image.Range;
import dev.forebay.memory.DType;
import java.util.List;

/** Keys that several image transforms have in common, and how their values are read. */
final class ImageKeys {
  static final int SIDE_MAX = 32_768;

  static final Type PROBABILITY = Types.real(0, 1);
  static final Type ANY_NUMBER = Types.real(-Double.MAX_VALUE, Double.MAX_VALUE);
  static final Type PAIR = Types.list(ANY_NUMBER, 2, 2);
  static final Type NUMBER_OR_PAIR = Types.oneOrList(ANY_NUMBER, 2, 2);
  static final Type DTYPES =
      Types.choice(
          DType::label, List.of(DType.UINT8, DType.FLOAT16, DType.BFLOAT16, DType.FLOAT32));
  static final Type FLOATS =
      Types.choice(DType::label, List.of(DType.FLOAT16, DType.BFLOAT16, DType.FLOAT32));

  /** A side, or height and width. */
  static final Key SIZE = Key.required("size", Types.oneOrList(Types.whole(1, SIDE_MAX), 2, 2));

  static final Key FIELD = field("field", "image");
  static final Key FILL = Key.optional("fill", Types.whole(0, 255), 0L);

  private ImageKeys() {}

  static Key field(String name, String fallback) {
    return Key.optional(name, Types.text("a field's name"), fallback);
  }

  static Key probability(double fallback) {
    return Key.optional("p", PROBABILITY, fallback);
  }

  static Key pair(String name, double min, double max) {
    return Key.optional(name, PAIR, List.of(min, max));
  }

  static Key interpolation(Interpolation fallback) {
    return Key.optional("interpolation", Types.choice(Interpolation.class), fallback);
  }

  static String field(Settings settings) {
    return settings.text("field");
  }

  static Interpolation interpolation(Settings settings) {
    return settings.choice("interpolation", Interpolation.class);
  }

  static int height(Settings settings) {
    return Math.toIntExact(settings.wholes("size").getFirst());
  }

  static int width(Settings settings) {
    return Math.toIntExact(settings.wholes("size").getLast());
  }

  /** Two numbers in ascending order. */
  static Range range(Settings settings, String name) {
    return range(settings, name, settings.reals(name));
  }

  private static Range range(Settings settings, String name, List<Double> ends) {
    if (ends.getFirst() > ends.getLast()) {
      throw settings.problem(name, "expected [smallest, largest], found " + ends);
    }
    return new Range(ends.getFirst(), ends.getLast());
  }

  /** Two numbers in ascending order, or one distance to both sides of a middle. */
  static Range around(Settings settings, String name, double middle) {
    List<Double> ends = settings.reals(name);
    if (ends.size() == 2) {
      return range(settings, name, ends);
    }
    if (ends.getFirst() < 0) {
      throw settings.problem(name, "expected a distance >= 0, found " + ends.getFirst());
    }
    return Range.around(middle, ends.getFirst());
  }

  /** The numbers in single precision. */
  static List<Float> floats(Settings settings, String name) {
    return settings.reals(name).stream().map(Double::floatValue).toList();
  }
}
