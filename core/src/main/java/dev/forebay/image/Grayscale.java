package dev.forebay.image;

import dev.forebay.memory.DType;
import dev.forebay.memory.Field;
import dev.forebay.memory.Schema;
import dev.forebay.memory.Shape;
import dev.forebay.transform.Transform;
import dev.forebay.transform.Value;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Objects;

/**
 * Replaces colours by their luminance, as torchvision's {@code Grayscale}.
 *
 * @param channels of the result, 1 or 3 (equal ones)
 * @param field the image's field
 */
public record Grayscale(int channels, String field) implements Transform {
  /** Checks the number. */
  public Grayscale {
    ImageField.check(channels == 1 || channels == 3, "channels", channels, "1 or 3");
    Objects.requireNonNull(field, "field");
  }

  /** For the field "image". */
  public static Grayscale of(int channels) {
    return new Grayscale(channels, "image");
  }

  @Override
  public Schema output(Schema input) {
    Shape shape = ImageField.of(input, field, "grayscale").shape();
    Shape gray = Shape.of(shape.dim(0), shape.dim(1), channels);
    return input.with(input.slot(field), Field.tensor(field, DType.UINT8, gray));
  }

  @Override
  public Step open(Schema input) {
    int slot = input.slot(field);
    Pixels pixels = new Pixels();
    return sample -> apply(sample.value(slot), pixels);
  }

  private void apply(Value value, Pixels pixels) {
    pixels.read(value);
    if (channels == pixels.channels) {
      ColorOps.grayscale(pixels);
      pixels.write(value);
      return;
    }
    MemorySegment place = value.write(DType.UINT8, pixels.height, pixels.width, channels);
    long at = value.offset();
    for (int from = 0; from < pixels.count(); from += pixels.channels) {
      byte gray = channels == 1 ? (byte) ColorOps.luminance(pixels.data, from) : pixels.data[from];
      for (int channel = 0; channel < channels; channel++) {
        place.set(ValueLayout.JAVA_BYTE, at++, gray);
      }
    }
  }

  @Override
  public String writes() {
    return field;
  }
}
