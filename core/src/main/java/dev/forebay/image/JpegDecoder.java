package dev.forebay.image;

import dev.forebay.error.BadDataException;
import dev.forebay.memory.MemoryBudget;
import dev.forebay.memory.NativeBuffer;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Decodes JPEG files by libjpeg-turbo, to the same pixels as Pillow. Confined to one worker, which
 * closes it.
 */
final class JpegDecoder implements AutoCloseable {
  private static final int START_OF_SCAN = 0xDA;
  private static final int END_OF_IMAGE = 0xD9;

  /** MCU widths by the library's number of the kind of subsampling: 444, 422, 420, grey, 440 ... */
  private static final int[] MCU_WIDTHS = {8, 16, 16, 8, 8, 32, 8};

  /** Pixels around a part whose decoding may see the part's edge: chroma is smoothed over them. */
  private static final int MARGIN = 2;

  private final long handle;
  private final Arena arena = Arena.ofShared();
  private final MemorySegment region = arena.allocate(TurboJpeg.REGION_BYTES, Integer.BYTES);
  private final NativeBuffer header = new NativeBuffer(MemoryBudget.unlimited("JPEG headers"));
  private int width;
  private int height;
  private int space;
  private int subsampling;

  /** What the latest {@link #decodePart} decoded; its first row and column in the image. */
  private int partTop;

  private int partLeft;
  private int partHeight;
  private int partWidth;

  JpegDecoder() {
    this.handle = TurboJpeg.init();
    if (handle == 0) {
      throw new OutOfMemoryError("no memory for a JPEG decompressor");
    }
    if (TurboJpeg.canCrop()) {
      TurboJpeg.limitScans(handle);
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

  /** A part of an image that lies inside it: its first row and column, and its size. */
  record Part(int top, int left, int height, int width) {}

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
    subsampling = numbers.get(ValueLayout.JAVA_INT, TurboJpeg.HEADER_SUBSAMPLING);
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
    if (result != 0) {
      checkWarning(file, offset, length);
    }
  }

  /* The library keeps the first warning only. Most leave a picture as any viewer would show it; an
   * early end does not. */
  private void checkWarning(MemorySegment file, long offset, long length) {
    if (!TurboJpeg.isWarning(handle)) {
      throw bad();
    }
    if (TurboJpeg.message(handle).startsWith("Premature end") || !hasEnd(file, offset, length)) {
      throw truncated();
    }
  }

  private static BadDataException truncated() {
    return new BadDataException("the JPEG file is truncated");
  }

  /**
   * Decodes a part of the file whose header was read, and as little of the rest as possible, in
   * colour. Faults of the file outside the part may stay unnoticed, other than a missing end.
   *
   * @param into grows to hold the pixels
   * @return the part's pixels, the same as those of the whole image
   */
  Raster decodePart(MemorySegment file, long offset, long length, Part part, NativeBuffer into) {
    int mcuWidth =
        subsampling < 0 || subsampling >= MCU_WIDTHS.length ? 0 : MCU_WIDTHS[subsampling];
    boolean isWhole = !TurboJpeg.canCrop() || mcuWidth == 0 || !surround(part, mcuWidth);
    if (isWhole) {
      partTop = 0;
      partLeft = 0;
      partHeight = height;
      partWidth = width;
    }
    int rowBytes = Math.multiplyExact(partWidth, 3);
    MemorySegment pixels = into.ensure((long) partHeight * rowBytes);
    if (isWhole) {
      decode(file, offset, length, pixels, 0, TurboJpeg.RGB);
    } else {
      decodeRegion(file, offset, length, pixels, rowBytes);
    }
    long first = (long) (part.top() - partTop) * rowBytes + 3L * (part.left() - partLeft);
    return new Raster(pixels, first, rowBytes, 3, part.height(), part.width());
  }

  /** Finds what must be decoded for the part; false if that is everything. */
  private boolean surround(Part part, int mcuWidth) {
    partTop = Math.max(0, part.top() - MARGIN);
    partLeft = Math.max(0, part.left() - MARGIN) / mcuWidth * mcuWidth;
    partHeight = Math.min(height, part.top() + part.height() + MARGIN) - partTop;
    partWidth = Math.min(width, part.left() + part.width() + MARGIN) - partLeft;
    return partHeight < height || partWidth < width;
  }

  private void decodeRegion(
      MemorySegment file, long offset, long length, MemorySegment pixels, int rowBytes) {
    if (!hasEnd(file, offset, length)) {
      throw truncated();
    }
    setRegion(partLeft, partTop, partWidth, partHeight);
    int result =
        TurboJpeg.decompressRegion(
            handle, file.address() + offset, length, pixels.address(), rowBytes, TurboJpeg.RGB);
    boolean isFaulty = result != 0 && !TurboJpeg.isWarning(handle);
    BadDataException fault = isFaulty ? bad() : null; // before the next call changes the message
    if (result != 0 && !isFaulty) {
      fault = TurboJpeg.message(handle).startsWith("Premature end") ? truncated() : null;
    }
    setRegion(0, 0, 0, 0);
    if (fault != null) {
      throw fault;
    }
  }

  private void setRegion(int left, int top, int columns, int rows) {
    region.set(ValueLayout.JAVA_INT, 0, left);
    region.set(ValueLayout.JAVA_INT, 4, top);
    region.set(ValueLayout.JAVA_INT, 8, columns);
    region.set(ValueLayout.JAVA_INT, 12, rows);
    if (TurboJpeg.setRegion(handle, region) != 0) {
      throw bad();
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
    arena.close();
    header.close();
  }
}
