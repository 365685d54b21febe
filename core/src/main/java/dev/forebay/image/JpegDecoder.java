package dev.forebay.image;

import dev.forebay.error.BadDataException;
import dev.forebay.memory.MemoryBudget;
import dev.forebay.memory.NativeBuffer;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Decodes JPEG files by libjpeg-turbo, to the same pixels as Pillow. Confined to one worker, which
 * closes it.
 */
final class JpegDecoder implements AutoCloseable {
  private final long handle;
  private final NativeBuffer header = new NativeBuffer(MemoryBudget.unlimited("JPEG headers"));
  private int width;
  private int height;
  private int space;

  JpegDecoder() {
    this.handle = TurboJpeg.init();
    if (handle == 0) {
      throw new OutOfMemoryError("no memory for a JPEG decompressor");
    }
  }

  int width() {
    return width;
  }

  int height() {
    return height;
  }

  boolean isGray() {
    return space == TurboJpeg.SPACE_GRAY;
  }

  boolean isCmyk() {
    return space == TurboJpeg.SPACE_CMYK || space == TurboJpeg.SPACE_YCCK;
  }

  /** Reads the header of a file in native memory. */
  void readHeader(MemorySegment file, long offset, long length) {
    MemorySegment numbers = header.ensure(TurboJpeg.HEADER_BYTES);
    int result = TurboJpeg.header(handle, file.address() + offset, length, numbers.address());
    if (result != 0 && !TurboJpeg.isWarning(handle)) {
      throw bad();
    }
    width = numbers.get(ValueLayout.JAVA_INT, TurboJpeg.HEADER_WIDTH);
    height = numbers.get(ValueLayout.JAVA_INT, TurboJpeg.HEADER_HEIGHT);
    space = numbers.get(ValueLayout.JAVA_INT, TurboJpeg.HEADER_SPACE);
    if (width < 1 || height < 1) {
      throw new BadDataException("the JPEG file has no pixels: %d x %d".formatted(width, height));
    }
  }

  /**
   * Decodes the file whose header was read into native memory with room for it: rows from top to
   * bottom, each of {@code width} pixels of the format's channels, without gaps.
   */
  void decode(
      MemorySegment file, long offset, long length, MemorySegment into, long at, int format) {
    int result =
        TurboJpeg.decompress(
            handle, file.address() + offset, length, into.address() + at, width, height, format);
    if (result == 0) {
      return;
    }
    if (!TurboJpeg.isWarning(handle)) {
      throw bad();
    }
    // The library keeps the first warning only. Most leave a picture as any viewer would show it;
    // an
    // early end is none of these.
    if (TurboJpeg.message(handle).startsWith("Premature end") || !hasEnd(file, offset, length)) {
      throw new BadDataException("the JPEG file is truncated");
    }
  }

  /** Whether there is an end-of-image marker. */
  private static boolean hasEnd(MemorySegment file, long offset, long length) {
    for (long at = offset + length - 2; at >= offset; at--) {
      if (file.get(ValueLayout.JAVA_BYTE, at) == (byte) 0xFF
          && file.get(ValueLayout.JAVA_BYTE, at + 1) == (byte) 0xD9) {
        return true;
      }
    }
    return false;
  }

  private BadDataException bad() {
    return new BadDataException("the JPEG file cannot be decoded: " + TurboJpeg.message(handle));
  }

  @Override
  public void close() {
    TurboJpeg.destroy(handle);
    header.close();
  }
}
