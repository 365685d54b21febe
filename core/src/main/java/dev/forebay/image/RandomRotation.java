package dev.forebay.image;

import dev.forebay.memory.Schema;
import dev.forebay.transform.Sample;
import dev.forebay.transform.Transform;
import java.util.Objects;

/**
 * Turns an image around its middle by a random angle, keeping its size, as torchvision's {@code
 * RandomRotation}.
 *
 * @param degrees the angles, counter-clockwise
 * @param interpolation the filter
 * @param fill the value of all channels of what comes from outside, 0 to 255
 * @param field the image's field
 */
public record RandomRotation(Range degrees, Interpolation interpolation, int fill, String field)
    implements Transform {
  /** Checks the ranges. */
  public RandomRotation {
    Objects.requireNonNull(degrees, "degrees");
    Objects.requireNonNull(interpolation, "interpolation");
    ImageField.check(fill >= 0 && fill <= 255, "fill", fill, "0 to 255");
    Objects.requireNonNull(field, "field");
  }

  /** By at most that many degrees in either direction, nearest pixel, the field "image". */
  public static RandomRotation of(double degrees) {
    return new RandomRotation(Range.around(0, degrees), Interpolation.NEAREST, 0, "image");
  }

  @Override
  public Schema output(Schema input) {
    ImageField.of(input, field, "random_rotation");
    return input;
  }

  @Override
  public Step open(Schema input) {
    int slot = input.slot(field);
    Pixels pixels = new Pixels();
    AffineMap map = new AffineMap();
    return sample -> apply(sample, slot, pixels, map);
  }

  private void apply(Sample sample, int slot, Pixels pixels, AffineMap map) {
    double angle = sample.random().nextDouble(degrees.min(), degrees.max());
    pixels.read(sample.value(slot));
    map.setRotation(angle, pixels.height, pixels.width);
    map.apply(pixels, interpolation, fill);
    pixels.write(sample.value(slot));
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
