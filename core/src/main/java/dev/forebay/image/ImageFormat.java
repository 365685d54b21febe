package dev.forebay.image;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** The formats of image files, told apart by their first bytes. */
enum ImageFormat {
  JPEG,
  PNG,
  GIF,
  BMP,
  PNM,
  WEBP,
  TIFF,
  UNKNOWN;

  private static final int WEBP_HEAD_BYTES = 12;

  /** The format of a file; its name plays no part. */
  static ImageFormat of(MemorySegment file, long offset, long length) {
    long head = 0;
    for (int i = 0; i < Long.BYTES; i++) {
      int next = i < length ? file.get(ValueLayout.JAVA_BYTE, offset + i) & 0xFF : 0;
      head = head << 8 | next;
    }
    int first = (int) (head >>> 32);
    if (first >>> 8 == 0xFFD8FF) {
      return JPEG;
    }
    if (head == 0x89504E470D0A1A0AL) {
      return PNG;
    }
    if (first == 0x47494638) {
      return GIF;
    }
    if (first >>> 16 == 0x424D) {
      return BMP;
    }
    if (first == 0x52494646 && length >= WEBP_HEAD_BYTES && isWebp(file, offset)) {
      return WEBP;
    }
    if (first == 0x49492A00 || first == 0x4D4D002A) {
      return TIFF;
    }
    int digit = first >>> 16 & 0xFF;
    boolean isPnm = first >>> 24 == 'P' && digit >= '1' && digit <= '6';
    return isPnm && isBlank(first >>> 8 & 0xFF) ? PNM : UNKNOWN;
  }

  private static boolean isBlank(int character) {
    return character == ' ' || (character >= '\t' && character <= '\r') || character == '#';
  }

  private static boolean isWebp(MemorySegment file, long offset) {
    int name = file.get(ValueLayout.JAVA_INT_UNALIGNED, offset + 8);
    return Integer.reverseBytes(name) == 0x57454250;
  }
}
