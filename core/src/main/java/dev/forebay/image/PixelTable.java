package dev.forebay.image;

import dev.forebay.memory.DType;
import dev.forebay.memory.Field;
import dev.forebay.memory.Schema;
import dev.forebay.memory.Shape;
import dev.forebay.transform.Sample;
import dev.forebay.transform.Transform;
import dev.forebay.transform.Value;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * The step that gives each of the 256 values of each channel a number, in another type and layout.
 * A table makes the arithmetic exact and free.
 */
final class PixelTable implements Transform.Step {
  private final DType dtype;
  private final Layout layout;
  private final int slot;
  private final float[][] floats;
  private final short[][] halves;
  private final byte[][] bytes;

  private byte[] row = new byte[0];
  private float[] floatLine = new float[0];
  private short[] halfLine = new short[0];
  private byte[] byteLine = new byte[0];

  PixelTable(float[][] tables, DType dtype, Layout layout, int slot) {
    this.dtype = dtype;
    this.layout = layout;
    this.slot = slot;
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

  @Override
  public void apply(Sample sample) {
    Value value = sample.value(slot);
    MemorySegment from = value.segment();
    long offset = value.offset();
    int height = (int) value.dim(0);
    int width = (int) value.dim(1);
    int channels = (int) value.dim(2);
    int rowBytes = width * channels;
    boolean isPlanar = layout == Layout.NCHW;
    MemorySegment into =
        isPlanar
            ? value.write(dtype, channels, height, width)
            : value.write(dtype, height, width, channels);
    makeRoom(rowBytes);
    long elementBytes = dtype.bytes();
    for (int y = 0; y < height; y++) {
      MemorySegment.copy(
          from, ValueLayout.JAVA_BYTE, offset + (long) y * rowBytes, row, 0, rowBytes);
      if (isPlanar) {
        for (int channel = 0; channel < channels; channel++) {
          long at = ((long) channel * height + y) * width;
          look(channel, channels, width, 0, 1);
          put(into, value.offset() + at * elementBytes, width);
        }
      } else {
        for (int channel = 0; channel < channels; channel++) {
          look(channel, channels, width, channel, channels);
        }
        put(into, value.offset() + (long) y * rowBytes * elementBytes, rowBytes);
      }
    }
  }

  private void makeRoom(int elements) {
    if (row.length < elements) {
      row = new byte[elements];
      floatLine = new float[dtype == DType.FLOAT32 ? elements : 0];
      halfLine = new short[dtype == DType.FLOAT16 || dtype == DType.BFLOAT16 ? elements : 0];
      byteLine = new byte[dtype == DType.UINT8 ? elements : 0];
    }
  }

  /** Looks the row's values of one channel up. */
  private void look(int channel, int step, int count, int to, int toStep) {
    switch (dtype) {
      case FLOAT32 -> {
        float[] table = floats[channel];
        for (int i = 0; i < count; i++) {
          floatLine[to + i * toStep] = table[row[channel + i * step] & 0xFF];
        }
      }
      case UINT8 -> {
        byte[] table = bytes[channel];
        for (int i = 0; i < count; i++) {
          byteLine[to + i * toStep] = table[row[channel + i * step] & 0xFF];
        }
      }
      default -> {
        short[] table = halves[channel];
        for (int i = 0; i < count; i++) {
          halfLine[to + i * toStep] = table[row[channel + i * step] & 0xFF];
        }
      }
    }
  }

  private void put(MemorySegment into, long at, int elements) {
    switch (dtype) {
      case FLOAT32 ->
          MemorySegment.copy(floatLine, 0, into, ValueLayout.JAVA_FLOAT_UNALIGNED, at, elements);
      case UINT8 -> MemorySegment.copy(byteLine, 0, into, ValueLayout.JAVA_BYTE, at, elements);
      default ->
          MemorySegment.copy(halfLine, 0, into, ValueLayout.JAVA_SHORT_UNALIGNED, at, elements);
    }
  }
}
