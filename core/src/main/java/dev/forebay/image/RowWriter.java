package dev.forebay.image;

import dev.forebay.memory.DType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Puts finished rows of an image into their final type and layout. Confined to one worker. */
final class RowWriter {
  private final PixelFormat format;
  private float[] floatLine = new float[0];
  private short[] halfLine = new short[0];
  private byte[] byteLine = new byte[0];

  private MemorySegment into = MemorySegment.NULL;
  private long at;
  private int height;
  private int width;
  private int channels;

  RowWriter(PixelFormat format) {
    this.format = format;
  }

  /** Begins an image of that size, which is put there. */
  void start(MemorySegment into, long at, int height, int width, int channels) {
    this.into = into;
    this.at = at;
    this.height = height;
    this.width = width;
    this.channels = channels;
    int elements = width * channels;
    DType dtype = format.dtype();
    if (dtype == DType.FLOAT32 && floatLine.length < elements) {
      floatLine = new float[elements];
    } else if (dtype == DType.UINT8 && byteLine.length < elements) {
      byteLine = new byte[elements];
    } else if (dtype.bytes() == Short.BYTES && halfLine.length < elements) {
      halfLine = new short[elements];
    }
  }

  /** Puts row {@code y}; mirrors it, in place, if need be. */
  void put(byte[] row, int y, boolean isMirrored) {
    if (isMirrored) {
      mirror(row, width, channels);
    }
    int elements = width * channels;
    long place = at + (long) y * elements * format.dtype().bytes();
    if (format.isRaw()) {
      MemorySegment.copy(row, 0, into, ValueLayout.JAVA_BYTE, place, elements);
    } else if (format.isPlanar()) {
      for (int channel = 0; channel < channels; channel++) {
        long plane = ((long) channel * height + y) * width;
        look(row, channel, 0, 1);
        copy(at + plane * format.dtype().bytes(), width);
      }
    } else {
      for (int channel = 0; channel < channels; channel++) {
        look(row, channel, channel, channels);
      }
      copy(place, elements);
    }
  }

  static void mirror(byte[] line, int width, int channels) {
    int left = 0;
    int right = (width - 1) * channels;
    while (left < right) {
      for (int channel = 0; channel < channels; channel++) {
        byte kept = line[left + channel];
        line[left + channel] = line[right + channel];
        line[right + channel] = kept;
      }
      left += channels;
      right -= channels;
    }
  }

  /** Looks the row's values of one channel up. */
  private void look(byte[] row, int channel, int to, int toStep) {
    switch (format.dtype()) {
      case FLOAT32 -> {
        float[] table = format.floats(channel);
        for (int x = 0; x < width; x++) {
          floatLine[to + x * toStep] = table[row[channel + x * channels] & 0xFF];
        }
      }
      case UINT8 -> {
        byte[] table = format.bytes(channel);
        for (int x = 0; x < width; x++) {
          byteLine[to + x * toStep] = table[row[channel + x * channels] & 0xFF];
        }
      }
      default -> {
        short[] table = format.halves(channel);
        for (int x = 0; x < width; x++) {
          halfLine[to + x * toStep] = table[row[channel + x * channels] & 0xFF];
        }
      }
    }
  }

  private void copy(long place, int elements) {
    switch (format.dtype()) {
      case FLOAT32 ->
          MemorySegment.copy(floatLine, 0, into, ValueLayout.JAVA_FLOAT_UNALIGNED, place, elements);
      case UINT8 -> MemorySegment.copy(byteLine, 0, into, ValueLayout.JAVA_BYTE, place, elements);
      default ->
          MemorySegment.copy(halfLine, 0, into, ValueLayout.JAVA_SHORT_UNALIGNED, place, elements);
    }
  }
}
