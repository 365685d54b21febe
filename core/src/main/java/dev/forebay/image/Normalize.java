package dev.forebay.image;

import dev.forebay.memory.DType;
import dev.forebay.memory.Schema;
import dev.forebay.transform.Transform;
import java.util.List;
import java.util.Objects;

/**
 * Makes numbers for a model out of a uint8 image: (value / 255 - mean) / deviation for each
 * channel, in float32 as torchvision's {@code ToTensor} and {@code Normalize} compute it, then
 * rounded to the type wanted (to nearest, ties to even).
 *
 * @param mean for each channel, or one for all
 * @param std the deviation for each channel, or one for all; above 0
 * @param dtype FLOAT32, FLOAT16 or BFLOAT16
 * @param layout the order of the axes
 * @param field the image's field
 */
public record Normalize(List<Float> mean, List<Float> std, DType dtype, Layout layout, String field)
    implements Transform {
  /** Checks the values. */
  public Normalize {
    mean = List.copyOf(mean);
    std = List.copyOf(std);
    Objects.requireNonNull(layout, "layout");
    Objects.requireNonNull(field, "field");
    ImageField.check(mean.size() == 1 || mean.size() == 3, "mean", mean, "1 or 3 numbers");
    ImageField.check(std.size() == mean.size(), "std", std, "as many numbers as mean");
    ImageField.check(mean.stream().allMatch(Float::isFinite), "mean", mean, "finite");
    ImageField.check(
        std.stream().allMatch(deviation -> deviation > 0 && Float.isFinite(deviation)),
        "std",
        std,
        "above 0");
    ImageField.check(PixelFormat.isFloating(dtype), "dtype", dtype, "float32, float16 or bfloat16");
  }

  /** The field "image" as float32 in NCHW. */
  public static Normalize of(float[] mean, float[] std) {
    return new Normalize(listOf(mean), listOf(std), DType.FLOAT32, Layout.NCHW, "image");
  }

  /** With the mean and deviation of ImageNet: 0.485, 0.456, 0.406 and 0.229, 0.224, 0.225. */
  public static Normalize imagenet() {
    return of(new float[] {0.485f, 0.456f, 0.406f}, new float[] {0.229f, 0.224f, 0.225f});
  }

  private static List<Float> listOf(float[] numbers) {
    Float[] boxed = new Float[numbers.length];
    for (int i = 0; i < numbers.length; i++) {
      boxed[i] = numbers[i];
    }
    return List.of(boxed);
  }

  @Override
  public Schema output(Schema input) {
    long channels = ImageField.of(input, field, "normalize").shape().dim(2);
    if (mean.size() != 1 && mean.size() != channels) {
      throw new IllegalArgumentException(
          "normalize has %d means, but field '%s' has %d channels"
              .formatted(mean.size(), field, channels));
    }
    return PixelFormat.output(input, field, dtype, layout);
  }

  @Override
  public Step open(Schema input) {
    return new ImagePass(ImagePass.Work.of(format(input)), input.slot(field));
  }

  /** What it makes of pixels. */
  PixelFormat format(Schema input) {
    int channels = (int) input.field(input.slot(field)).shape().dim(2);
    float[][] tables = new float[channels][256];
    for (int channel = 0; channel < channels; channel++) {
      float center = mean.get(mean.size() == 1 ? 0 : channel);
      float deviation = std.get(std.size() == 1 ? 0 : channel);
      for (int value = 0; value < 256; value++) {
        tables[channel][value] = (value / 255f - center) / deviation;
      }
    }
    return new PixelFormat(tables, dtype, layout);
  }

  @Override
  public String writes() {
    return field;
  }
}
