package dev.forebay.image;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * What a JPEG file says before its first scan. Confined to one worker, which reuses it.
 *
 * <p>Source: ITU-T T.81, annex B.
 */
final class JpegHeader {
  static final int START_OF_SCAN = 0xDA;
  private static final int BASELINE = 0xC0;
  private static final int EXTENDED = 0xC1;
  private static final int RESTART_INTERVAL = 0xDD;
  private static final int COMMENT = 0xFE;
  private static final int APP0 = 0xE0;
  private static final int APP14 = 0xEE;
  private static final int APP15 = 0xEF;
  private static final int MARKER_BYTES = 2;
  private static final int BLOCK = 8;

  /** Where the frame's header begins, from the file's begin; -1 if it is not a baseline one. */
  long frameAt;

  /** Where the first scan's header begins; the file's length if there is none. */
  long scanAt;

  /** Where the first scan's data begins. */
  long dataAt;

  int width;
  int height;
  int mcuWidth;
  int mcuHeight;

  /** MCUs between restart markers; 0 if there are no markers. */
  int restartInterval;

  /** True if the first scan holds all components, as it does in a file with a single scan. */
  boolean isInterleaved;

  private int components;

  /** Reads a file's header; what is damaged is left to the decoder. */
  void read(MemorySegment file, long offset, long length) {
    frameAt = -1;
    restartInterval = 0;
    isInterleaved = false;
    long at = MARKER_BYTES;
    scanAt = length;
    dataAt = length;
    while (at + 4 <= length) {
      int marker = u8(file, offset + at + 1);
      if (u8(file, offset + at) != 0xFF || marker == 0xFF || marker == 0) {
        at++; // stray bytes, over which the decoder reads, too
        continue;
      }
      int bytes = u16(file, offset + at + 2);
      if (marker == START_OF_SCAN) {
        readScan(file, offset, at, Math.min(length, at + MARKER_BYTES + bytes));
        return;
      }
      if (at + MARKER_BYTES + bytes > length) {
        return;
      }
      if (marker == RESTART_INTERVAL && bytes >= 4) {
        restartInterval = u16(file, offset + at + 4);
      } else if ((marker == BASELINE || marker == EXTENDED) && bytes >= 11) {
        readFrame(file, offset, at, bytes);
      }
      at += MARKER_BYTES + bytes;
    }
  }

  private void readScan(MemorySegment file, long offset, long at, long end) {
    scanAt = at;
    dataAt = end;
    isInterleaved = end > at + 4 && u8(file, offset + at + 4) == components;
  }

  /** Only 8 bits a sample. */
  private void readFrame(MemorySegment file, long offset, long at, int bytes) {
    components = u8(file, offset + at + 9);
    if (u8(file, offset + at + 4) != BLOCK || bytes < 8 + 3 * components) {
      return;
    }
    frameAt = at;
    height = u16(file, offset + at + 5);
    width = u16(file, offset + at + 7);
    int across = 1;
    int down = 1;
    for (int i = 0; i < components && components > 1; i++) {
      int sampling = u8(file, offset + at + 11 + 3L * i);
      across = Math.max(across, sampling >> 4);
      down = Math.max(down, sampling & 15);
    }
    mcuWidth = BLOCK * across;
    mcuHeight = BLOCK * down;
  }

  /**
   * Copies the header with another size of the picture and without what plays no part in decoding.
   *
   * @return how many bytes were written
   */
  long copy(MemorySegment file, long offset, MemorySegment into, int newWidth, int newHeight) {
    long done = MARKER_BYTES;
    MemorySegment.copy(file, offset, into, 0, MARKER_BYTES);
    long at = MARKER_BYTES;
    while (at < dataAt) {
      int marker = u8(file, offset + at + 1);
      if (u8(file, offset + at) != 0xFF || marker == 0xFF || marker == 0) {
        at++;
        continue;
      }
      int bytes = MARKER_BYTES + u16(file, offset + at + 2);
      // JFIF's and Adobe's segments say what the colours are; the others are descriptions.
      boolean isDescription =
          marker == COMMENT || (marker > APP0 && marker <= APP15 && marker != APP14);
      if (!isDescription) {
        MemorySegment.copy(file, offset + at, into, done, bytes);
        if (at == frameAt) {
          putU16(into, done + 5, newHeight);
          putU16(into, done + 7, newWidth);
        }
        done += bytes;
      }
      at += bytes;
    }
    return done;
  }

  private static int u8(MemorySegment file, long at) {
    return file.get(ValueLayout.JAVA_BYTE, at) & 0xFF;
  }

  private static int u16(MemorySegment file, long at) {
    return u8(file, at) << 8 | u8(file, at + 1);
  }

  private static void putU16(MemorySegment into, long at, int value) {
    into.set(ValueLayout.JAVA_BYTE, at, (byte) (value >> 8));
    into.set(ValueLayout.JAVA_BYTE, at + 1, (byte) value);
  }
}
