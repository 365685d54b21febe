package dev.forebay.pipeline;

import dev.forebay.memory.Field;
import dev.forebay.memory.MemoryBudget;
import dev.forebay.memory.Pages;
import dev.forebay.memory.Schema;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * The rows in which batches are built and from which they are consumed: per field one region of
 * {@code slots * batchRows} rows, allocated once, outside the heap. A batch occupies the first rows
 * of one slot, so each of its fields is one contiguous range.
 *
 * <p>Who may touch which row is decided by {@link BatchSlot}; this class only knows the layout:
 *
 * <pre>
 *   region of a field:  | slot 0: row 0 .. row B-1 | slot 1: row 0 .. row B-1 | ...
 * </pre>
 *
 * <p>Immutable after construction, but for its memory. The pipeline closes it when no worker runs
 * and no lease is open.
 */
final class RowRing implements AutoCloseable {
  private static final long STRING_BYTES = 256;
  private static final long VARYING_BYTES = 64 * 1024;

  private final Schema schema;
  private final int slots;
  private final int batchRows;
  private final long[] rowBytes;
  private final MemorySegment[] regions;
  private final MemoryBudget budget;
  private final long bytes;
  private final Arena arena;

  @SuppressWarnings("MustBeClosedChecker") // the ring closes its arena
  RowRing(Schema schema, int slots, int batchRows, MemoryBudget budget) {
    this.schema = schema;
    this.slots = slots;
    this.batchRows = batchRows;
    this.budget = budget;
    this.rowBytes = new long[schema.size()];
    this.regions = new MemorySegment[schema.size()];
    long total = 0;
    for (int field = 0; field < rowBytes.length; field++) {
      rowBytes[field] = rowBytesOf(schema.field(field));
      total = Math.addExact(total, regionBytes(field));
    }
    this.bytes = total;
    budget.reserve(bytes);
    this.arena = Arena.ofShared();
    try {
      for (int field = 0; field < rowBytes.length; field++) {
        regions[field] = Pages.allocate(arena, Math.max(1, regionBytes(field)));
      }
    } catch (Throwable failure) {
      close();
      throw failure;
    }
  }

  /** The bytes of a batch of that many rows. */
  static long batchBytes(Schema schema, int batchRows) {
    long bytes = 0;
    for (int field = 0; field < schema.size(); field++) {
      bytes += Math.multiplyExact((long) batchRows, rowBytesOf(schema.field(field)));
    }
    return bytes;
  }

  private static long rowBytesOf(Field field) {
    if (field.isFixed()) {
      return field.bytes();
    }
    if (field.bytesMax() > 0) {
      return field.bytesMax();
    }
    return field.kind() == Field.Kind.STRING ? STRING_BYTES : VARYING_BYTES;
  }

  private long regionBytes(int field) {
    return Math.multiplyExact(Math.multiplyExact((long) slots, batchRows), rowBytes[field]);
  }

  Schema schema() {
    return schema;
  }

  int slots() {
    return slots;
  }

  int batchRows() {
    return batchRows;
  }

  long bytes() {
    return bytes;
  }

  /** The distance between rows of a field, which is also the room in one. */
  long rowBytes(int field) {
    return rowBytes[field];
  }

  MemorySegment region(int field) {
    return regions[field];
  }

  /** Where a row begins in its field's region. */
  long rowOffset(int field, int slot, int row) {
    return ((long) slot * batchRows + row) * rowBytes[field];
  }

  /** The first {@code rows} rows of a slot. */
  MemorySegment rows(int field, int slot, int rows) {
    return regions[field].asSlice(rowOffset(field, slot, 0), rows * rowBytes[field]);
  }

  @Override
  public void close() {
    arena.close();
    budget.release(bytes);
  }
}
