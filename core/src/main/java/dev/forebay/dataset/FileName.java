package dev.forebay.dataset;

import java.util.Arrays;

/**
 * File names as the file system keeps them: bytes that usually, but not always, are UTF-8. They
 * sort as Python sorts them, by code point, where each byte that is not part of valid UTF-8 stands
 * for U+DC00 plus its value (PEP 383, "surrogateescape"). Stateless and thread-safe.
 */
final class FileName {
  private static final int ASCII_END = 0x80;
  private static final int ESCAPE = 0xdc00;
  private static final int ESCAPE_MIN = ESCAPE + ASCII_END;
  private static final int ESCAPE_MAX = ESCAPE + 0xff;
  private static final int CONTINUATIONS_MAX = 3;

  private FileName() {}

  /** Orders two names or paths by code point. */
  static int compare(byte[] left, byte[] right) {
    int at = Arrays.mismatch(left, right);
    if (at < 0) {
      return 0;
    }
    if (isBoundary(left, at) && isBoundary(right, at)) {
      return Integer.compare(unsignedOrEnd(left, at), unsignedOrEnd(right, at));
    }
    return compareDecoded(left, right, sequenceStart(left, at));
  }

  /** True if what is before {@code at} does not depend on what is there: ASCII or the end. */
  private static boolean isBoundary(byte[] name, int at) {
    return at == name.length || name[at] >= 0;
  }

  private static int unsignedOrEnd(byte[] name, int at) {
    return at == name.length ? -1 : Byte.toUnsignedInt(name[at]);
  }

  /** Where the sequence that may reach {@code at} begins; both names are equal up to there. */
  private static int sequenceStart(byte[] name, int at) {
    int start = at;
    while (start > 0 && at - start < CONTINUATIONS_MAX && isContinuation(name, start - 1)) {
      start--;
    }
    return start > 0 && name[start - 1] < 0 ? start - 1 : start;
  }

  private static int compareDecoded(byte[] left, byte[] right, int start) {
    int leftAt = start;
    int rightAt = start;
    while (leftAt < left.length && rightAt < right.length) {
      int leftPoint = codePoint(left, leftAt);
      int rightPoint = codePoint(right, rightAt);
      if (leftPoint != rightPoint) {
        return Integer.compare(leftPoint, rightPoint);
      }
      leftAt += length(leftPoint);
      rightAt += length(rightPoint);
    }
    return Integer.compare(left.length - leftAt, right.length - rightAt);
  }

  /** The code point that begins at {@code at}, or the stand-in for a byte that begins none. */
  private static int codePoint(byte[] name, int at) {
    int first = Byte.toUnsignedInt(name[at]);
    if (first < ASCII_END) {
      return first;
    }
    int point = -1;
    if (first >= 0xc2 && first <= 0xdf) {
      point = continued(name, at, 1, first & 0x1f);
    } else if (first >= 0xe0 && first <= 0xef) {
      point = continued(name, at, 2, first & 0x0f);
    } else if (first >= 0xf0 && first <= 0xf4) {
      point = continued(name, at, 3, first & 0x07);
    }
    return point < 0 ? ESCAPE + first : point;
  }

  /** The value of a whole sequence, or -1 if it is cut short, overlong or no character. */
  private static int continued(byte[] name, int at, int continuations, int bits) {
    int point = bits;
    for (int index = at + 1; index <= at + continuations; index++) {
      if (index >= name.length || !isContinuation(name, index)) {
        return -1;
      }
      point = (point << 6) | (name[index] & 0x3f);
    }
    boolean isValid =
        length(point) == continuations + 1
            && point <= Character.MAX_CODE_POINT
            && (point < Character.MIN_SURROGATE || point > Character.MAX_SURROGATE);
    return isValid ? point : -1;
  }

  private static boolean isContinuation(byte[] name, int at) {
    return (name[at] & 0xc0) == 0x80;
  }

  /** The number of bytes that a decoded code point or a stand-in takes. */
  private static int length(int point) {
    if (point < ASCII_END || isEscape(point)) {
      return 1;
    }
    if (point < 0x800) {
      return 2;
    }
    return point < Character.MIN_SUPPLEMENTARY_CODE_POINT ? 3 : 4;
  }

  private static boolean isEscape(int point) {
    return point >= ESCAPE_MIN && point <= ESCAPE_MAX;
  }

  /** The name as a person reads it; bytes that are not UTF-8 are shown as {@code \xNN}. */
  static String text(byte[] name) {
    StringBuilder text = new StringBuilder(name.length);
    for (int at = 0; at < name.length; ) {
      int point = codePoint(name, at);
      if (isEscape(point)) {
        text.append("\\x%02x".formatted(point - ESCAPE));
      } else {
        text.appendCodePoint(point);
      }
      at += length(point);
    }
    return text.toString();
  }

  /** True if every byte belongs to valid UTF-8. */
  static boolean isUtf8(byte[] name) {
    for (int at = 0; at < name.length; ) {
      int point = codePoint(name, at);
      if (isEscape(point)) {
        return false;
      }
      at += length(point);
    }
    return true;
  }

  /** True if the name ends with {@code suffix}, which is in lower case, in any ASCII case. */
  static boolean endsWith(byte[] buffer, int offset, int bytes, byte[] suffix) {
    if (bytes < suffix.length) {
      return false;
    }
    int start = offset + bytes - suffix.length;
    for (int index = 0; index < suffix.length; index++) {
      byte letter = buffer[start + index];
      boolean isUpper = letter >= 'A' && letter <= 'Z';
      if ((isUpper ? letter + ('a' - 'A') : letter) != suffix[index]) {
        return false;
      }
    }
    return true;
  }
}
