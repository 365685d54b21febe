package dev.forebay.image;

import dev.forebay.error.BadDataException;
import java.util.Arrays;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * Decodes PNG files of every kind, to the same pixels as Pillow's {@code convert("RGB")}: alpha and
 * transparency are dropped, 16-bit colour keeps its upper byte, 16-bit grey is cut off at 255.
 * Confined to one worker, which closes it.
 *
 * <p>Source: W3C, "Portable Network Graphics (PNG) Specification".
 */
final class PngDecoder implements AutoCloseable {
  private static final int HEADER = 0x49484452;
  private static final int PALETTE = 0x504C5445;
  private static final int DATA = 0x49444154;
  private static final int END = 0x49454E44;
  private static final int EXIF = 0x65584966;
  private static final int GRAY = 0;
  private static final int COLOR = 2;
  private static final int INDEXED = 3;
  private static final int GRAY_ALPHA = 4;

  /** Deflate makes at most so many bytes of one. */
  private static final long INFLATION_MAX = 1032;

  private static final int[] PASS_X = {0, 4, 0, 2, 0, 1, 0};
  private static final int[] PASS_Y = {0, 0, 4, 0, 2, 0, 1};
  private static final int[] PASS_STEP_X = {8, 8, 4, 4, 2, 2, 1};
  private static final int[] PASS_STEP_Y = {8, 8, 8, 4, 4, 2, 2};

  private final Inflater inflater = new Inflater();
  private final CRC32 crc = new CRC32();
  private final byte[] palette = new byte[256 * 3];
  private byte[] row = new byte[0];
  private byte[] previous = new byte[0];

  private Bytes in = new Bytes();
  private int width;
  private int height;
  private int depth;
  private int kind;
  private boolean isInterlaced;
  private int paletteSize;
  private int exifAt;
  private int exifBytes;
  private boolean isLastChunk;

  /** Where an eXIf chunk's content begins, or -1; after {@link #decode}. */
  int exifAt() {
    return exifAt;
  }

  int exifBytes() {
    return exifBytes;
  }

  void decode(Bytes file, Pixels out, long pixelsMax) {
    in = file;
    in.seek(8);
    exifAt = -1;
    paletteSize = 0;
    if (nextChunk() != HEADER) {
      throw new BadDataException("the PNG file does not begin with its header");
    }
    readHeader();
    Pixels.checkSize(width, height, pixelsMax);
    int dataBytes = findData();
    if (kind == INDEXED && paletteSize == 0) {
      throw new BadDataException("the PNG file has no palette");
    }
    long rows = (width * (long) samples() * depth + 7) / 8 * height;
    if (rows > INFLATION_MAX * in.length()) {
      throw new BadDataException("the PNG file is truncated: it is too short for its size");
    }
    out.start(width, height, kind == GRAY || kind == GRAY_ALPHA ? 1 : 3, pixelsMax);
    inflater.reset();
    inflater.setInput(in.data(), in.position(), dataBytes);
    isLastChunk = false;
    if (!isInterlaced) {
      readPass(out, 0, 0, 1, 1);
      return;
    }
    for (int pass = 0; pass < PASS_X.length; pass++) {
      readPass(out, PASS_X[pass], PASS_Y[pass], PASS_STEP_X[pass], PASS_STEP_Y[pass]);
    }
  }

  private int samples() {
    return switch (kind) {
      case GRAY, INDEXED -> 1;
      case GRAY_ALPHA -> 2;
      case COLOR -> 3;
      default -> 4;
    };
  }

  private int chunkBytes;

  /** Goes to the next chunk's content and returns its type; checks what it holds. */
  private int nextChunk() {
    chunkBytes = in.i32Big();
    int start = in.position();
    int type = in.i32Big();
    if (chunkBytes < 0 || chunkBytes > in.left() - 4) {
      throw new BadDataException("the PNG file is truncated, or has a chunk of a wrong length");
    }
    boolean isCritical = (type & 0x20000000) == 0;
    if (isCritical) {
      crc.reset();
      crc.update(in.data(), start, 4 + chunkBytes);
      in.skip(chunkBytes);
      if (in.i32Big() != (int) crc.getValue()) {
        throw new BadDataException("a checksum in the PNG file is wrong: it is damaged");
      }
      in.seek(start + 4L);
    }
    return type;
  }

