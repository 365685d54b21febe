package dev.forebay.image;

import dev.forebay.error.BadDataException;
import dev.forebay.memory.MemoryBudget;
import dev.forebay.memory.NativeBuffer;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/**
 * Decodes JPEG files by libjpeg-turbo, to the same pixels as Pillow. Confined to one worker, which
 * closes it.
 */
final class JpegDecoder implements AutoCloseable {
  private static final int END_OF_IMAGE = 0xD9;

  /** MCU widths by the library's number of the kind of subsampling: 444, 422, 420, grey, 440 ... */
  private static final int[] MCU_WIDTHS = {8, 16, 16, 8, 8, 32, 8};

  /** Pixels around a part whose decoding may see the part's edge: chroma is smoothed over them. */
  private static final int MARGIN = 2;

  private final long handle;
  private final Arena arena = Arena.ofShared();
  private final MemorySegment region = arena.allocate(TurboJpeg.REGION_BYTES, Integer.BYTES);
  private final MemorySegment factor = arena.allocate(TurboJpeg.FACTOR_BYTES, Integer.BYTES);
  private final NativeBuffer header = new NativeBuffer(MemoryBudget.unlimited("JPEG headers"));
  private int width;
  private int height;
  private int space;
  private int subsampling;
  private boolean isRegionSet;
  private final Raster raster = new Raster();
  private final JpegHeader layout = new JpegHeader();
  private final RestartCut cut = new RestartCut(layout);

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
    clearRegion();
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
    layout.read(file, offset, length);
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
    layout.read(file, offset, length);
    if (!hasEnd(file, offset, length)) {
      throw truncated();
    }
    Raster pixels = decodeCut(file, offset, length, part, into);
    if (pixels != null) {
      return pixels;
    }
    int rowBytes = prepare(part);
    MemorySegment place = into.ensure((long) partHeight * rowBytes);
    int result = decodePrepared(file, offset, length, place, rowBytes);
    if (result != 0) {
      checkWarning(file, offset, length);
    }
    return raster(place, part, rowBytes);
  }

  /**
   * As {@link #decodePart}, at a fraction of the size: what the file's frequencies below it make.
   *
   * @param part a part of the smaller picture
   * @param denominator 2, 4 or 8
   */
  Raster decodeScaled(
      MemorySegment file, long offset, long length, Part part, int denominator, NativeBuffer into) {
    layout.read(file, offset, length);
    if (!hasEnd(file, offset, length)) {
      throw truncated();
    }
    int wholeWidth = width;
    int wholeHeight = height;
    try {
      clearRegion();
      setFactor(denominator);
      width = Math.ceilDiv(width, denominator);
      height = Math.ceilDiv(height, denominator);
      int rowBytes = prepare(part, denominator);
      MemorySegment place = into.ensure((long) partHeight * rowBytes);
      setRegion(partLeft, partTop, partWidth, partHeight);
      isRegionSet = true;
      long source = file.address() + offset;
      int result =
          TurboJpeg.decompressRegion(
              handle, source, length, place.address(), rowBytes, TurboJpeg.RGB);
      if (result != 0) {
        checkWarning(file, offset, length);
      }
      return raster(place, part, rowBytes);
    } finally {
      width = wholeWidth;
      height = wholeHeight;
      clearRegion();
      setFactor(1);
    }
  }

  /** Whether the open file can be decoded at a smaller size, part by part. */
  boolean canScale() {
    return TurboJpeg.canCrop() && mcuWidth() > 0;
  }

  private int mcuWidth() {
    return subsampling < 0 || subsampling >= MCU_WIDTHS.length ? 0 : MCU_WIDTHS[subsampling];
  }

  private void setFactor(int denominator) {
    factor.set(ValueLayout.JAVA_INT, 0, 1);
    factor.set(ValueLayout.JAVA_INT, 4, denominator);
    if (TurboJpeg.setFactor(handle, factor) != 0) {
      throw bad();
    }
  }

  /** As {@link #decodePart}, out of a small file; null if there is none, or if it is not sound. */
  private @Nullable Raster decodeCut(
      MemorySegment file, long offset, long length, Part part, NativeBuffer into) {
    if (!cut.isPossible()) {
      return null;
    }
    int top = Math.max(0, part.top() - MARGIN);
    int left = Math.max(0, part.left() - MARGIN);
    int bottom = Math.min(height, part.top() + part.height() + MARGIN);
    int right = Math.min(width, part.left() + part.width() + MARGIN);
    if (!cut.cut(file, offset, length, new Part(top, left, bottom - top, right - left))) {
      return null;
    }
    int wholeWidth = width;
    int wholeHeight = height;
    try {
      width = cut.width;
      height = cut.height;
      Part inside =
          new Part(part.top() - cut.top, part.left() - cut.left, part.height(), part.width());
      if (!readsAs(cut)) {
        return null;
      }
      int rowBytes = prepare(inside);
      MemorySegment place = into.ensure((long) partHeight * rowBytes);
      int result = decodePrepared(cut.file(), 0, cut.bytes, place, rowBytes);
      return result == 0 ? raster(place, inside, rowBytes) : null;
    } finally {
      width = wholeWidth;
      height = wholeHeight;
    }
  }

  /** Whether the library finds the picture in the small file that is meant to be there. */
  private boolean readsAs(RestartCut small) {
    MemorySegment numbers = header.ensure(TurboJpeg.HEADER_BYTES);
    int result = TurboJpeg.header(handle, small.file().address(), small.bytes, numbers.address());
    return result == 0
        && numbers.get(ValueLayout.JAVA_INT, TurboJpeg.HEADER_WIDTH) == small.width
        && numbers.get(ValueLayout.JAVA_INT, TurboJpeg.HEADER_HEIGHT) == small.height
        && numbers.get(ValueLayout.JAVA_INT, TurboJpeg.HEADER_SUBSAMPLING) == subsampling;
  }

  /** Decides what is decoded for a part; returns the bytes of a row of it. */
  private int prepare(Part part) {
    return prepare(part, 1);
  }

  private int prepare(Part part, int denominator) {
    int step = mcuWidth() / denominator;
    if (!TurboJpeg.canCrop() || step == 0 || !surround(part, step)) {
      partTop = 0;
      partLeft = 0;
      partHeight = height;
      partWidth = width;
    }
    return Math.multiplyExact(partWidth, 3);
  }

  private Raster raster(MemorySegment pixels, Part part, int rowBytes) {
    long first = (long) (part.top() - partTop) * rowBytes + 3L * (part.left() - partLeft);
    return raster.place(pixels, first, rowBytes, 3).size(part.height(), part.width());
  }

  /** Finds what must be decoded for the part; false if that is everything. */
  private boolean surround(Part part, int mcuWidth) {
    partTop = Math.max(0, part.top() - MARGIN);
    partLeft = Math.max(0, part.left() - MARGIN) / mcuWidth * mcuWidth;
    partHeight = Math.min(height, part.top() + part.height() + MARGIN) - partTop;
    partWidth = Math.min(width, part.left() + part.width() + MARGIN) - partLeft;
    return partHeight < height || partWidth < width;
  }

  /** Decodes what was prepared; returns the library's result. */
  private int decodePrepared(
      MemorySegment file, long offset, long length, MemorySegment into, int rowBytes) {
    long source = file.address() + offset;
    if (partHeight == height && partWidth == width) {
      clearRegion();
      return TurboJpeg.decompress(
          handle, source, length, into.address(), width, height, TurboJpeg.RGB);
    }
    setRegion(partLeft, partTop, partWidth, partHeight);
    isRegionSet = true;
    return TurboJpeg.decompressRegion(
        handle, source, length, into.address(), rowBytes, TurboJpeg.RGB);
  }

  private void clearRegion() {
    if (isRegionSet) {
      setRegion(0, 0, 0, 0);
      isRegionSet = false;
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
  private boolean hasEnd(MemorySegment file, long offset, long length) {
    for (long at = offset + length - 2; at >= offset + layout.scanAt; at--) {
      if (u8(file, at) == 0xFF && u8(file, at + 1) == END_OF_IMAGE) {
        return true;
      }
    }
    return false;
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
    cut.close();
  }
}
