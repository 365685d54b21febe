package dev.forebay.image;

import dev.forebay.memory.DType;
import dev.forebay.memory.Schema;
import dev.forebay.transform.Randomness;
import dev.forebay.transform.Sample;
import dev.forebay.transform.Transform;
import dev.forebay.transform.Value;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * Cuts a random part out of an image and resizes it, as torchvision's {@code RandomResizedCrop}
 * does.
 *
 * @param height rows of the result
 * @param width columns of the result
 * @param scale the share of the image's area that the part has
 * @param ratio the part's width divided by its height
 * @param interpolation the filter
 * @param field the image's field
 */
public record RandomResizedCrop(
    int height, int width, Range scale, Range ratio, Interpolation interpolation, String field)
    implements Transform {
  private static final int TRIES = 10;

  /** Checks the ranges. */
  public RandomResizedCrop {
    Objects.requireNonNull(interpolation, "interpolation");
    Objects.requireNonNull(field, "field");
    ImageField.check(height >= 1, "height", height, ">= 1");
    ImageField.check(width >= 1, "width", width, ">= 1");
    ImageField.check(scale.min() > 0 && scale.max() <= 1, "scale", scale, "> 0 and <= 1");
    ImageField.check(ratio.min() > 0, "ratio", ratio, "> 0");
  }

  /** Square, from the field "image", with torchvision's defaults. */
  public static RandomResizedCrop of(int size) {
    return new RandomResizedCrop(
        size,
        size,
        new Range(0.08, 1),
        new Range(3.0 / 4, 4.0 / 3),
        Interpolation.BILINEAR,
        "image");
  }

  @Override
  public Schema output(Schema input) {
    return ImageField.resized(input, field, "random_resized_crop", height, width);
  }

  @Override
  public Step open(Schema input) {
    return new Cropper(this, input.slot(field));
  }

  @Override
  public boolean isRandom() {
    return true;
  }

  @Override
  public String writes() {
    return field;
  }

  /** The step; its fields hold the part that was drawn last. */
  static final class Cropper implements Step {
    private final RandomResizedCrop settings;
    private final int slot;
    private final Resampler resampler = new Resampler();
    int top;
    int left;
    int partHeight;
    int partWidth;

    Cropper(RandomResizedCrop settings, int slot) {
      this.settings = settings;
      this.slot = slot;
    }

    @Override
    public void apply(Sample sample) {
      Value value = sample.value(slot);
      int channels = (int) value.dim(2);
      long rowBytes = value.dim(1) * channels;
      draw(sample.random(), (int) value.dim(0), (int) value.dim(1));
      long start = value.offset() + top * rowBytes + (long) left * channels;
      Resampler.Window window =
          new Resampler.Window(value.segment(), start, rowBytes, channels, partHeight, partWidth);
      MemorySegment place = value.write(DType.UINT8, settings.height, settings.width, channels);
      resampler.resize(
          window, settings.height, settings.width, settings.interpolation, place, value.offset());
    }

    /** Draws a part; after ten that do not fit, the largest in the middle that does. */
    void draw(Randomness random, int height, int width) {
      double area = (double) height * width;
      double logMin = StrictMath.log(settings.ratio.min());
      double logMax = StrictMath.log(settings.ratio.max());
      for (int attempt = 0; attempt < TRIES; attempt++) {
        double target = area * random.nextDouble(settings.scale.min(), settings.scale.max());
        double aspect = StrictMath.exp(random.nextDouble(logMin, logMax));
        partWidth = (int) Math.rint(Math.sqrt(target * aspect));
        partHeight = (int) Math.rint(Math.sqrt(target / aspect));
        if (partWidth > 0 && partWidth <= width && partHeight > 0 && partHeight <= height) {
          top = random.nextInt(height - partHeight + 1);
          left = random.nextInt(width - partWidth + 1);
          return;
        }
      }
      double inRatio = (double) width / height;
      partWidth = width;
      partHeight = height;
      if (inRatio < settings.ratio.min()) {
        partHeight = Math.clamp((long) Math.rint(width / settings.ratio.min()), 1, height);
      } else if (inRatio > settings.ratio.max()) {
        partWidth = Math.clamp((long) Math.rint(height * settings.ratio.max()), 1, width);
      }
      top = (height - partHeight) / 2;
      left = (width - partWidth) / 2;
    }
  }
}
