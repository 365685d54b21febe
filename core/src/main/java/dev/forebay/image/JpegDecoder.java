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
  private static final int START_OF_SCAN = 0xDA;
  private static final int END_OF_IMAGE = 0xD9;

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
    // early end does not.
    if (TurboJpeg.message(handle).startsWith("Premature end") || !hasEnd(file, offset, length)) {
      throw new BadDataException("the JPEG file is truncated");
    }
  }

  /**
   * Whether there is an end-of-image marker behind the first scan; a thumbnail's does not count.
   */
  private static boolean hasEnd(MemorySegment file, long offset, long length) {
    long scan = firstScan(file, offset, offset + length);
    for (long at = offset + length - 2; at >= scan; at--) {
      if (u8(file, at) == 0xFF && u8(file, at + 1) == END_OF_IMAGE) {
        return true;
      }
    }
    return false;
  }

  /** Where the first scan's header begins; segments before it are passed over by their lengths. */
  private static long firstScan(MemorySegment file, long start, long end) {
    long at = start + 2;
    while (at + 4 <= end) {
      int marker = u8(file, at + 1);
      if (u8(file, at) != 0xFF || marker == 0xFF || marker == 0) {
        at++; // stray bytes, over which the library reads, too
      } else if (marker == START_OF_SCAN) {
        return at;
      } else {
        at += 2 + (u8(file, at + 2) << 8) + u8(file, at + 3);
      }
    }
    return end;
  }

  private static int u8(MemorySegment file, long at) {
    return file.get(ValueLayout.JAVA_BYTE, at) & 0xFF;
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
