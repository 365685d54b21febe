package dev.forebay;

import dev.forebay.memory.DType;
import dev.forebay.memory.Field;
import dev.forebay.memory.Ragged;
import dev.forebay.memory.Schema;
import dev.forebay.memory.Shape;
import dev.forebay.memory.Tensor;
import dev.forebay.pipeline.RowSource;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Some samples, collated: one column per field. Confined to the consumer's thread.
 *
 * <p>A batch is lent. Its columns are views of native memory that the loader fills anew after the
 * batch is closed, which the iterator does when the next batch is asked for, unless {@link #keep}
 * was called. The columns of a closed batch are gone: whoever asks for one gets an {@link
 * IllegalStateException}; a {@link Tensor} or segment taken before must not be used any more.
 */
public final class Batch implements AutoCloseable {
  private static final long ALIGNMENT_BYTES = 64;

  private RowSource source;
  private boolean isKept;
  private @Nullable Arena arena;

  Batch(RowSource source) {
    this.source = source;
  }

  /** The number of rows, at least 1. */
  public int size() {
    return source.size();
  }

  /** The epoch, 0-based. */
  public long epoch() {
    return source.epoch();
  }

  /** The batch's number in its epoch, from where the loader started or resumed; 0-based. */
  public long number() {
    return source.number();
  }

  /** The fields of the columns. */
  public Schema schema() {
    return source.schema();
  }

  /** The dataset's id of the sample in a row: the substitute's, if it was substituted. */
  public long id(int row) {
    return source.id(row);
  }

  /**
   * A column as one array whose first extent is the number of rows. No copy for a field of fixed
   * shape; a field whose shape varies is copied together, which needs the rows of this batch to
   * agree.
   *
   * @throws IllegalStateException if the rows differ in shape; see {@link #padded} and {@link
   *     #ragged}
   */
  public Tensor tensor(String field) {
    int slot = schema().slot(field);
    Field description = schema().field(slot);
    if (description.isFixed()) {
      return new Tensor(description.dtype(), batchShape(slot, 0), source.rows(slot));
    }
    for (int row = 1; row < size(); row++) {
      if (!rowShape(slot, row).equals(rowShape(slot, 0))) {
        throw new IllegalStateException(
            "the rows of field '%s' differ in shape: row 0 is %s, row %d is %s; use padded() or ragged()"
                .formatted(field, rowShape(slot, 0), row, rowShape(slot, row)));
      }
    }
    return padded(field, 0);
  }

  private Shape rowShape(int slot, int row) {
    long[] dims = new long[schema().field(slot).shape().rank()];
    for (int axis = 0; axis < dims.length; axis++) {
      dims[axis] = source.dim(slot, row, axis);
    }
    return Shape.of(dims);
  }

  private Shape batchShape(int slot, int row) {
    Shape shape = rowShape(slot, row);
    long[] dims = new long[shape.rank() + 1];
    dims[0] = size();
    for (int axis = 0; axis < shape.rank(); axis++) {
      dims[axis + 1] = shape.dim(axis);
    }
    return Shape.of(dims);
  }

  /**
   * A column whose rows are padded at the end of each axis to the largest extent in this batch.
   * Copies.
   *
   * @param fill the value of the padding, converted to the field's type
   */
  public Tensor padded(String field, double fill) {
    int slot = schema().slot(field);
    DType dtype = schema().field(slot).dtype();
    long[] dims = batchShape(slot, 0).dims();
    for (int row = 1; row < size(); row++) {
      for (int axis = 1; axis < dims.length; axis++) {
        dims[axis] = Math.max(dims[axis], source.dim(slot, row, axis - 1));
      }
    }
    Shape shape = Shape.of(dims);
    MemorySegment target = allocate(Math.multiplyExact(shape.elements(), dtype.bytes()));
    Padding.fill(target, dtype, fill);
    long rowBytes = target.byteSize() / size();
    for (int row = 0; row < size(); row++) {
      Padding.copy(
          source.value(slot, row),
          rowShape(slot, row),
          target.asSlice(row * rowBytes, rowBytes),
          shape,
          dtype.bytes());
    }
    return new Tensor(dtype, shape, target);
  }

  /** A column's rows one after the other, each flattened. Copies. */
  public Ragged ragged(String field) {
    int slot = schema().slot(field);
    DType dtype = schema().field(slot).dtype();
    MemorySegment offsets = allocate(8L * (size() + 1));
    long total = 0;
    for (int row = 0; row < size(); row++) {
      total += source.elements(slot, row);
      offsets.set(ValueLayout.JAVA_LONG, 8L * (row + 1), total);
    }
    MemorySegment values = allocate(total * dtype.bytes());
    for (int row = 0; row < size(); row++) {
      MemorySegment value = source.value(slot, row);
      long at = offsets.get(ValueLayout.JAVA_LONG, 8L * row) * dtype.bytes();
      MemorySegment.copy(value, 0, values, at, value.byteSize());
    }
    return new Ragged(
        new Tensor(DType.INT64, Shape.of(size() + 1), offsets),
        new Tensor(dtype, Shape.of(total), values));
  }

  /** A column of texts. */
  public List<String> strings(String field) {
    int slot = schema().slot(field);
    if (schema().field(slot).kind() != Field.Kind.STRING) {
      throw new IllegalArgumentException("field '" + field + "' holds no text");
    }
    List<String> texts = new ArrayList<>(size());
    for (int row = 0; row < size(); row++) {
      byte[] utf8 = source.value(slot, row).toArray(ValueLayout.JAVA_BYTE);
      texts.add(new String(utf8, StandardCharsets.UTF_8));
    }
    return texts;
  }

  /** A copy of the bytes of one row's value. */
  public byte[] bytes(String field, int row) {
    return source.value(schema().slot(field), row).toArray(ValueLayout.JAVA_BYTE);
  }

  /** The bytes of one row's value, in place; a view. */
  public MemorySegment value(String field, int row) {
    return source.value(schema().slot(field), row);
  }

  /** What the loader's own collator made of the rows, or null if it has none. */
  public @Nullable Object collated() {
    return source.collated();
  }

  /**
   * Makes the batch the caller's own: copies it out of the loader's memory, which is free at once,
   * so that any number of batches can be kept without stopping the loader. The caller closes it.
   */
  public Batch keep() {
    if (!isKept) {
      source.checkOpen();
      OwnedRows owned = new OwnedRows(source);
      source.close();
      source = owned;
      isKept = true;
    }
    return this;
  }

  boolean isKept() {
    return isKept;
  }

  @SuppressWarnings("MustBeClosedChecker") // close() does
  private MemorySegment allocate(long bytes) {
    source.checkOpen();
    if (arena == null) {
      arena = Arena.ofShared();
    }
    return arena.allocate(Math.max(1, bytes), ALIGNMENT_BYTES).asSlice(0, bytes);
  }

  @Override
  public void close() {
    if (arena != null) {
      arena.close();
      arena = null;
    }
    source.close();
  }
}
