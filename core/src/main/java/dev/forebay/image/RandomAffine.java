package dev.forebay.image;

import dev.forebay.memory.Schema;
import dev.forebay.transform.Randomness;
import dev.forebay.transform.Sample;
import dev.forebay.transform.Transform;
import java.util.Objects;

/**
 * Turns, moves, scales and shears an image around its middle at random, keeping its size, as
 * torchvision's {@code RandomAffine}.
 *
 * @param change the ranges of what is drawn
 * @param interpolation the filter
 * @param fill the value of all channels of what comes from outside, 0 to 255
 * @param field the image's field
 */
public record RandomAffine(Change change, Interpolation interpolation, int fill, String field)
    implements Transform {

  /**
   * What is drawn.
   *
   * @param degrees the angle, clockwise as torchvision has it here
   * @param translateX the largest move along a row, as a share of the width, 0 to 1
   * @param translateY the largest move along a column, as a share of the height, 0 to 1
   * @param scale the factor, above 0
   * @param shearX the shear along a row, in degrees
   * @param shearY the shear along a column, in degrees
   */
  public record Change(
      Range degrees,
      double translateX,
      double translateY,
      Range scale,
      Range shearX,
      Range shearY) {
    /** Checks the ranges. */
    public Change {
      Objects.requireNonNull(degrees, "degrees");
      ImageField.check(translateX >= 0 && translateX <= 1, "translate", translateX, "0 to 1");
      ImageField.check(translateY >= 0 && translateY <= 1, "translate", translateY, "0 to 1");
      ImageField.check(scale.min() > 0, "scale", scale, "above 0");
      ImageField.check(shearX.min() > -90 && shearX.max() < 90, "shear", shearX, "-90 to 90");
      ImageField.check(shearY.min() > -90 && shearY.max() < 90, "shear", shearY, "-90 to 90");
    }

    /** A rotation by at most that many degrees in either direction; change the rest with care. */
    public static Change rotation(double degrees) {
      Range none = Range.of(0);
      return new Change(Range.around(0, degrees), 0, 0, Range.of(1), none, none);
    }
  }

  /** Checks the ranges. */
  public RandomAffine {
    Objects.requireNonNull(change, "change");
    Objects.requireNonNull(interpolation, "interpolation");
    ImageField.check(fill >= 0 && fill <= 255, "fill", fill, "0 to 255");
    Objects.requireNonNull(field, "field");
  }

  /** Nearest pixel, black outside, the field "image". */
  public static RandomAffine of(Change change) {
    return new RandomAffine(change, Interpolation.NEAREST, 0, "image");
  }

  @Override
  public Schema output(Schema input) {
    ImageField.of(input, field, "random_affine");
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
    pixels.read(sample.value(slot));
    draw(sample.random(), pixels, map.start());
    map.compute(pixels.width * 0.5, pixels.height * 0.5);
    map.apply(pixels, interpolation, fill);
    pixels.write(sample.value(slot));
  }

  private void draw(Randomness random, Pixels pixels, AffineMap map) {
    double moveX = change.translateX * pixels.width;
    double moveY = change.translateY * pixels.height;
    map.degrees = draw(random, change.degrees);
    map.translateX = Math.rint(random.nextDouble(-moveX, moveX));
    map.translateY = Math.rint(random.nextDouble(-moveY, moveY));
    map.scale = draw(random, change.scale);
    map.shearXDegrees = draw(random, change.shearX);
    map.shearYDegrees = draw(random, change.shearY);
  }

  private static double draw(Randomness random, Range range) {
    return random.nextDouble(range.min(), range.max());
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
