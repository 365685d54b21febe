package dev.forebay.pipeline;

import dev.forebay.memory.Field;
import dev.forebay.memory.Schema;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * A finished batch, lent to the consumer until it is {@linkplain #close() released}; its rows are
 * then built anew, so nothing may refer to them any more. Confined to the consumer's thread, but
 * for {@code close}, which any thread may call.
 */
public final class BatchLease implements RowSource {
  private final Pipeline pipeline;
  private final BatchSlot slot;
  private final long epoch;
  private final long number;
  private final int size;
  private volatile boolean open = true;

  BatchLease(Pipeline pipeline, BatchSlot slot) {
    this.pipeline = pipeline;
    this.slot = slot;
    this.epoch = slot.epoch;
    this.number = slot.number;
    this.size = slot.rows;
  }

  @Override
  public Schema schema() {
    return slot.ring.schema();
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
    return size;
  }

  @Override
  public long id(int row) {
    checkOpen();
    return slot.deliveredIds[checkRow(row)];
  }

  @Override
  public MemorySegment rows(int field) {
    checkOpen();
    return slot.ring.rows(field, slot.index, size);
  }

  @Override
  public long rowBytes(int field) {
    return slot.ring.rowBytes(field);
  }

  @Override
  public long dim(int field, int row, int axis) {
    checkOpen();
    Field description = schema().field(field);
    if (description.isFixed()) {
      return description.shape().dim(axis);
    }
    return slot.dims(field)[checkRow(row) * description.shape().rank() + axis];
  }

  @Override
  public MemorySegment value(int field, int row) {
    checkOpen();
    long bytes = elements(field, row) * schema().field(field).dtype().bytes();
    MemorySegment spill = slot.spill(field, row);
    if (spill != null) {
      return spill;
    }
    return slot.ring.region(field).asSlice(slot.ring.rowOffset(field, slot.index, row), bytes);
  }

  @Override
  public @Nullable Object collated() {
    checkOpen();
    return slot.collated;
  }

  private int checkRow(int row) {
    if (row < 0 || row >= size) {
      throw new IndexOutOfBoundsException("row=" + row + " size=" + size);
    }
    return row;
  }

  @Override
  public void checkOpen() {
    if (!open) {
      throw new IllegalStateException(
          "batch %d of epoch %d was released; its memory may hold another batch by now"
              .formatted(number, epoch));
    }
  }

  /** Releases the rows; does nothing the second time. */
  @Override
  public void close() {
    if (pipeline.release(this, slot)) {
      open = false;
    }
  }

  /** For the pipeline, under its lock: true the first time. */
  boolean markReleased() {
    boolean wasOpen = open;
    open = false;
    return wasOpen;
  }
}
