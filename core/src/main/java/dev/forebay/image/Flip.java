package dev.forebay.image;

import dev.forebay.memory.DType;
import dev.forebay.transform.Sample;
import dev.forebay.transform.Transform;
import dev.forebay.transform.Value;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** The step that mirrors images. */
final class Flip implements Transform.Step {
  /** The direction in which pixels change places. */
  enum Axis {
    HORIZONTAL,
    VERTICAL
  }

  private final double p;
  private final Axis axis;
  private final int slot;
  private byte[] line = new byte[0];

  Flip(double p, Axis axis, int slot) {
    this.p = p;
    this.axis = axis;
    this.slot = slot;
  }

  @Override
  public void apply(Sample sample) {
    boolean isFlipped = sample.random().nextBoolean(p);
    Value value = sample.value(slot);
    int height = (int) value.dim(0);
    int width = (int) value.dim(1);
    int channels = (int) value.dim(2);
    MemorySegment from = value.segment();
    long offset = value.offset();
    long rowBytes = (long) width * channels;
    // An image that is not flipped is copied too, because this may be the step that fills the row.
    MemorySegment into = value.write(DType.UINT8, height, width, channels);
    long at = value.offset();
    if (!isFlipped) {
      MemorySegment.copy(from, offset, into, at, height * rowBytes);
    } else if (axis == Axis.VERTICAL) {
      for (int y = 0; y < height; y++) {
        MemorySegment.copy(
            from, offset + (height - 1 - y) * rowBytes, into, at + y * rowBytes, rowBytes);
      }
    } else {
      mirrorRows(from, offset, into, at, height, width, channels);
    }
  }

  private void mirrorRows(
      MemorySegment from,
      long offset,
      MemorySegment into,
      long at,
      int height,
      int width,
      int channels) {
    int rowBytes = width * channels;
    if (line.length < rowBytes) {
      line = new byte[rowBytes];
    }
    for (int y = 0; y < height; y++) {
      long row = (long) y * rowBytes;
      MemorySegment.copy(from, ValueLayout.JAVA_BYTE, offset + row, line, 0, rowBytes);
      RowWriter.mirror(line, width, channels);
      MemorySegment.copy(line, 0, into, ValueLayout.JAVA_BYTE, at + row, rowBytes);
    }
  }
}
