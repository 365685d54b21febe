package dev.forebay.image;

import dev.forebay.memory.Schema;
import dev.forebay.transform.Randomness;
import dev.forebay.transform.Sample;
import dev.forebay.transform.Transform;
import java.util.Objects;

/**
 * One random operation of random strength for each image, as torchvision's {@code
 * TrivialAugmentWide}.
 *
 * <p>Source: S. Müller, F. Hutter, "TrivialAugment: tuning-free yet state-of-the-art data
 * augmentation", ICCV 2021.
 *
 * @param bins the number of strengths, at least 2
 * @param interpolation the filter of geometric operations
 * @param fill the value of all channels of what comes from outside, 0 to 255
 * @param field the image's field
 */
public record TrivialAugment(int bins, Interpolation interpolation, int fill, String field)
    implements Transform {
  /** Checks the ranges. */
  public TrivialAugment {
    ImageField.check(bins >= 2, "bins", bins, ">= 2");
    Objects.requireNonNull(interpolation, "interpolation");
    ImageField.check(fill >= 0 && fill <= 255, "fill", fill, "0 to 255");
    Objects.requireNonNull(field, "field");
  }

  /** With torchvision's 31 strengths, nearest pixel, black outside, the field "image". */
  public static TrivialAugment of() {
    return new TrivialAugment(31, Interpolation.NEAREST, 0, "image");
  }

  @Override
  public Schema output(Schema input) {
    ImageField.of(input, field, "trivial_augment");
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
    AugmentOp op = AugmentOp.of(random.nextInt(AugmentOp.count()));
    double magnitude = magnitude(op, random.nextInt(bins), bins);
    boolean isNegative = random.nextInt(2) == 1;
    pixels.read(sample.value(slot));
    op.apply(pixels, op.isSigned && isNegative ? -magnitude : magnitude, tools);
    pixels.write(sample.value(slot));
  }

  static double magnitude(AugmentOp op, int bin, int bins) {
    double share = bin / (bins - 1.0);
    return switch (op) {
      case IDENTITY, AUTOCONTRAST, EQUALIZE -> 0;
      case TRANSLATE_X, TRANSLATE_Y -> 32 * share;
      case ROTATE -> 135 * share;
      case POSTERIZE -> 8 - (int) Math.rint(6 * share);
      case SOLARIZE -> 255 * (1 - share);
      case SHEAR_X, SHEAR_Y, BRIGHTNESS, COLOR, CONTRAST, SHARPNESS -> 0.99 * share;
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
