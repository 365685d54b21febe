package dev.forebay.image;

import dev.forebay.error.BadDataException;

/**
 * Decodes the portable formats PBM, PGM and PPM, plain and binary, to the same pixels as Pillow.
 * Stateless.
 */
final class PnmDecoder {
  private static final int NUMBER_MAX = 1 << 30;

  private PnmDecoder() {}

  static void decode(Bytes in, Pixels out, long pixelsMax) {
    in.skip(1);
    int kind = in.u8() - '0';
    long width = number(in);
    long height = number(in);
    boolean isBits = kind == 1 || kind == 4;
    boolean isPlain = kind <= 3;
    int channels = kind == 3 || kind == 6 ? 3 : 1;
    int max = isBits ? 1 : number(in);
    if (max < 1 || max > 65535) {
      throw new BadDataException("the largest value of a PNM file is 1 to 65535, not " + max);
    }
    Pixels.checkSize(width, height, pixelsMax);
    long values = width * height * channels;
    if (isPlain) {
      in.require(isBits ? values : 2 * values - 1);
    } else {
      in.require(isBits ? (width + 7) / 8 * height : values * (max > 255 ? 2 : 1));
    }
    out.start(width, height, channels, pixelsMax);
    if (!isBits) {
      fill(in, out, max, isPlain);
    } else if (isPlain) {
      fillPlainBits(in, out);
    } else {
      fillBits(in, out);
    }
  }

  private static void fill(Bytes in, Pixels out, int max, boolean isPlain) {
    int count = out.height * out.rowBytes();
    for (int i = 0; i < count; i++) {
      int value = isPlain ? number(in) : max > 255 ? in.u16Big() : in.u8();
      if (isPlain && value > max) {
        throw new BadDataException("value %d exceeds the largest, %d".formatted(value, max));
      }
      out.data[i] = (byte) scaled(value, max, out.channels);
    }
  }

  /**
   * Pillow scales to 8 bits, but grey values of more than 8 bits to 16, and cuts those off at 255.
   */
  private static int scaled(int value, int max, int channels) {
    if (max == 255) {
      return value;
    }
    int outMax = channels == 1 && max > 255 ? 65535 : 255;
    long rounded = Math.round(Math.rint(value / (double) max * outMax));
    return (int) Math.min(255, Math.min(outMax, rounded));
  }

  private static void fillPlainBits(Bytes in, Pixels out) {
    int count = out.height * out.width;
    for (int i = 0; i < count; i++) {
      int bit = nextNonBlank(in);
      if (bit != '0' && bit != '1') {
        throw new BadDataException("a plain PBM file holds 0 and 1 only");
      }
      out.data[i] = (byte) (bit == '0' ? 255 : 0);
    }
  }

  private static void fillBits(Bytes in, Pixels out) {
    for (int y = 0; y < out.height; y++) {
      int bits = 0;
      for (int x = 0; x < out.width; x++) {
        bits = x % 8 == 0 ? in.u8() : bits << 1;
        out.data[y * out.width + x] = (byte) ((bits & 0x80) == 0 ? 255 : 0);
      }
    }
  }

  private static int nextNonBlank(Bytes in) {
    while (true) {
      int character = in.u8();
      if (character == '#') {
        while (character != '\n' && character != '\r') {
          character = in.u8();
        }
      } else if (character != ' ' && (character < '\t' || character > '\r')) {
        return character;
      }
    }
  }

  /** A decimal number and the one blank behind it, which the file's end may stand for. */
  private static int number(Bytes in) {
    int character = nextNonBlank(in);
    int number = 0;
    while (true) {
      if (character < '0' || character > '9') {
        throw new BadDataException("a PNM file has a wrong character where a number is expected");
      }
      number = Math.min(NUMBER_MAX, number * 10 + character - '0');
      if (number >= NUMBER_MAX || in.left() == 0) {
        return number;
      }
      character = in.u8();
      if (character == ' ' || (character >= '\t' && character <= '\r')) {
        return number;
      }
    }
  }
}
