package dev.forebay.image;

import dev.forebay.memory.DType;
import dev.forebay.memory.Field;
import dev.forebay.memory.Schema;
import dev.forebay.memory.Shape;
import dev.forebay.transform.Value;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * What becomes of finished pixels: a number for each of the 256 values of each channel, a type and
 * a layout. A table makes the arithmetic exact and free. Immutable.
 */
final class PixelFormat {
  /** Pixels as they are. */
  static final PixelFormat RAW = new PixelFormat(new float[0][], DType.UINT8, Layout.NHWC);

  private final float[][] floats;
  private final short[][] halves;
  private final byte[][] bytes;
  private final DType dtype;
  private final Layout layout;

  /**
   * A format.
   *
   * @param tables for each channel, what each value becomes
   * @param dtype UINT8, FLOAT32, FLOAT16 or BFLOAT16
   */
  PixelFormat(float[][] tables, DType dtype, Layout layout) {
    this.dtype = dtype;
    this.layout = layout;
    this.floats = tables;
    this.halves = new short[tables.length][256];
    this.bytes = new byte[tables.length][256];
    for (int channel = 0; channel < tables.length; channel++) {
      for (int value = 0; value < 256; value++) {
        float number = tables[channel][value];
        halves[channel][value] =
            dtype == DType.BFLOAT16 ? bfloat16(number) : Float.floatToFloat16(number);
        bytes[channel][value] = (byte) number;
      }
    }
  }

  static boolean isFloating(DType dtype) {
    return dtype == DType.FLOAT32 || dtype == DType.FLOAT16 || dtype == DType.BFLOAT16;
  }

  /** The upper half of a float32, rounded to nearest, ties to even. */
  static short bfloat16(float number) {
    int bits = Float.floatToRawIntBits(number);
    return (short) ((bits + 0x7FFF + ((bits >>> 16) & 1)) >>> 16);
  }

  static Schema output(Schema input, String name, DType dtype, Layout layout) {
    int slot = input.slot(name);
    Shape in = input.field(slot).shape();
    Shape out = layout == Layout.NHWC ? in : Shape.of(in.dim(2), in.dim(0), in.dim(1));
    return input.with(slot, Field.tensor(name, dtype, out));
  }

  /** True if pixels stay as they are. */
  boolean isRaw() {
    return floats.length == 0;
  }

  DType dtype() {
    return dtype;
  }

  boolean isPlanar() {
    return layout == Layout.NCHW;
  }

  float[] floats(int channel) {
    return floats[channel];
  }

  short[] halves(int channel) {
    return halves[channel];
  }

  byte[] bytes(int channel) {
    return bytes[channel];
  }

  /** The size of all tables, one after the other, in the type of the result. */
  long tableBytes() {
    return 256L * floats.length * dtype.bytes();
  }

  /** Writes the tables there. */
  void putTables(MemorySegment into) {
    for (int channel = 0; channel < floats.length; channel++) {
      long at = 256L * channel * dtype.bytes();
      switch (dtype) {
        case FLOAT32 ->
            MemorySegment.copy(floats[channel], 0, into, ValueLayout.JAVA_FLOAT, at, 256);
        case UINT8 -> MemorySegment.copy(bytes[channel], 0, into, ValueLayout.JAVA_BYTE, at, 256);
        default -> MemorySegment.copy(halves[channel], 0, into, ValueLayout.JAVA_SHORT, at, 256);
      }
    }
  }

  /** Makes the value an image of that size in this format, and returns its place. */
  MemorySegment write(Value value, int height, int width, int channels) {
    return isPlanar()
        ? value.write(dtype, channels, height, width)
        : value.write(dtype, height, width, channels);
  }
}
