package dev.forebay.transform;

import dev.forebay.memory.DType;
import dev.forebay.memory.MemoryBudget;
import dev.forebay.memory.NativeBuffer;
import dev.forebay.memory.Shape;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * One field of the {@link Sample} under construction: a typed, shaped view of native memory.
 * Confined to the worker that owns the sample; reused from sample to sample; nothing here allocates
 * in steady state.
 *
 * <p>Elements are contiguous, row-major, little-endian, at {@link #segment()} from {@link
 * #offset()} on. A step takes {@code segment} and {@code offset}, calls one of the {@code write}
 * methods, once, for its result's place, and fills that from what it took; what it took stays
 * readable until the step ends. The last write of a sample goes straight to the batch's row where
 * shape and type allow it.
 */
public final class Value implements AutoCloseable {
  private final NativeBuffer[] scratch;
  private int current;

  private MemorySegment segment = MemorySegment.NULL;
  private long offset;
  private DType dtype = DType.UINT8;
  private final long[] dims = new long[Shape.RANK_MAX];
  private int rank;

  private MemorySegment rowSegment = MemorySegment.NULL;
  private long rowOffset;
  private long rowBytes;
  private boolean direct;
  private boolean inRow;

  Value(MemoryBudget budget) {
    this.scratch = new NativeBuffer[] {new NativeBuffer(budget), new NativeBuffer(budget)};
  }

  /** The memory that holds the elements. */
  public MemorySegment segment() {
    return segment;
  }

  /** Where in {@link #segment()} the first element is, in bytes. */
  public long offset() {
    return offset;
  }

  /** The type of an element. */
  public DType dtype() {
    return dtype;
  }

  /** The number of dimensions. */
  public int rank() {
    return rank;
  }

  /** The extent along dimension {@code axis}. */
  public long dim(int axis) {
    if (axis >= rank) {
      throw new IndexOutOfBoundsException("axis=" + axis + " rank=" + rank);
    }
    return dims[axis];
  }

  /** The number of elements. */
  public long elements() {
    long elements = 1;
    for (int axis = 0; axis < rank; axis++) {
      elements *= dims[axis];
    }
    return elements;
  }

  /** The size of all elements in bytes. */
  public long bytes() {
    return elements() * dtype.bytes();
  }

  /** The shape; allocates, so not for the hot path. */
  public Shape shape() {
    return Shape.of(Arrays.copyOf(dims, rank));
  }

  /** Makes this a single number and returns its place (see {@link #offset()}). */
  public MemorySegment writeScalar(DType dtype) {
    rank = 0;
    return place(dtype, dtype.bytes());
  }

  /** Makes this a vector and returns its place. */
  public MemorySegment write(DType dtype, long dim0) {
    dims[0] = dim0;
    rank = 1;
    return place(dtype, Math.multiplyExact(dim0, dtype.bytes()));
  }

  /** Makes this a matrix and returns its place. */
  public MemorySegment write(DType dtype, long dim0, long dim1) {
    dims[0] = dim0;
    dims[1] = dim1;
    rank = 2;
    return place(dtype, Math.multiplyExact(Math.multiplyExact(dim0, dim1), dtype.bytes()));
  }

  /** Makes this a three-dimensional value, an image for example, and returns its place. */
  public MemorySegment write(DType dtype, long dim0, long dim1, long dim2) {
    dims[0] = dim0;
    dims[1] = dim1;
    dims[2] = dim2;
    rank = 3;
    long elements = Math.multiplyExact(Math.multiplyExact(dim0, dim1), dim2);
    return place(dtype, Math.multiplyExact(elements, dtype.bytes()));
  }

  /** Gives this the given shape, all extents known, and returns its place. */
  public MemorySegment write(DType dtype, Shape shape) {
    rank = shape.rank();
    for (int axis = 0; axis < rank; axis++) {
      dims[axis] = shape.dim(axis);
    }
    return place(dtype, Math.multiplyExact(shape.elements(), dtype.bytes()));
  }

  private MemorySegment place(DType dtype, long bytes) {
    this.dtype = dtype;
    if (direct && bytes <= rowBytes) {
      segment = rowSegment;
      offset = rowOffset;
      inRow = true;
      return segment;
    }
    current ^= 1;
    inRow = false;
    segment = scratch[current].ensure(Math.max(bytes, 1));
    offset = 0;
    return segment;
  }

  /**
   * Changes the extents but not the elements, for a transform that only reinterprets or crops in
   * place. The number of bytes must not grow.
   */
  public void reshape(long dim0, long dim1, long dim2) {
    if (dim0 * dim1 * dim2 > elements()) {
      throw new IllegalArgumentException("a reshape cannot grow a value");
    }
    dims[0] = dim0;
    dims[1] = dim1;
    dims[2] = dim2;
    rank = 3;
  }

  /** Makes this a view of memory owned by someone else, valid until the sample is finished. */
  public void view(DType dtype, MemorySegment segment, long offset, long elements) {
    this.dtype = dtype;
    this.segment = segment;
    this.offset = offset;
    this.inRow = false;
    dims[0] = elements;
    rank = 1;
  }

  /**
   * Makes this a view, as the other {@code view} does, of a value with the given shape, all extents
   * known.
   */
  public void view(DType dtype, MemorySegment segment, long offset, Shape shape) {
    view(dtype, segment, offset, 0);
    rank = shape.rank();
    for (int axis = 0; axis < rank; axis++) {
      dims[axis] = shape.dim(axis);
    }
  }

  /** Makes this an {@code int64} scalar. */
  public void setLong(long number) {
    MemorySegment place = writeScalar(DType.INT64);
    place.set(ValueLayout.JAVA_LONG_UNALIGNED, offset, number);
  }

  /** Makes this a {@code float32} scalar. */
  public void setFloat(float number) {
    MemorySegment place = writeScalar(DType.FLOAT32);
    place.set(ValueLayout.JAVA_FLOAT_UNALIGNED, offset, number);
  }

  /** Makes this the UTF-8 bytes of a text. */
  public void setString(String text) {
    setBytes(text.getBytes(StandardCharsets.UTF_8));
  }

  /** Makes this a copy of the given bytes. */
  public void setBytes(byte[] bytes) {
    MemorySegment place = write(DType.UINT8, bytes.length);
    MemorySegment.copy(bytes, 0, place, ValueLayout.JAVA_BYTE, offset, bytes.length);
  }

  /**
   * Says where the finished value belongs. For the pipeline.
   *
   * @param rowBytes the room in the row; a larger value stays outside it
   */
  public void row(MemorySegment rowSegment, long rowOffset, long rowBytes) {
    this.rowSegment = rowSegment;
    this.rowOffset = rowOffset;
    this.rowBytes = rowBytes;
    this.direct = false;
    this.inRow = false;
  }

  /**
   * Whether the next writes may go straight to the row. For the pipeline, and for steps that do the
   * work of several transforms.
   */
  public void direct(boolean direct) {
    this.direct = direct;
  }

  /** True if the next write may go straight to the row. */
  public boolean isDirect() {
    return direct;
  }

  /** True if the value lies in its row. For the pipeline. */
  public boolean isInRow() {
    return inRow;
  }

  @Override
  public void close() {
    for (NativeBuffer buffer : scratch) {
      buffer.close();
    }
  }
}
