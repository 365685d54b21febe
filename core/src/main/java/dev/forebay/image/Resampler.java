package dev.forebay.image;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/**
 * Makes an image of another size out of a window of a uint8 image, to the same pixels as Pillow's
 * {@code crop} and {@code resize}: first along the rows, then along the columns, rounded to 8 bits
 * in between. Confined to one worker; nothing is allocated once its buffers have grown.
 */
final class Resampler {
  private static final int KEPT_BYTES_MAX = 64 << 20;

  private final Coefficients across = new Coefficients();
  private final Coefficients down = new Coefficients();
  private byte[] line = new byte[0];
  private byte[] next = new byte[0];
  private long[] packed = new long[0];
  private byte[] narrowed = new byte[0];
  private int[] sums = new int[0];
  private byte[] done = new byte[0];
  private int[] columns = new int[0];

  /**
   * A part of an image in memory.
   *
   * @param rowBytes the distance between rows of the whole image
   */
  record Window(
      MemorySegment segment, long offset, long rowBytes, int channels, int height, int width) {}

  /** Fills {@code into} with the window at another size, without gaps. */
  void resize(
      Window from, int height, int width, Interpolation filter, MemorySegment into, long at) {
    if (filter == Interpolation.NEAREST) {
      pickNearest(from, height, width, into, at);
      return;
    }
    int outBytes = width * from.channels;
    done = atLeast(done, outBytes);
    boolean isNarrowed = width != from.width;
    if (height == from.height) {
      for (int y = 0; y < height; y++) {
        byte[] row = readRow(from, y);
        if (isNarrowed) {
          across.prepare(from.width, width, filter);
          narrow(row, from.channels, width, done, 0);
          row = done;
        }
        MemorySegment.copy(row, 0, into, ValueLayout.JAVA_BYTE, at + (long) y * outBytes, outBytes);
      }
      return;
    }
    down.prepare(from.height, height, filter);
    int firstRow = down.first[0];
    int rows = down.first[height - 1] + down.count[height - 1] - firstRow;
    narrowed = atLeast(narrowed, Math.multiplyExact(rows, outBytes));
    if (isNarrowed) {
      across.prepare(from.width, width, filter);
    }
    narrowRows(from, firstRow, rows, width, isNarrowed);
    for (int y = 0; y < height; y++) {
      shorten(y, firstRow, outBytes);
      MemorySegment.copy(done, 0, into, ValueLayout.JAVA_BYTE, at + (long) y * outBytes, outBytes);
    }
    trim();
  }

  /** Fills {@link #narrowed} with rows at their new width. */
  private void narrowRows(Window from, int firstRow, int rows, int width, boolean isNarrowed) {
    int outBytes = width * from.channels;
    int y = 0;
    if (isNarrowed && from.channels == 3) {
      for (; y + 1 < rows; y += 2) {
        pack(from, firstRow + y);
        narrowPair(width, y * outBytes, (y + 1) * outBytes);
      }
    }
    for (; y < rows; y++) {
      byte[] row = readRow(from, firstRow + y);
      if (isNarrowed) {
        narrow(row, from.channels, width, narrowed, y * outBytes);
      } else {
        System.arraycopy(row, 0, narrowed, y * outBytes, outBytes);
      }
    }
  }

  /**
   * Puts the values of a row into the lower, those of the next row into the upper halves of longs,
   * so that one multiplication serves both.
   */
  private void pack(Window from, int y) {
    int bytes = from.width * 3;
    line = readRow(from, y, line);
    next = readRow(from, y + 1, next);
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
  private void narrowPair(int width, int lowerAt, int upperAt) {
    int[] weights = across.weights;
    long half = Coefficients.HALF | (long) Coefficients.HALF << 32;
    for (int x = 0; x < width; x++) {
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

  private byte[] readRow(Window from, int y) {
    line = readRow(from, y, line);
    return line;
  }

  private static byte[] readRow(Window from, int y, byte[] buffer) {
    int bytes = from.width * from.channels;
    byte[] row = atLeast(buffer, bytes);
    long place = from.offset + y * from.rowBytes;
    MemorySegment.copy(from.segment, ValueLayout.JAVA_BYTE, place, row, 0, bytes);
    return row;
  }

  private void narrow(byte[] row, int channels, int width, byte[] into, int at) {
    if (channels == 3) {
      narrowColor(row, width, into, at);
      return;
    }
    for (int x = 0; x < width; x++) {
      int weight = x * across.stride;
      int pixel = across.first[x];
      int sum = Coefficients.HALF;
      for (int i = 0; i < across.count[x]; i++) {
        sum += (row[pixel + i] & 0xFF) * across.weights[weight + i];
      }
      into[at + x] = clipped(sum);
    }
  }

  private void narrowColor(byte[] row, int width, byte[] into, int at) {
    int[] weights = across.weights;
    for (int x = 0; x < width; x++) {
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
  private void shorten(int y, int firstRow, int bytes) {
    if (sums.length < bytes) {
      sums = new int[bytes];
    }
    Arrays.fill(sums, 0, bytes, Coefficients.HALF);
    int row = (down.first[y] - firstRow) * bytes;
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

  /** Pillow adds the step up, and so must we for the same rounding. */
  private void pickNearest(Window from, int height, int width, MemorySegment into, long at) {
    int outBytes = width * from.channels;
    done = atLeast(done, outBytes);
    if (columns.length < width) {
      columns = new int[width];
    }
    double step = (double) from.width / width;
    double place = step * 0.5;
    for (int x = 0; x < width; x++) {
      columns[x] = Math.min(from.width - 1, (int) place) * from.channels;
      place += step;
    }
    step = (double) from.height / height;
    place = step * 0.5;
    for (int y = 0; y < height; y++) {
      byte[] row = readRow(from, Math.min(from.height - 1, (int) place));
      for (int x = 0; x < width; x++) {
        for (int channel = 0; channel < from.channels; channel++) {
          done[x * from.channels + channel] = row[columns[x] + channel];
        }
      }
      MemorySegment.copy(done, 0, into, ValueLayout.JAVA_BYTE, at + (long) y * outBytes, outBytes);
      place += step;
    }
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
}
