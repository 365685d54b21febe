package dev.forebay.image;

import dev.forebay.memory.MemoryBudget;
import dev.forebay.memory.NativeBuffer;
import java.lang.foreign.MemorySegment;

/**
 * Cuts a part out of a baseline JPEG file whose restart markers allow it, as a small JPEG file: so
 * only the data of that part has to be decoded. Confined to one worker, which closes it.
 *
 * <p>The segments between two markers can be decoded alone. They are a grid of whole segments if
 * the interval divides a row of MCUs; with a marker behind every MCU they always are.
 */
final class RestartCut implements AutoCloseable {
  /** What is left out should be worth the copy. */
  private static final double SHARE_MAX = 0.9;

  private final JpegHeader header;
  private final NativeBuffer small =
      new NativeBuffer(MemoryBudget.unlimited("parts of JPEG files"));

  /** Bytes of the small file. */
  long bytes;

  /** Its place in the picture, in pixels, and its size. */
  int top;

  int left;
  int height;
  int width;

  /** Cuts files whose header is in {@code header}. */
  RestartCut(JpegHeader header) {
    this.header = header;
  }

  /** A rectangle, in rows of MCUs and in segments of a row; bottom and right are outside. */
  record Area(int top, int left, int bottom, int right) {}

  /** Whether parts can be cut from the file whose header was read. */
  boolean isPossible() {
    return NativePixels.isAvailable()
        && header.frameAt >= 0
        && header.isInterleaved
        && header.restartInterval > 0
        && header.width > 0
        && mcusPerRow() % header.restartInterval == 0;
  }

  private int mcusPerRow() {
    return (header.width + header.mcuWidth - 1) / header.mcuWidth;
  }

  /**
   * Makes the small file, in {@link #file}, of all that surrounds a part.
   *
   * @param part the pixels needed, margins included
   * @return false if its markers are not in order, or if it is not worth it
   */
  boolean cut(MemorySegment file, long offset, long length, JpegDecoder.Part part) {
    int segmentWidth = header.mcuWidth * header.restartInterval;
    Area area =
        new Area(
            part.top() / header.mcuHeight,
            part.left() / segmentWidth,
            (part.top() + part.height() - 1) / header.mcuHeight + 1,
            (part.left() + part.width() - 1) / segmentWidth + 1);
    top = area.top * header.mcuHeight;
    left = area.left * segmentWidth;
    height = Math.min(header.height, area.bottom * header.mcuHeight) - top;
    width = Math.min(header.width, area.right * segmentWidth) - left;
    if ((double) height * width > SHARE_MAX * header.height * header.width) {
      return false;
    }
    return copy(file, offset, length, mcusPerRow() / header.restartInterval, area);
  }

  private boolean copy(MemorySegment file, long offset, long length, int perRow, Area area) {
    MemorySegment into = small.ensure(length); // what is left out makes up for the new markers
    long headerBytes = header.copy(file, offset, into, width, height);
    long data =
        NativePixels.cutRestarts(
            file.address() + offset + header.dataAt,
            length - header.dataAt,
            perRow,
            area,
            into.address() + headerBytes,
            into.byteSize() - headerBytes);
    bytes = headerBytes + data;
    return data >= 0;
  }

  /** The small file's memory. */
  MemorySegment file() {
    return small.segment();
  }

  @Override
  public void close() {
    small.close();
  }
}
