package dev.forebay.image;

import dev.forebay.error.BadDataException;
import dev.forebay.memory.DType;
import dev.forebay.transform.Value;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/**
 * A decoded picture on the heap: rows from top to bottom, 1 (grey) or 3 (red, green, blue) bytes
 * per pixel. Confined to one worker, which reuses it from file to file.
 */
final class Pixels {
  private static final int KEPT_BYTES_MAX = 64 << 20;

  int width;
  int height;
  int channels;
  byte[] data = new byte[0];

  /**
   * Begins a picture, all black.
   *
   * @param pixelsMax what the caller allows
   */
  void start(long width, long height, int channels, long pixelsMax) {
    checkSize(width, height, pixelsMax);
    long bytes = width * height * channels;
    if (bytes > Integer.MAX_VALUE - 16) {
      throw new BadDataException(
          "a picture of %d x %d pixels is too large for this format".formatted(width, height));
    }
    this.width = (int) width;
    this.height = (int) height;
    this.channels = channels;
    if (data.length < bytes) {
      data = new byte[(int) bytes];
    } else {
      Arrays.fill(data, 0, (int) bytes, (byte) 0);
    }
  }

  /** Refuses a picture with no or too many pixels. */
  static void checkSize(long width, long height, long pixelsMax) {
    if (width < 1 || height < 1) {
      throw new BadDataException("the image has no pixels: %d x %d".formatted(width, height));
    }
    if (width > pixelsMax / height) {
      throw new BadDataException(
          "the image claims %d x %d pixels, more than pixelsMax=%d: a decompression bomb? raise pixelsMax if it is meant"
              .formatted(width, height, pixelsMax));
    }
  }

  int rowBytes() {
    return width * channels;
  }

  int count() {
    return width * height * channels;
  }

  /** Takes a copy of a uint8 image. */
  void read(Value value) {
    height = (int) value.dim(0);
    width = (int) value.dim(1);
    channels = (int) value.dim(2);
    int bytes = count();
    if (data.length < bytes) {
      data = new byte[bytes];
    }
    MemorySegment.copy(value.segment(), ValueLayout.JAVA_BYTE, value.offset(), data, 0, bytes);
  }

  /** Makes a uint8 image of a value. */
  void write(Value value) {
    MemorySegment place = value.write(DType.UINT8, height, width, channels);
    MemorySegment.copy(data, 0, place, ValueLayout.JAVA_BYTE, value.offset(), count());
    trim();
  }

  /** Gives memory back after a picture far larger than most. */
  void trim() {
    if (data.length > KEPT_BYTES_MAX) {
      data = new byte[0];
    }
  }
}
