package dev.forebay.image;

import dev.forebay.error.BadDataException;

/**
 * Decodes Windows and OS/2 bitmaps of 1 to 32 bits, also run-length encoded, to the same pixels as
 * Pillow. Confined to one worker.
 *
 * <p>Source: Microsoft, "Bitmap Storage" (BITMAPFILEHEADER, BITMAPCOREHEADER, BITMAPV5HEADER).
 */
final class BmpDecoder {
  private static final int FILE_HEADER_BYTES = 14;
  private static final int CORE_HEADER_BYTES = 12;
  private static final int UNCOMPRESSED = 0;
  private static final int RUNS_OF_8 = 1;
  private static final int RUNS_OF_4 = 2;
  private static final int BIT_FIELDS = 3;

  private final byte[] palette = new byte[256 * 3];
  private final int[] masks = new int[3];
  private int width;
  private int height;
  private boolean isTopDown;
  private int bits;
  private int compression;

  void decode(Bytes in, Pixels out, long pixelsMax) {
    in.seek(10);
    long pixelsAt = Integer.toUnsignedLong(in.i32Little());
    readHeader(in);
    Pixels.checkSize(width, height, pixelsMax);
    in.seek(pixelsAt);
    boolean isRuns = compression == RUNS_OF_8 || compression == RUNS_OF_4;
    long rowBytes = (width * (long) bits + 31) / 32 * 4;
    // A run of at most 255 pixels takes two bytes.
    in.require(isRuns ? (width * (long) height - 1) / 255 : rowBytes * height);
    out.start(width, height, 3, pixelsMax);
    if (isRuns) {
      fillRuns(in, out);
      return;
    }
    int start = in.position();
    for (int y = 0; y < height; y++) {
      in.seek(start + y * rowBytes);
      fillRow(in, out, (isTopDown ? y : height - 1 - y) * width * 3);
    }
  }

  private void readHeader(Bytes in) {
    int headerBytes = in.i32Little();
    if (headerBytes < CORE_HEADER_BYTES || headerBytes > 1024) {
      throw new BadDataException("a BMP header of %d bytes is unknown".formatted(headerBytes));
    }
    boolean isCore = headerBytes == CORE_HEADER_BYTES;
    width = isCore ? in.u16Little() : in.i32Little();
    height = isCore ? in.u16Little() : in.i32Little();
    isTopDown = height < 0;
    height = Math.abs(height);
    in.skip(2);
    bits = in.u16Little();
    compression = isCore ? UNCOMPRESSED : in.i32Little();
    int colors = 0;
    if (!isCore) {
      in.skip(12);
      colors = in.i32Little();
      in.skip(4);
    }
    checkKind();
    if (bits > 8) {
      readMasks(in);
    } else {
      in.seek(FILE_HEADER_BYTES + headerBytes);
      readPalette(in, colors, isCore ? 3 : 4);
    }
  }

  private void checkKind() {
    boolean isKnown =
        switch (bits) {
          case 1, 24 -> compression == UNCOMPRESSED;
          case 4 -> compression == UNCOMPRESSED || compression == RUNS_OF_4;
          case 8 -> compression == UNCOMPRESSED || compression == RUNS_OF_8;
          case 16, 32 -> compression == UNCOMPRESSED || compression == BIT_FIELDS;
          default -> false;
        };
    if (!isKnown) {
      throw new BadDataException(
          "BMP files of %d bits with compression %d are not supported"
              .formatted(bits, compression));
    }
  }

  private void readMasks(Bytes in) {
    masks[0] = bits == 16 ? 0x7C00 : 0xFF0000;
    masks[1] = bits == 16 ? 0x03E0 : 0x00FF00;
    masks[2] = bits == 16 ? 0x001F : 0x0000FF;
    if (compression != BIT_FIELDS) {
      return;
    }
    // Longer headers hold the masks themselves, at the place where they follow the short one.
    in.seek(FILE_HEADER_BYTES + 40L);
    for (int i = 0; i < masks.length; i++) {
      masks[i] = in.i32Little();
      int width = Integer.bitCount(masks[i]);
      int shifted = masks[i] >>> (masks[i] == 0 ? 0 : Integer.numberOfTrailingZeros(masks[i]));
      if (masks[i] == 0 || width > 8 || shifted != (1 << width) - 1) {
        throw new BadDataException("the BMP colour mask %08x is not supported".formatted(masks[i]));
      }
    }
  }

