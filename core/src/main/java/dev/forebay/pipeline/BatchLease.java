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
public final class BatchLease implements AutoCloseable {
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

  /** The schema of the rows. */
  public Schema schema() {
    return slot.ring.schema();
  }

  /** The epoch, 0-based. */
  public long epoch() {
    return epoch;
  }

  /** The batch's number in the epoch as this loader sees it, from where it started; 0-based. */
  public long number() {
    return number;
  }

  /** The number of rows, at least 1. */
  public int size() {
    return size;
  }

  /** The id of the sample in a row: the substitute's, if there is one. */
  public long id(int row) {
    checkOpen();
    return slot.deliveredIds[checkRow(row)];
  }

  /** All rows of a field, {@link #rowBytes} apart. */
  public MemorySegment rows(int field) {
    checkOpen();
    return slot.ring.rows(field, slot.index, size);
  }

  /** The distance from one row of a field to the next, in bytes. */
  public long rowBytes(int field) {
    return slot.ring.rowBytes(field);
  }

  /** The extent of a row's value along an axis. */
  public long dim(int field, int row, int axis) {
    checkOpen();
    Field description = schema().field(field);
    if (description.isFixed()) {
      return description.shape().dim(axis);
    }
    return slot.dims(field)[checkRow(row) * description.shape().rank() + axis];
  }

  /** The number of elements of a row's value. */
  public long elements(int field, int row) {
    long elements = 1;
    for (int axis = 0; axis < schema().field(field).shape().rank(); axis++) {
      elements *= dim(field, row, axis);
    }
    return elements;
  }

  /** The value in a row, wherever it lies; exactly its bytes. */
  public MemorySegment value(int field, int row) {
    checkOpen();
    long bytes = elements(field, row) * schema().field(field).dtype().bytes();
    MemorySegment spill = slot.spill(field, row);
    if (spill != null) {
      return spill;
    }
    return slot.ring.region(field).asSlice(slot.ring.rowOffset(field, slot.index, row), bytes);
  }

  /** What the user's own collation made of the batch, or null if there is none. */
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

  /** Throws {@link IllegalStateException} if the batch was released. */
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
