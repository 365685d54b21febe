package dev.forebay.image;

import dev.forebay.memory.Schema;
import dev.forebay.transform.Transform;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Exchanges left and right of an image, with a given probability.
 *
 * @param p the probability, 0 to 1
 * @param field the image's field
 */
public record RandomHorizontalFlip(double p, String field) implements Transform {
  /** Checks the range. */
  public RandomHorizontalFlip {
    ImageField.check(p >= 0 && p <= 1, "p", p, "0 to 1");
    Objects.requireNonNull(field, "field");
  }

  /** Flips the field "image". */
  public static RandomHorizontalFlip of(double p) {
    return new RandomHorizontalFlip(p, "image");
  }

  @Override
  public Schema output(Schema input) {
    ImageField.of(input, field, "random_horizontal_flip");
    return input;
  }

  @Override
  public Step open(Schema input) {
    return new Flip(p, Flip.Axis.HORIZONTAL, input.slot(field));
  }

  @Override
  public @Nullable Fusion fuse(Schema input, List<Transform> following) {
    return ImageFusion.of(this, field, input, following);
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