  private void readPalette(Bytes in, int colors, int entryBytes) {
    int count = colors == 0 ? 1 << bits : colors;
    if (count < 0 || count > 256) {
      throw new BadDataException("a BMP palette has at most 256 colours, not " + count);
    }
    for (int i = 0; i < 256; i++) {
      palette[3 * i] = palette[3 * i + 1] = palette[3 * i + 2] = (byte) i;
    }
    for (int i = 0; i < count; i++) {
      palette[3 * i + 2] = (byte) in.u8();
      palette[3 * i + 1] = (byte) in.u8();
      palette[3 * i] = (byte) in.u8();
      in.skip(entryBytes - 3);
    }
  }

  private void fillRow(Bytes in, Pixels out, int at) {
    switch (bits) {
      case 1, 4, 8 -> fillIndexed(in, out, at);
      case 24 -> {
        for (int x = 0; x < width; x++) {
          out.data[at + 3 * x + 2] = (byte) in.u8();
          out.data[at + 3 * x + 1] = (byte) in.u8();
          out.data[at + 3 * x] = (byte) in.u8();
        }
      }
      default -> {
        for (int x = 0; x < width; x++) {
          int pixel = bits == 16 ? in.u16Little() : in.i32Little();
          for (int channel = 0; channel < 3; channel++) {
            out.data[at + 3 * x + channel] = (byte) part(pixel, masks[channel]);
          }
        }
      }
    }
  }

  private static int part(int pixel, int mask) {
    int value = (pixel & mask) >>> Integer.numberOfTrailingZeros(mask);
    return value * 255 / ((1 << Integer.bitCount(mask)) - 1);
  }

  private void fillIndexed(Bytes in, Pixels out, int at) {
    int perByte = 8 / bits;
    int mask = (1 << bits) - 1;
    int packed = 0;
    for (int x = 0; x < width; x++) {
      int place = x % perByte;
      packed = place == 0 ? in.u8() : packed;
      setPixel(out, at + 3 * x, packed >> (8 - bits * (place + 1)) & mask);
    }
  }

  private void setPixel(Pixels out, int at, int index) {
    out.data[at] = palette[3 * index];
    out.data[at + 1] = palette[3 * index + 1];
    out.data[at + 2] = palette[3 * index + 2];
  }

  /** Pixels that no run sets have colour 0. */
  private void fillRuns(Bytes in, Pixels out) {
    for (int i = 0; i < width * height; i++) {
      setPixel(out, 3 * i, 0);
    }
    int x = 0;
    int y = 0;
    while (y < height) {
      int count = in.u8();
      int value = in.u8();
      if (count > 0) {
        for (int i = 0; i < count; i++) {
          setRun(out, x++, y, value, i);
        }
      } else if (value == 0) {
        x = 0;
        y++;
      } else if (value == 1) {
        return;
      } else if (value == 2) {
        x += in.u8();
        y += in.u8();
      } else {
        copyLiteral(in, out, x, y, value);
        x += value;
      }
    }
  }

  private void copyLiteral(Bytes in, Pixels out, int x, int y, int count) {
    int packed = 0;
    int start = in.position();
    for (int i = 0; i < count; i++) {
      packed = compression == RUNS_OF_8 || i % 2 == 0 ? in.u8() : packed;
      setRun(out, x + i, y, packed, i);
    }
    in.skip((in.position() - start) & 1);
  }

  private void setRun(Pixels out, int x, int y, int value, int i) {
    if (x < width) {
      int index = compression == RUNS_OF_8 ? value : i % 2 == 0 ? value >> 4 : value & 15;
      int row = isTopDown ? y : height - 1 - y;
      setPixel(out, (row * width + x) * 3, index);
    }
  }
}
