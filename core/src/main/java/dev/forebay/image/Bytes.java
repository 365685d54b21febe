package dev.forebay.image;

import dev.forebay.error.BadDataException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * A file's bytes on the heap, read one after the other; reading past the end is an error of the
 * file. Confined to one worker, which reuses it from file to file.
 */
final class Bytes {
  private static final int KEPT_BYTES_MAX = 16 << 20;

  private byte[] data = new byte[0];
  private int length;
  private int position;

  /** Takes a copy of a file. */
  void load(MemorySegment file, long offset, long bytes) {
    if (bytes > Integer.MAX_VALUE - 16) {
      throw new BadDataException(
          "a file of %d bytes is too large for this format".formatted(bytes));
    }
    length = (int) bytes;
    position = 0;
    if (data.length < length) {
      data = new byte[length + (length >> 2)];
    }
    MemorySegment.copy(file, ValueLayout.JAVA_BYTE, offset, data, 0, length);
  }

  /** Gives memory back after a file far larger than most. */
  void trim() {
    if (data.length > KEPT_BYTES_MAX) {
      data = new byte[0];
    }
  }

  byte[] data() {
    return data;
  }

  int length() {
    return length;
  }

  int position() {
    return position;
  }

  int left() {
    return length - position;
  }

  /** Goes to a place of the file, at most its end. */
  void seek(long place) {
    if (place < 0 || place > length) {
      throw truncated();
    }
    position = (int) place;
  }

  void skip(long bytes) {
    seek(position + bytes);
  }

  int u8() {
    if (position >= length) {
      throw truncated();
    }
    return data[position++] & 0xFF;
  }

  int u16Little() {
    int low = u8();
    return low | u8() << 8;
  }

  int u16Big() {
    int high = u8();
    return high << 8 | u8();
  }

  int i32Little() {
    int low = u16Little();
    return low | u16Little() << 16;
  }

  int i32Big() {
    int high = u16Big();
    return high << 16 | u16Big();
  }

  /** Fails unless that many bytes are left. */
  void require(long bytes) {
    if (bytes > left()) {
      throw truncated();
    }
  }

  /** Whether the file has these bytes, written as Latin-1, at a place. */
  boolean has(int place, String latin1) {
    if (place < 0 || place + latin1.length() > length) {
      return false;
    }
    for (int i = 0; i < latin1.length(); i++) {
      if ((data[place + i] & 0xFF) != latin1.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  private BadDataException truncated() {
    return new BadDataException("the file is truncated: it ends after " + length + " bytes");
  }
}
