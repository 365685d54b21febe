package dev.forebay.image;

import dev.forebay.memory.DType;
import dev.forebay.memory.Field;
import dev.forebay.memory.Schema;
import dev.forebay.transform.Randomness;
import dev.forebay.transform.Sample;
import dev.forebay.transform.Transform;
import dev.forebay.transform.Value;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Objects;

/**
 * Erases a random rectangle with a given probability, as torchvision's {@code RandomErasing}. Comes
 * behind {@code normalize} as a rule; works on uint8 images, too.
 *
 * <p>Source: Z. Zhong, L. Zheng, G. Kang, S. Li, Y. Yang, "Random erasing data augmentation", AAAI
 * 2020.
 *
 * @param p the probability, 0 to 1
 * @param scale the share of the image's area that is erased
 * @param ratio the rectangle's height divided by its width
 * @param fill what is written
 * @param field the image's field: uint8 in NHWC, or a floating type in NCHW or NHWC
 */
public record RandomErasing(double p, Range scale, Range ratio, Fill fill, String field)
    implements Transform {
  private static final int TRIES = 10;

  /** What is written over a rectangle. */
  public sealed interface Fill {
    /** A value for all channels, or one for each. */
    record Constant(List<Float> values) implements Fill {
      /** Copies the list. */
      public Constant {
        values = List.copyOf(values);
        ImageField.check(values.size() == 1 || values.size() == 3, "value", values, "1 or 3");
      }
    }

    /** Normally distributed numbers, mean 0 and deviation 1; not for uint8. */
    record Noise() implements Fill {}
  }

  /** Checks the ranges. */
  public RandomErasing {
    ImageField.check(p >= 0 && p <= 1, "p", p, "0 to 1");
    ImageField.check(scale.min() >= 0 && scale.max() <= 1, "scale", scale, "0 to 1");
    ImageField.check(ratio.min() > 0, "ratio", ratio, "above 0");
    Objects.requireNonNull(fill, "fill");
    Objects.requireNonNull(field, "field");
  }

  /** Writes 0, with torchvision's default sizes, in the field "image". */
  public static RandomErasing of(double p) {
    Fill zero = new Fill.Constant(List.of(0f));
    return new RandomErasing(p, new Range(0.02, 0.33), new Range(0.3, 3.3), zero, "image");
  }

  @Override
  public Schema output(Schema input) {
    layout(input);
    return input;
  }

  /** Which of the axes is the channel's; a floating image of 3 x H x 3 counts as NCHW. */
  private Layout layout(Schema input) {
    Field image = input.field(input.slot(field));
    boolean isFloating = PixelFormat.isFloating(image.dtype());
    if (image.shape().rank() == 3 && (isFloating || image.dtype() == DType.UINT8)) {
      if (isFloating && isChannels(image.shape().dim(0))) {
        return Layout.NCHW;
      }
      if (isChannels(image.shape().dim(2))) {
        ImageField.check(
            isFloating || fill instanceof Fill.Constant, "fill", fill, "a constant for uint8");
        return Layout.NHWC;
      }
    }
    throw new IllegalArgumentException(
        "random_erasing needs an image of 1 or 3 channels in field '%s', not %s of %s%s"
            .formatted(field, image.kind(), image.dtype(), image.shape()));
  }

  private static boolean isChannels(long extent) {
    return extent == 1 || extent == 3;
  }

  @Override
  public Step open(Schema input) {
    return new Eraser(this, input.slot(field), layout(input));
  }

  @Override
  public boolean isRandom() {
    return true;
  }

  @Override
  public String writes() {
    return field;
  }

  /** The step; its fields hold the rectangle that was drawn last. */
  static final class Eraser implements Step {
    private final RandomErasing settings;
    private final int slot;
    private final boolean isPlanar;
    int top;
    int left;
    int partHeight;
    int partWidth;

    Eraser(RandomErasing settings, int slot, Layout layout) {
      this.settings = settings;
      this.slot = slot;
      this.isPlanar = layout == Layout.NCHW;
    }

    @Override
    public void apply(Sample sample) {
      Value value = sample.value(slot);
      Randomness random = sample.random();
      MemorySegment from = value.segment();
      long offset = value.offset();
      long bytes = value.bytes();
      DType dtype = value.dtype();
      int height = (int) value.dim(isPlanar ? 1 : 0);
      int width = (int) value.dim(isPlanar ? 2 : 1);
      int channels = (int) value.dim(isPlanar ? 0 : 2);
      MemorySegment into = value.write(dtype, value.dim(0), value.dim(1), value.dim(2));
      MemorySegment.copy(from, offset, into, value.offset(), bytes);
      if (!random.nextBoolean(settings.p) || !draw(random, height, width)) {
        return;
      }
      for (int channel = 0; channel < channels; channel++) {
        for (int y = top; y < top + partHeight; y++) {
          for (int x = left; x < left + partWidth; x++) {
            long place =
                isPlanar
                    ? ((long) channel * height + y) * width + x
                    : ((long) y * width + x) * channels + channel;
            write(into, value.offset() + place * dtype.bytes(), dtype, next(random, channel));
          }
        }
      }
    }

    private float next(Randomness random, int channel) {
      return switch (settings.fill) {
        case Fill.Constant constant ->
            constant.values().get(constant.values().size() == 1 ? 0 : channel);
        case Fill.Noise _ -> (float) random.nextGaussian();
      };
    }

    private static void write(MemorySegment into, long at, DType dtype, float number) {
      switch (dtype) {
        case FLOAT32 -> into.set(ValueLayout.JAVA_FLOAT_UNALIGNED, at, number);
        case FLOAT16 ->
            into.set(ValueLayout.JAVA_SHORT_UNALIGNED, at, Float.floatToFloat16(number));
        case BFLOAT16 ->
            into.set(ValueLayout.JAVA_SHORT_UNALIGNED, at, PixelFormat.bfloat16(number));
        default -> into.set(ValueLayout.JAVA_BYTE, at, (byte) number);
      }
    }

    /** Draws a rectangle; false if ten tries gave none that fits. */
    boolean draw(Randomness random, int height, int width) {
      double area = (double) height * width;
      double logMin = StrictMath.log(settings.ratio.min());
      double logMax = StrictMath.log(settings.ratio.max());
      for (int attempt = 0; attempt < TRIES; attempt++) {
        double erased = area * random.nextDouble(settings.scale.min(), settings.scale.max());
        double aspect = StrictMath.exp(random.nextDouble(logMin, logMax));
        partHeight = (int) Math.rint(Math.sqrt(erased * aspect));
        partWidth = (int) Math.rint(Math.sqrt(erased / aspect));
        if (partHeight < height && partWidth < width) {
          top = random.nextInt(height - partHeight + 1);
          left = random.nextInt(width - partWidth + 1);
          return true;
        }
      }
      return false;
    }
  }
}
