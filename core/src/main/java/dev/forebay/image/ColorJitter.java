package dev.forebay.image;

import dev.forebay.memory.Schema;
import dev.forebay.transform.Randomness;
import dev.forebay.transform.Sample;
import dev.forebay.transform.Transform;
import java.util.Objects;

/**
 * Changes brightness, contrast, saturation and hue by random factors and in a random order, as
 * torchvision's {@code ColorJitter}. A range of one neutral value leaves its property alone.
 *
 * @param brightness factors, at least 0; 1 is neutral
 * @param contrast factors, at least 0; 1 is neutral
 * @param saturation factors, at least 0; 1 is neutral
 * @param hue turns of the full circle, -0.5 to 0.5; 0 is neutral
 * @param field the image's field
 */
public record ColorJitter(
    Range brightness, Range contrast, Range saturation, Range hue, String field)
    implements Transform {
  private static final int PROPERTIES = 4;

  /** Checks the ranges. */
  public ColorJitter {
    Objects.requireNonNull(field, "field");
    ImageField.check(brightness.min() >= 0, "brightness", brightness, ">= 0");
    ImageField.check(contrast.min() >= 0, "contrast", contrast, ">= 0");
    ImageField.check(saturation.min() >= 0, "saturation", saturation, ">= 0");
    ImageField.check(hue.min() >= -0.5 && hue.max() <= 0.5, "hue", hue, "-0.5 to 0.5");
  }

  /**
   * Factors around the neutral ones, for the field "image".
   *
   * @param brightness the largest distance from 1, at least 0; factors stay at least 0
   * @param contrast likewise
   * @param saturation likewise
   * @param hue the largest distance from 0, 0 to 0.5
   */
  public static ColorJitter of(double brightness, double contrast, double saturation, double hue) {
    return new ColorJitter(
        factors("brightness", brightness),
        factors("contrast", contrast),
        factors("saturation", saturation),
        Range.around(0, hue),
        "image");
  }

  private static Range factors(String what, double distance) {
    ImageField.check(distance >= 0, what, distance, ">= 0");
    return new Range(Math.max(0, 1 - distance), 1 + distance);
  }

  @Override
  public Schema output(Schema input) {
    ImageField.of(input, field, "color_jitter");
    return input;
  }

  @Override
  public Step open(Schema input) {
    int slot = input.slot(field);
    Pixels pixels = new Pixels();
    int[] order = new int[PROPERTIES];
    return sample -> apply(sample, slot, pixels, order);
  }

  private void apply(Sample sample, int slot, Pixels pixels, int[] order) {
    Randomness random = sample.random();
    shuffle(random, order);
    double byBrightness = draw(random, brightness);
    double byContrast = draw(random, contrast);
    double bySaturation = draw(random, saturation);
    double byHue = draw(random, hue);
    pixels.read(sample.value(slot));
    for (int property : order) {
      switch (property) {
        case 0 -> {
          if (byBrightness != 1) {
            ColorOps.brightness(pixels, byBrightness);
          }
        }
        case 1 -> {
          if (byContrast != 1) {
            ColorOps.contrast(pixels, byContrast);
          }
        }
        case 2 -> {
          if (bySaturation != 1) {
            ColorOps.saturation(pixels, bySaturation);
          }
        }
        default -> {
          if (hue.min() != 0 || hue.max() != 0) {
            ColorOps.hue(pixels, byHue);
          }
        }
      }
    }
    pixels.write(sample.value(slot));
  }

  private static double draw(Randomness random, Range range) {
    return random.nextDouble(range.min(), range.max());
  }

  private static void shuffle(Randomness random, int[] order) {
    for (int i = 0; i < PROPERTIES; i++) {
      int place = random.nextInt(i + 1);
      order[i] = order[place];
      order[place] = i;
    }
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
