package dev.forebay;

import dev.forebay.memory.Field;
import dev.forebay.memory.Schema;
import dev.forebay.pipeline.RowSource;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** A copy of a batch's rows in memory of its own. Confined to its owner. */
final class OwnedRows implements RowSource {
  private static final long ALIGNMENT_BYTES = 64;

  private final Arena arena;
  private final Schema schema;
  private final long epoch;
  private final long number;
  private final long[] ids;
  private final MemorySegment[] columns;
  private final long[] rowBytes;
  private final MemorySegment[][] values;
  private final long[][] dims;
  private final @Nullable Object collated;
  private boolean open = true;

  @SuppressWarnings("MustBeClosedChecker") // close() does
  OwnedRows(RowSource source) {
    this.arena = Arena.ofShared();
    this.schema = source.schema();
    this.epoch = source.epoch();
    this.number = source.number();
    this.collated = source.collated();
    this.ids = new long[source.size()];
    for (int row = 0; row < ids.length; row++) {
      ids[row] = source.id(row);
    }
    this.columns = new MemorySegment[schema.size()];
    this.rowBytes = new long[schema.size()];
    this.values = new MemorySegment[schema.size()][];
    this.dims = new long[schema.size()][];
    for (int field = 0; field < columns.length; field++) {
      rowBytes[field] = source.rowBytes(field);
      columns[field] = copyOf(source.rows(field));
      if (!schema.field(field).isFixed()) {
        copyVarying(source, field);
      }
    }
  }

  private MemorySegment copyOf(MemorySegment original) {
    return arena
        .allocate(Math.max(1, original.byteSize()), ALIGNMENT_BYTES)
        .asSlice(0, original.byteSize())
        .copyFrom(original);
  }

  private void copyVarying(RowSource source, int field) {
    int rank = schema.field(field).shape().rank();
    values[field] = new MemorySegment[ids.length];
    dims[field] = new long[ids.length * rank];
    for (int row = 0; row < ids.length; row++) {
      values[field][row] = copyOf(source.value(field, row));
      for (int axis = 0; axis < rank; axis++) {
        dims[field][row * rank + axis] = source.dim(field, row, axis);
      }
    }
  }

  @Override
  public Schema schema() {
    return schema;
  }

  @Override
  public long epoch() {
    return epoch;
  }

  @Override
  public long number() {
    return number;
  }

  @Override
  public int size() {
    return ids.length;
  }

  @Override
  public long id(int row) {
    return ids[row];
  }

  @Override
  public MemorySegment rows(int field) {
    checkOpen();
    return columns[field];
  }

  @Override
  public long rowBytes(int field) {
    return rowBytes[field];
  }

  @Override
  public long dim(int field, int row, int axis) {
    Field description = schema.field(field);
    return description.isFixed()
        ? description.shape().dim(axis)
        : dims[field][row * description.shape().rank() + axis];
  }

  @Override
  public MemorySegment value(int field, int row) {
    checkOpen();
    return schema.field(field).isFixed()
        ? columns[field].asSlice(row * rowBytes[field], rowBytes[field])
        : values[field][row];
  }

  @Override
  public @Nullable Object collated() {
    checkOpen();
    return collated;
  }

  @Override
  public void checkOpen() {
    if (!open) {
      throw new IllegalStateException("batch %d of epoch %d was closed".formatted(number, epoch));
    }
  }

  @Override
  public void close() {
    if (open) {
      open = false;
      arena.close();
    }
  }
}