  private void skipChunk() {
    in.skip(chunkBytes + 4L);
  }

  private void readHeader() {
    if (chunkBytes != 13) {
      throw new BadDataException("the header of the PNG file has a wrong length");
    }
    width = in.i32Big();
    height = in.i32Big();
    depth = in.u8();
    kind = in.u8();
    int compression = in.u8();
    int filter = in.u8();
    int interlace = in.u8();
    boolean isKnown =
        switch (kind) {
          case GRAY -> depth == 1 || depth == 2 || depth == 4 || depth == 8 || depth == 16;
          case INDEXED -> depth == 1 || depth == 2 || depth == 4 || depth == 8;
          case COLOR, GRAY_ALPHA, 6 -> depth == 8 || depth == 16;
          default -> false;
        };
    if (!isKnown || compression != 0 || filter != 0 || interlace > 1) {
      throw new BadDataException(
          "PNG colour type %d of %d bits, compression %d, filter %d, interlacing %d do not exist"
              .formatted(kind, depth, compression, filter, interlace));
    }
    isInterlaced = interlace == 1;
    in.skip(4);
  }

  /** Goes to the content of the first data chunk, reading palette and EXIF before it. */
  private int findData() {
    while (true) {
      int type = nextChunk();
      switch (type) {
        case DATA -> {
          return chunkBytes;
        }
        case END -> throw new BadDataException("the PNG file holds no picture");
        case PALETTE -> readPalette();
        case EXIF -> {
          exifAt = in.position();
          exifBytes = chunkBytes;
        }
        default -> {
          // Anything else does not change the pixels.
        }
      }
      skipChunk();
    }
  }

  private void readPalette() {
    if (chunkBytes % 3 != 0 || chunkBytes > palette.length) {
      throw new BadDataException("a PNG palette of %d bytes does not exist".formatted(chunkBytes));
    }
    for (int i = 0; i < 256; i++) {
      palette[3 * i] = palette[3 * i + 1] = palette[3 * i + 2] = (byte) i;
    }
    System.arraycopy(in.data(), in.position(), palette, 0, chunkBytes);
    paletteSize = chunkBytes / 3;
  }

  private void readPass(Pixels out, int startX, int startY, int stepX, int stepY) {
    int columns = (width - startX + stepX - 1) / stepX;
    int rows = (height - startY + stepY - 1) / stepY;
    if (columns <= 0 || rows <= 0) {
      return;
    }
    int bytes = (int) ((columns * (long) samples() * depth + 7) / 8);
    int pixelBytes = Math.max(1, samples() * depth / 8);
    if (row.length < bytes) {
      row = new byte[bytes];
      previous = new byte[bytes];
    }
    Arrays.fill(previous, 0, bytes, (byte) 0);
    for (int y = 0; y < rows; y++) {
      int filter = inflateRow(bytes);
      unfilter(filter, bytes, pixelBytes);
      int at = ((startY + y * stepY) * width + startX) * out.channels;
      writeRow(out, at, stepX * out.channels, columns);
      byte[] done = row;
      row = previous;
      previous = done;
    }
  }

  private final byte[] filterByte = new byte[1];

  private int inflateRow(int bytes) {
    inflate(filterByte, 1);
    inflate(row, bytes);
    return filterByte[0];
  }

  private void inflate(byte[] into, int bytes) {
    int done = 0;
    try {
      while (done < bytes) {
        int more = inflater.inflate(into, done, bytes - done);
        done += more;
        if (more == 0) {
          feed();
        }
      }
    } catch (DataFormatException damaged) {
      throw new BadDataException(
          "the PNG file's data is damaged: " + damaged.getMessage(), damaged);
    }
  }

