package dev.forebay;

import dev.forebay.memory.DType;
import dev.forebay.memory.Shape;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Places arrays into larger ones. Stateless. */
final class Padding {
  private Padding() {}

  /** Sets every element to a value, converted to the type. */
  static void fill(MemorySegment target, DType dtype, double value) {
    long bits =
        switch (dtype) {
          case BOOL -> value == 0 ? 0 : 1;
          case UINT8, INT8, UINT16, INT16, UINT32, INT32, INT64 -> (long) value;
          case FLOAT16 -> Float.floatToFloat16((float) value);
          case BFLOAT16 -> bfloat16((float) value);
          case FLOAT32 -> Float.floatToRawIntBits((float) value);
          case FLOAT64 -> Double.doubleToRawLongBits(value);
        };
    if (bits == 0) {
      return; // fresh native memory is zero
    }
    int bytes = dtype.bytes();
    for (long at = 0; at < target.byteSize(); at += bytes) {
      switch (bytes) {
        case 1 -> target.set(ValueLayout.JAVA_BYTE, at, (byte) bits);
        case 2 -> target.set(ValueLayout.JAVA_SHORT, at, (short) bits);
        case 4 -> target.set(ValueLayout.JAVA_INT, at, (int) bits);
        default -> target.set(ValueLayout.JAVA_LONG, at, bits);
      }
    }
  }

  private static long bfloat16(float value) {
    int bits = Float.floatToRawIntBits(value);
    int rounding = 0x7FFF + ((bits >>> 16) & 1);
    return Float.isNaN(value) ? 0x7FC0 : (bits + rounding) >>> 16;
  }

  /**
   * Copies an array into the corner of one that is at least as large along every axis.
   *
   * @param shape of the value
   * @param batchShape of the target's batch: the target's own shape behind a first extent
   */
  static void copy(
      MemorySegment value, Shape shape, MemorySegment target, Shape batchShape, int elementBytes) {
    copyAxis(value, 0, shape, target, 0, batchShape, 0, elementBytes);
  }

  private static void copyAxis(
      MemorySegment value,
      long from,
      Shape shape,
      MemorySegment target,
      long to,
      Shape batchShape,
      int axis,
      int elementBytes) {
    if (axis >= shape.rank() - 1) {
      long length = shape.rank() == 0 ? 1 : shape.dim(axis);
      MemorySegment.copy(value, from, target, to, length * elementBytes);
      return;
    }
    long valueStride = elementBytes;
    long targetStride = elementBytes;
    for (int inner = axis + 1; inner < shape.rank(); inner++) {
      valueStride *= shape.dim(inner);
      targetStride *= batchShape.dim(inner + 1);
    }
    for (long i = 0; i < shape.dim(axis); i++) {
      copyAxis(
          value,
          from + i * valueStride,
          shape,
          target,
          to + i * targetStride,
          batchShape,
          axis + 1,
          elementBytes);
    }
  }
}
