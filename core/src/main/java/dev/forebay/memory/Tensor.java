package dev.forebay.memory;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Objects;

/**
 * A dense array in native memory: contiguous, row-major, little-endian. A view, not an owner: it is
 * valid as long as what it was taken from. Thread-safe for reading.
 *
 * @param dtype the type of an element
 * @param shape all extents known; for a batch's column, the first is the number of rows
 * @param segment exactly the elements
 */
public record Tensor(DType dtype, Shape shape, MemorySegment segment) {
  /** Checks that the memory has the size that type and shape call for. */
  public Tensor {
    Objects.requireNonNull(dtype, "dtype");
    long bytes = Math.multiplyExact(shape.elements(), dtype.bytes());
    if (segment.byteSize() != bytes) {
      throw new IllegalArgumentException(
          "%s%s needs %d bytes, not %d".formatted(dtype.label(), shape, bytes, segment.byteSize()));
    }
  }

  /** The number of elements. */
  public long elements() {
    return shape.elements();
  }

  /** The element at a row-major index, as a double; exact for all types but large int64. */
  public double doubleAt(long index) {
    return switch (dtype) {
      case BOOL, UINT8 -> segment.get(ValueLayout.JAVA_BYTE, index) & 0xFF;
      case INT8 -> segment.get(ValueLayout.JAVA_BYTE, index);
      case UINT16 -> segment.get(ValueLayout.JAVA_SHORT_UNALIGNED, 2 * index) & 0xFFFF;
      case INT16 -> segment.get(ValueLayout.JAVA_SHORT_UNALIGNED, 2 * index);
      case UINT32 -> segment.get(ValueLayout.JAVA_INT_UNALIGNED, 4 * index) & 0xFFFFFFFFL;
      case INT32 -> segment.get(ValueLayout.JAVA_INT_UNALIGNED, 4 * index);
      case INT64 -> segment.get(ValueLayout.JAVA_LONG_UNALIGNED, 8 * index);
      case FLOAT16 ->
          Float.float16ToFloat(segment.get(ValueLayout.JAVA_SHORT_UNALIGNED, 2 * index));
      case BFLOAT16 ->
          Float.intBitsToFloat(segment.get(ValueLayout.JAVA_SHORT_UNALIGNED, 2 * index) << 16);
      case FLOAT32 -> segment.get(ValueLayout.JAVA_FLOAT_UNALIGNED, 4 * index);
      case FLOAT64 -> segment.get(ValueLayout.JAVA_DOUBLE_UNALIGNED, 8 * index);
    };
  }

  /** The element at a row-major index of an int64 tensor. */
  public long longAt(long index) {
    require(DType.INT64);
    return segment.get(ValueLayout.JAVA_LONG_UNALIGNED, 8 * index);
  }

  /** A copy of a float32 tensor's elements. */
  public float[] toFloats() {
    require(DType.FLOAT32);
    return segment.toArray(ValueLayout.JAVA_FLOAT_UNALIGNED);
  }

  /** A copy of an int64 tensor's elements. */
  public long[] toLongs() {
    require(DType.INT64);
    return segment.toArray(ValueLayout.JAVA_LONG_UNALIGNED);
  }

  /** A copy of the elements as bytes. */
  public byte[] toBytes() {
    return segment.toArray(ValueLayout.JAVA_BYTE);
  }

  private void require(DType wanted) {
    if (dtype != wanted) {
      throw new IllegalStateException(
          "the tensor holds " + dtype.label() + ", not " + wanted.label());
    }
  }
}
