package dev.forebay.image;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/**
 * The kernel in Java: for pictures of one channel, for memory that native code cannot read, and for
 * where there is no native code. As Pillow it works first along the rows, then along the columns,
 * and rounds to 8 bits in between. Nothing is allocated once its buffers have grown.
 */
final class HeapKernel implements PixelKernel {
  private static final int KEPT_BYTES_MAX = 64 << 20;

  private final RowWriter writer;
  private byte[] line = new byte[0];
  private byte[] next = new byte[0];
  private long[] packed = new long[0];
  private byte[] narrowed = new byte[0];
  private int[] sums = new int[0];
  private byte[] done = new byte[0];

  HeapKernel(PixelFormat format) {
    this.writer = new RowWriter(format);
  }

  @Override
  public void run(
      Raster source,
      Coefficients across,
      Coefficients down,
      boolean isMirrored,
      MemorySegment into,
      long at) {
    int channels = source.channels();
    int bytes = across.size * channels;
    done = atLeast(done, bytes);
    writer.start(into, at, down.size, across.size, channels);
    if (down.isIdentity) {
      for (int y = 0; y < down.size; y++) {
        narrow(source, y, across, done, 0);
        writer.put(done, y, isMirrored);
      }
      return;
    }
    narrowed = atLeast(narrowed, Math.multiplyExact(down.span, bytes));
    narrowRows(source, down.span, across);
    for (int y = 0; y < down.size; y++) {
      shorten(down, y, bytes);
      writer.put(done, y, isMirrored);
    }
    trim();
  }

  /** Fills {@link #narrowed} with rows at their new width. */
  private void narrowRows(Raster source, int rows, Coefficients across) {
    int bytes = across.size * source.channels();
    int y = 0;
    if (!across.isIdentity && source.channels() == 3) {
      for (; y + 1 < rows; y += 2) {
        pack(source, y);
        narrowPair(across, y * bytes, (y + 1) * bytes);
      }
    }
    for (; y < rows; y++) {
      narrow(source, y, across, narrowed, y * bytes);
    }
  }

  /** Brings one row to its new width. */
  private void narrow(Raster source, int y, Coefficients across, byte[] into, int at) {
    line = readRow(source, y, line);
    int channels = source.channels();
    if (across.isIdentity) {
      System.arraycopy(line, 0, into, at, across.size * channels);
    } else if (channels == 3) {
      narrowColor(line, across, into, at);
    } else {
      narrowGray(line, across, into, at);
    }
  }

  /**
   * Puts the values of a row into the lower, those of the next row into the upper halves of longs,
   * so that one multiplication serves both.
   */
  private void pack(Raster source, int y) {
    int bytes = source.width() * 3;
    line = readRow(source, y, line);
    next = readRow(source, y + 1, next);
    if (packed.length < bytes) {
      packed = new long[bytes];
    }
    pack(line, next, packed, bytes);
  }

  private static void pack(byte[] lower, byte[] upper, long[] packed, int count) {
    for (int i = 0; i < count; i++) {
      packed[i] = (lower[i] & 0xFF) | ((long) (upper[i] & 0xFF) << 32);
    }
  }

  /**
   * As {@link #narrowColor}, for the two packed rows. Both halves of a sum fit into 32 bits, so
   * that they can be told apart even where one is negative.
   */
  private void narrowPair(Coefficients across, int lowerAt, int upperAt) {
    int[] weights = across.weights;
    long half = Coefficients.HALF | (long) Coefficients.HALF << 32;
    for (int x = 0; x < across.size; x++) {
      int weight = x * across.stride;
      int end = weight + across.count[x];
      int pixel = across.first[x] * 3;
      long red = half;
      long green = half;
      long blue = half;
      while (weight < end) {
        long factor = weights[weight++];
        red += packed[pixel] * factor;
        green += packed[pixel + 1] * factor;
        blue += packed[pixel + 2] * factor;
        pixel += 3;
      }
      put(red, lowerAt + 3 * x, upperAt + 3 * x);
      put(green, lowerAt + 3 * x + 1, upperAt + 3 * x + 1);
      put(blue, lowerAt + 3 * x + 2, upperAt + 3 * x + 2);
    }
  }

