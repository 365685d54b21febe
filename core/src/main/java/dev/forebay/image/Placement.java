package dev.forebay.image;

import dev.forebay.memory.DType;
import dev.forebay.transform.Value;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/**
 * Makes an image of rows and columns picked from another, or of none. Confined to one worker:
 * {@link #start}, then fill {@link #rows} and {@link #columns}, then {@link #apply}.
 */
final class Placement {
  private final byte fill;
  private byte[] line = new byte[0];
  private byte[] done = new byte[0];
  private int height;
  private int width;

  /** For each row of the result, the row it comes from, or {@link Padding#OUTSIDE}. */
  int[] rows = new int[0];

  /** For each column of the result, the column it comes from, or {@link Padding#OUTSIDE}. */
  int[] columns = new int[0];

  /** What is picked from outside has the value {@code fill} in all channels. */
  Placement(int fill) {
    this.fill = (byte) fill;
  }

  /** Begins an image of that size. */
  void start(int height, int width) {
    this.height = height;
    this.width = width;
    if (rows.length < height) {
      rows = new int[height];
    }
    if (columns.length < width) {
      columns = new int[width];
    }
  }

  /** Makes the value the image that was picked from it. */
  void apply(Value value) {
    MemorySegment from = value.segment();
    long offset = value.offset();
    int channels = (int) value.dim(2);
    int inBytes = (int) value.dim(1) * channels;
    int outBytes = width * channels;
    line = line.length < inBytes ? new byte[inBytes] : line;
    done = done.length < outBytes ? new byte[outBytes] : done;
    MemorySegment into = value.write(DType.UINT8, height, width, channels);
    long at = value.offset();
    for (int y = 0; y < height; y++, at += outBytes) {
      if (rows[y] == Padding.OUTSIDE) {
        Arrays.fill(done, 0, outBytes, fill);
      } else {
        long start = offset + (long) rows[y] * inBytes;
        MemorySegment.copy(from, ValueLayout.JAVA_BYTE, start, line, 0, inBytes);
        pickColumns(channels);
      }
      MemorySegment.copy(done, 0, into, ValueLayout.JAVA_BYTE, at, outBytes);
    }
  }

  private void pickColumns(int channels) {
    int to = 0;
    for (int x = 0; x < width; x++) {
      int column = columns[x];
      for (int channel = 0; channel < channels; channel++) {
        done[to++] = column == Padding.OUTSIDE ? fill : line[column * channels + channel];
      }
    }
  }
}
