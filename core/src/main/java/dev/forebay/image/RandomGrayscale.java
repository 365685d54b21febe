package dev.forebay.image;

import dev.forebay.memory.Schema;
import dev.forebay.transform.Transform;
import java.util.Objects;

/**
 * Replaces colours by their luminance with a given probability, keeping the number of channels, as
 * torchvision's {@code RandomGrayscale}.
 *
 * @param p the probability, 0 to 1
 * @param field the image's field
 */
public record RandomGrayscale(double p, String field) implements Transform {
  /** Checks the range. */
  public RandomGrayscale {
    ImageField.check(p >= 0 && p <= 1, "p", p, "0 to 1");
    Objects.requireNonNull(field, "field");
  }

  /** For the field "image". */
  public static RandomGrayscale of(double p) {
    return new RandomGrayscale(p, "image");
  }

  @Override
  public Schema output(Schema input) {
    ImageField.of(input, field, "random_grayscale");
    return input;
  }

  @Override
  public Step open(Schema input) {
    int slot = input.slot(field);
    Pixels pixels = new Pixels();
    return sample -> {
      boolean isGray = sample.random().nextBoolean(p);
      pixels.read(sample.value(slot));
      if (isGray) {
        ColorOps.grayscale(pixels);
      }
      pixels.write(sample.value(slot));
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