  private void put(long sums, int lowerAt, int upperAt) {
    int lower = (int) sums;
    narrowed[lowerAt] = clipped(lower);
    narrowed[upperAt] = clipped((int) ((sums - lower) >> 32));
  }

  private static byte[] readRow(Raster source, int y, byte[] buffer) {
    int bytes = source.width() * source.channels();
    byte[] row = atLeast(buffer, bytes);
    long place = source.offset() + y * source.rowBytes();
    MemorySegment.copy(source.segment(), ValueLayout.JAVA_BYTE, place, row, 0, bytes);
    return row;
  }

  private static void narrowGray(byte[] row, Coefficients across, byte[] into, int at) {
    for (int x = 0; x < across.size; x++) {
      int weight = x * across.stride;
      int pixel = across.first[x];
      int sum = Coefficients.HALF;
      for (int i = 0; i < across.count[x]; i++) {
        sum += (row[pixel + i] & 0xFF) * across.weights[weight + i];
      }
      into[at + x] = clipped(sum);
    }
  }

  private static void narrowColor(byte[] row, Coefficients across, byte[] into, int at) {
    int[] weights = across.weights;
    for (int x = 0; x < across.size; x++) {
      int weight = x * across.stride;
      int end = weight + across.count[x];
      int pixel = across.first[x] * 3;
      int red = Coefficients.HALF;
      int green = Coefficients.HALF;
      int blue = Coefficients.HALF;
      while (weight < end) {
        int factor = weights[weight++];
        red += (row[pixel] & 0xFF) * factor;
        green += (row[pixel + 1] & 0xFF) * factor;
        blue += (row[pixel + 2] & 0xFF) * factor;
        pixel += 3;
      }
      into[at + 3 * x] = clipped(red);
      into[at + 3 * x + 1] = clipped(green);
      into[at + 3 * x + 2] = clipped(blue);
    }
  }

  /** Sums whole rows, a loop that the compiler turns into vector instructions. */
  private void shorten(Coefficients down, int y, int bytes) {
    if (sums.length < bytes) {
      sums = new int[bytes];
    }
    Arrays.fill(sums, 0, bytes, Coefficients.HALF);
    int row = down.first[y] * bytes;
    for (int i = 0; i < down.count[y]; i++) {
      addRow(narrowed, row, down.weights[y * down.stride + i], sums, bytes);
      row += bytes;
    }
    clip(sums, done, bytes);
  }

  /**
   * In two loops, because the compiler makes vector instructions of each, but not of both in one.
   */
  private static void clip(int[] sums, byte[] into, int count) {
    for (int i = 0; i < count; i++) {
      sums[i] = Math.min(255, Math.max(0, sums[i] >> Coefficients.PRECISION_BITS));
    }
    for (int i = 0; i < count; i++) {
      into[i] = (byte) sums[i];
    }
  }

  private static void addRow(byte[] rows, int row, int weight, int[] sums, int bytes) {
    for (int x = 0; x < bytes; x++) {
      sums[x] += (rows[row + x] & 0xFF) * weight;
    }
  }

  private static byte clipped(int sum) {
    return (byte) Math.min(255, Math.max(0, sum >> Coefficients.PRECISION_BITS));
  }

  private static byte[] atLeast(byte[] buffer, int bytes) {
    return buffer.length < bytes ? new byte[bytes] : buffer;
  }

  /** Gives memory back after an image far larger than most. */
  private void trim() {
    if (narrowed.length > KEPT_BYTES_MAX) {
      narrowed = new byte[0];
    }
  }

  @Override
  public void close() {}
}