  /** Gives the inflater the next data chunk. */
  private void feed() {
    if (inflater.finished() || inflater.needsDictionary() || isLastChunk) {
      throw new BadDataException("the PNG file is truncated: its picture ends early");
    }
    skipChunk();
    if (nextChunk() != DATA) {
      isLastChunk = true;
      throw new BadDataException("the PNG file is truncated: its picture ends early");
    }
    inflater.setInput(in.data(), in.position(), chunkBytes);
  }

  private void unfilter(int filter, int bytes, int pixelBytes) {
    byte[] now = row;
    byte[] above = previous;
    switch (filter) {
      case 0 -> {}
      case 1 -> {
        for (int i = pixelBytes; i < bytes; i++) {
          now[i] += now[i - pixelBytes];
        }
      }
      case 2 -> {
        for (int i = 0; i < bytes; i++) {
          now[i] += above[i];
        }
      }
      case 3 -> {
        for (int i = 0; i < bytes; i++) {
          int left = i < pixelBytes ? 0 : now[i - pixelBytes] & 0xFF;
          now[i] += (byte) ((left + (above[i] & 0xFF)) >> 1);
        }
      }
      case 4 -> {
        for (int i = 0; i < bytes; i++) {
          int left = i < pixelBytes ? 0 : now[i - pixelBytes] & 0xFF;
          int corner = i < pixelBytes ? 0 : above[i - pixelBytes] & 0xFF;
          now[i] += (byte) paeth(left, above[i] & 0xFF, corner);
        }
      }
      default -> throw new BadDataException("PNG filter " + filter + " does not exist");
    }
  }

  private static int paeth(int left, int above, int corner) {
    int estimate = left + above - corner;
    int toLeft = Math.abs(estimate - left);
    int toAbove = Math.abs(estimate - above);
    int toCorner = Math.abs(estimate - corner);
    if (toLeft <= toAbove && toLeft <= toCorner) {
      return left;
    }
    return toAbove <= toCorner ? above : corner;
  }

  private void writeRow(Pixels out, int at, int step, int columns) {
    switch (kind) {
      case GRAY -> writeGray(out, at, step, columns);
      case GRAY_ALPHA -> writeSamples(out, at, step, columns, 1, 2);
      case INDEXED -> {
        for (int x = 0; x < columns; x++) {
          System.arraycopy(palette, 3 * packed(x), out.data, at + x * step, 3);
        }
      }
      case COLOR -> writeSamples(out, at, step, columns, 3, 3);
      default -> writeSamples(out, at, step, columns, 3, 4);
    }
  }

  private void writeGray(Pixels out, int at, int step, int columns) {
    if (depth == 16) {
      for (int x = 0; x < columns; x++) {
        // Cut off as Pillow does, so everything from 255 on is white.
        out.data[at + x * step] = row[2 * x] == 0 ? row[2 * x + 1] : (byte) 255;
      }
      return;
    }
    int scale = 255 / ((1 << depth) - 1);
    for (int x = 0; x < columns; x++) {
      out.data[at + x * step] = (byte) (packed(x) * scale);
    }
  }

  /** The first {@code kept} of each pixel's samples, their upper bytes. */
  private void writeSamples(Pixels out, int at, int step, int columns, int kept, int samples) {
    int sampleBytes = depth / 8;
    for (int x = 0; x < columns; x++) {
      for (int sample = 0; sample < kept; sample++) {
        out.data[at + x * step + sample] = row[(x * samples + sample) * sampleBytes];
      }
    }
  }

  private int packed(int x) {
    if (depth == 8) {
      return row[x] & 0xFF;
    }
    int perByte = 8 / depth;
    int shift = 8 - depth * (x % perByte + 1);
    return row[x / perByte] >> shift & ((1 << depth) - 1);
  }

  @Override
  public void close() {
    inflater.end();
  }
}
