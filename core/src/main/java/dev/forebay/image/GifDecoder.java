package dev.forebay.image;

import dev.forebay.error.BadDataException;

/**
 * Decodes the first picture of a GIF file, to the same pixels as Pillow. Confined to one worker.
 *
 * <p>Source: CompuServe, "Graphics Interchange Format, Version 89a".
 */
final class GifDecoder {
  private static final int CODES_MAX = 4096;
  private static final int PALETTE_FLAG = 0x80;
  private static final int INTERLACED_FLAG = 0x40;
  private static final int[] PASS_START = {0, 4, 2, 1};
  private static final int[] PASS_STEP = {8, 8, 4, 2};

  private final byte[] palette = new byte[256 * 3];
  private final short[] prefix = new short[CODES_MAX];
  private final byte[] suffix = new byte[CODES_MAX];
  private final byte[] string = new byte[CODES_MAX];
  private int transparent;

  private Bytes in = new Bytes();
  private int blockLeft;
  private int bitBuffer;
  private int bitCount;

  void decode(Bytes file, Pixels out, long pixelsMax) {
    in = file;
    in.seek(6);
    int screenWidth = in.u16Little();
    int screenHeight = in.u16Little();
    int flags = in.u8();
    in.skip(2);
    transparent = -1;
    resetPalette();
    if ((flags & PALETTE_FLAG) != 0) {
      readPalette(flags);
    }
    findPicture();
    int left = in.u16Little();
    int top = in.u16Little();
    int width = in.u16Little();
    int height = in.u16Little();
    flags = in.u8();
    if ((flags & PALETTE_FLAG) != 0) {
      resetPalette();
      readPalette(flags);
    }
    Pixels.checkSize(width, height, pixelsMax);
    // A code of 2 bits or more stands for at most 4,096 pixels.
    in.require(width * (long) height / CODES_MAX / 4);
    out.start(
        Math.max(screenWidth, left + width), Math.max(screenHeight, top + height), 3, pixelsMax);
    fillBackground(out);
    boolean isInterlaced = (flags & INTERLACED_FLAG) != 0;
    fill(out, left, top, width, height, isInterlaced);
  }

  /** Colours that a palette leaves out are grey. */
  private void resetPalette() {
    for (int i = 0; i < 256; i++) {
      palette[3 * i] = palette[3 * i + 1] = palette[3 * i + 2] = (byte) i;
    }
  }

  private void readPalette(int flags) {
    int bytes = 3 << ((flags & 7) + 1);
    in.require(bytes);
    System.arraycopy(in.data(), in.position(), palette, 0, bytes);
    in.skip(bytes);
  }

  /** Goes to the first picture's descriptor, taking note of its transparent colour. */
  private void findPicture() {
    while (true) {
      int block = in.u8();
      switch (block) {
        case ',' -> {
          return;
        }
        case ';' -> throw new BadDataException("the GIF file holds no picture");
        case '!' -> skipExtension();
        default -> {
          // Pillow passes over stray bytes, too.
        }
      }
    }
  }

  private void skipExtension() {
    int label = in.u8();
    int bytes = in.u8();
    if (label == 0xF9 && bytes >= 4) {
      int flags = in.u8();
      in.skip(2);
      int color = in.u8();
      transparent = (flags & 1) != 0 ? color : -1;
      in.skip(bytes - 4);
      bytes = in.u8();
    }
    while (bytes > 0) {
      in.skip(bytes);
      bytes = in.u8();
    }
  }

  private void fillBackground(Pixels out) {
    int color = transparent < 0 ? 0 : transparent;
    for (int i = 0; i < out.width * out.height; i++) {
      setPixel(out, 3 * i, color);
    }
  }

  private void setPixel(Pixels out, int at, int index) {
    out.data[at] = palette[3 * index];
    out.data[at + 1] = palette[3 * index + 1];
    out.data[at + 2] = palette[3 * index + 2];
  }

  private void fill(Pixels out, int left, int top, int width, int height, boolean isInterlaced) {
    startCodes();
    int pass = 0;
    int row = 0;
    for (int y = 0; y < height; y++) {
      if (isInterlaced) {
        while (row >= height) {
          row = PASS_START[++pass];
        }
      }
      for (int x = 0; x < width; x++) {
        int index = nextPixel();
        setPixel(out, ((top + row) * out.width + left + x) * 3, index);
      }
      row += isInterlaced ? PASS_STEP[pass] : 1;
    }
  }

  // The LZW decoder: nextPixel() empties `string`, which a code fills from its end.

  private int codeBitsMin;
  private int codeBits;
  private int nextCode;
  private int previousCode;
  private int firstOfPrevious;
  private int stringLeft;

  private void startCodes() {
    codeBitsMin = in.u8();
    if (codeBitsMin < 1 || codeBitsMin > 8) {
      throw new BadDataException("GIF codes of %d bits do not exist".formatted(codeBitsMin));
    }
    blockLeft = 0;
    bitBuffer = 0;
    bitCount = 0;
    stringLeft = 0;
    for (int code = 0; code < 1 << codeBitsMin; code++) {
      suffix[code] = (byte) code;
    }
    clearCodes();
  }

  private void clearCodes() {
    codeBits = codeBitsMin + 1;
    nextCode = (1 << codeBitsMin) + 2;
    previousCode = -1;
  }

  private int nextPixel() {
    while (stringLeft == 0) {
      readString();
    }
    return string[--stringLeft] & 0xFF;
  }

  private void readString() {
    int clear = 1 << codeBitsMin;
    int code = nextCode();
    if (code == clear) {
      clearCodes();
      return;
    }
    if (code == clear + 1) {
      throw new BadDataException("the GIF file is truncated: its picture ends early");
    }
    if (code > nextCode || (code == nextCode && previousCode < 0)) {
      throw new BadDataException("the GIF file has a code that means nothing yet");
    }
    int walk = code;
    if (code == nextCode) {
      string[stringLeft++] = (byte) firstOfPrevious;
      walk = previousCode;
    }
    while (walk >= clear) {
      string[stringLeft++] = suffix[walk];
      walk = prefix[walk];
    }
    string[stringLeft++] = (byte) walk;
    if (previousCode >= 0 && nextCode < CODES_MAX) {
      prefix[nextCode] = (short) previousCode;
      suffix[nextCode] = (byte) walk;
      nextCode++;
      if (nextCode == 1 << codeBits && codeBits < 12) {
        codeBits++;
      }
    }
    firstOfPrevious = walk;
    previousCode = code;
  }

  private int nextCode() {
    while (bitCount < codeBits) {
      if (blockLeft == 0) {
        blockLeft = in.u8();
        if (blockLeft == 0) {
          throw new BadDataException("the GIF file is truncated: its picture ends early");
        }
      }
      bitBuffer |= in.u8() << bitCount;
      blockLeft--;
      bitCount += 8;
    }
    int code = bitBuffer & ((1 << codeBits) - 1);
    bitBuffer >>>= codeBits;
    bitCount -= codeBits;
    return code;
  }
}
