package dev.forebay.image;

import java.lang.foreign.MemorySegment;

/**
 * Pixels in memory: uint8, the channels of a pixel side by side. Confined to one worker, which
 * reuses it.
 */
final class Raster {
  private MemorySegment segment = MemorySegment.NULL;
  private long offset;
  private long rowBytes;
  private int channels;
  private int height;
  private int width;

  /**
   * Makes this the pixels at a place.
   *
   * @param offset where the first pixel is, in bytes
   * @param rowBytes the distance from one row to the next
   */
  Raster place(MemorySegment segment, long offset, long rowBytes, int channels) {
    this.segment = segment;
    this.offset = offset;
    this.rowBytes = rowBytes;
    this.channels = channels;
    return this;
  }

  /** Gives it that many rows and columns. */
  Raster size(int height, int width) {
    this.height = height;
    this.width = width;
    return this;
  }

  MemorySegment segment() {
    return segment;
  }

  long offset() {
    return offset;
  }

  long rowBytes() {
    return rowBytes;
  }

  int channels() {
    return channels;
  }

  int height() {
    return height;
  }

  int width() {
    return width;
  }
}
