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

  private static final int HEAD_BYTES = 12;

  /** The format of a file; its name plays no part. */
  static ImageFormat of(MemorySegment file, long offset, long length) {
    if (length < HEAD_BYTES) {
      return UNKNOWN;
    }
    long head = bigEndian(file, offset);
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
    if (first == 0x52494646 && (int) bigEndian(file, offset + 4) == 0x57454250) {
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

  private static long bigEndian(MemorySegment file, long at) {
    return Long.reverseBytes(file.get(ValueLayout.JAVA_LONG_UNALIGNED, at));
  }
}
