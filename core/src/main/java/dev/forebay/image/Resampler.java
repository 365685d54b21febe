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
    for (int y = 0; y < rows; y++) {
      byte[] row = readRow(from, firstRow + y);
      if (isNarrowed) {
        narrow(row, from.channels, width, narrowed, y * outBytes);
      } else {
        System.arraycopy(row, 0, narrowed, y * outBytes, outBytes);
      }
    }
    for (int y = 0; y < height; y++) {
      shorten(y, firstRow, outBytes);
      MemorySegment.copy(done, 0, into, ValueLayout.JAVA_BYTE, at + (long) y * outBytes, outBytes);
    }
    trim();
  }

  private byte[] readRow(Window from, int y) {
    int bytes = from.width * from.channels;
    line = atLeast(line, bytes);
    long place = from.offset + y * from.rowBytes;
    MemorySegment.copy(from.segment, ValueLayout.JAVA_BYTE, place, line, 0, bytes);
    return line;
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
    for (int x = 0; x < bytes; x++) {
      done[x] = clipped(sums[x]);
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
