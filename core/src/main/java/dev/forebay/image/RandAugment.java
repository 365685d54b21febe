package dev.forebay.image;

import dev.forebay.memory.Schema;
import dev.forebay.transform.Randomness;
import dev.forebay.transform.Sample;
import dev.forebay.transform.Transform;
import java.util.Objects;

/**
 * Some random operations of one strength for each image, as torchvision's {@code RandAugment}.
 *
 * <p>Source: E. Cubuk, B. Zoph, J. Shlens, Q. Le, "RandAugment: practical automated data
 * augmentation with a reduced search space", CVPR Workshops 2020.
 *
 * @param operations the number of operations, at least 0
 * @param magnitude the strength, 0 to {@code bins - 1}
 * @param bins the number of strengths, at least 2
 * @param interpolation the filter of geometric operations
 * @param fill the value of all channels of what comes from outside, 0 to 255
 * @param field the image's field
 */
public record RandAugment(
    int operations, int magnitude, int bins, Interpolation interpolation, int fill, String field)
    implements Transform {
  /** Checks the ranges. */
  public RandAugment {
    ImageField.check(operations >= 0, "operations", operations, ">= 0");
    ImageField.check(bins >= 2, "bins", bins, ">= 2");
    ImageField.check(
        magnitude >= 0 && magnitude < bins, "magnitude", magnitude, "0 to " + (bins - 1));
    Objects.requireNonNull(interpolation, "interpolation");
    ImageField.check(fill >= 0 && fill <= 255, "fill", fill, "0 to 255");
    Objects.requireNonNull(field, "field");
  }

  /** With torchvision's 31 strengths, nearest pixel, black outside, the field "image". */
  public static RandAugment of(int operations, int magnitude) {
    return new RandAugment(operations, magnitude, 31, Interpolation.NEAREST, 0, "image");
  }

  @Override
  public Schema output(Schema input) {
    ImageField.of(input, field, "rand_augment");
    return input;
  }

  @Override
  public Step open(Schema input) {
    int slot = input.slot(field);
    Pixels pixels = new Pixels();
    AugmentOp.Tools tools = new AugmentOp.Tools(interpolation, fill);
    return sample -> apply(sample, slot, pixels, tools);
  }

  private void apply(Sample sample, int slot, Pixels pixels, AugmentOp.Tools tools) {
    Randomness random = sample.random();
    pixels.read(sample.value(slot));
    for (int i = 0; i < operations; i++) {
      AugmentOp op = AugmentOp.of(random.nextInt(AugmentOp.count()));
      double strength = strength(op, pixels);
      boolean isNegative = random.nextInt(2) == 1;
      op.apply(pixels, op.isSigned && isNegative ? -strength : strength, tools);
    }
    pixels.write(sample.value(slot));
  }

  private double strength(AugmentOp op, Pixels pixels) {
    double share = magnitude / (bins - 1.0);
    return switch (op) {
      case IDENTITY, AUTOCONTRAST, EQUALIZE -> 0;
      case SHEAR_X, SHEAR_Y -> 0.3 * share;
      case TRANSLATE_X -> 150.0 / 331 * pixels.width * share;
      case TRANSLATE_Y -> 150.0 / 331 * pixels.height * share;
      case ROTATE -> 30 * share;
      case POSTERIZE -> 8 - (int) Math.rint(4 * share);
      case SOLARIZE -> 255 * (1 - share);
      case BRIGHTNESS, COLOR, CONTRAST, SHARPNESS -> 0.9 * share;
    };
  }

  @Override
  public boolean isRandom() {
    return true;
  }

  @Override
  public String writes() {
    return field;
  }
}
