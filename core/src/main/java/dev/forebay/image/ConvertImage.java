package dev.forebay.image;

import dev.forebay.memory.DType;
import dev.forebay.memory.Schema;
import dev.forebay.transform.Transform;
import java.util.Objects;

/**
 * Changes type and layout of a uint8 image: to a floating type by value / 255 (torchvision's {@code
 * ToTensor}), to uint8 without a change of value.
 *
 * @param dtype UINT8, FLOAT32, FLOAT16 or BFLOAT16
 * @param layout the order of the axes
 * @param field the image's field
 */
public record ConvertImage(DType dtype, Layout layout, String field) implements Transform {
  /** Checks the type. */
  public ConvertImage {
    Objects.requireNonNull(layout, "layout");
    Objects.requireNonNull(field, "field");
    ImageField.check(
        dtype == DType.UINT8 || PixelFormat.isFloating(dtype),
        "dtype",
        dtype,
        "uint8, float32, float16 or bfloat16");
  }

  /** Converts the field "image". */
  public static ConvertImage of(DType dtype, Layout layout) {
    return new ConvertImage(dtype, layout, "image");
  }

  @Override
  public Schema output(Schema input) {
    ImageField.of(input, field, "convert_image");
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
    for (float[] table : tables) {
      for (int value = 0; value < 256; value++) {
        table[value] = dtype == DType.UINT8 ? value : value / 255f;
      }
    }
    return new PixelFormat(tables, dtype, layout);
  }

  @Override
  public String writes() {
    return field;
  }
}
