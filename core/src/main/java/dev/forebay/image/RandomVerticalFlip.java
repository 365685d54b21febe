package dev.forebay.image;

import dev.forebay.memory.Schema;
import dev.forebay.transform.Transform;
import java.util.Objects;

/**
 * Exchanges top and bottom of an image, with a given probability.
 *
 * @param p the probability, 0 to 1
 * @param field the image's field
 */
public record RandomVerticalFlip(double p, String field) implements Transform {
  /** Checks the range. */
  public RandomVerticalFlip {
    ImageField.check(p >= 0 && p <= 1, "p", p, "0 to 1");
    Objects.requireNonNull(field, "field");
  }

  /** Flips the field "image". */
  public static RandomVerticalFlip of(double p) {
    return new RandomVerticalFlip(p, "image");
  }

  @Override
  public Schema output(Schema input) {
    ImageField.of(input, field, "random_vertical_flip");
    return input;
  }

  @Override
  public Step open(Schema input) {
    return new Flip(p, Flip.Axis.VERTICAL, input.slot(field));
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
