package dev.forebay.pipeline;

import dev.forebay.error.SampleException;
import dev.forebay.memory.Field;
import dev.forebay.memory.MemoryBudget;
import dev.forebay.memory.Schema;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * One slot of the {@link RowRing} and the batch in it: which samples belong into its rows, what
 * became of them, and when.
 *
 * <pre>
 * Design
 *   FREE --plan--> FILLING --last row--> READY --take--> LEASED --release--> FREE
 *
 *   {@code phase}, and everything while FREE or LEASED:      guarded by the pipeline's lock
 *   plan (epoch .. padding): written under the lock before the batch's number is published,
 *                            read-only while FILLING
 *   per-row arrays, dims, spill: row i is written by the one worker that claimed row i
 *   {@code remaining}:       counts the rows down; its release/acquire publishes all rows to whoever
 *                            brings it to 0, and the pipeline's lock from there to the consumer
 *   spillArena, failure:     guarded by this slot's monitor while FILLING
 *
 * Invariants: the sum of claimed and unclaimed rows is {@code planned}; a row is finished once.
 * Not invariants: rows finish in any order; {@code rows} may be smaller than {@code planned}.
 * </pre>
 */
final class BatchSlot {
  enum Phase {
    FREE,
    FILLING,
    READY,
    LEASED
  }

  /** What became of a row's sample. */
  enum Outcome {
    PENDING,
    DELIVERED,
    SUBSTITUTED,
    SKIPPED,
    FAILED
  }

  final int index;
  final RowRing ring;

  Phase phase = Phase.FREE;
  long epoch;
  long number;
  long firstPosition;
  int planned;
  final long[] ids;
  final boolean[] padding;

  final long[] deliveredIds;
  final Outcome[] outcomes;
  final long[] readStart;
  final long[] readEnd;
  final long[] workEnd;
  final long[] decodeNanos;
  final long[] transformNanos;
  final boolean[] isReadBound;
  private final long[][] dims;
  private final @Nullable MemorySegment[][] spill;
  private @Nullable Arena spillArena;
  private long spillBytes;
  private @Nullable SampleException failure;
  private int failureRow;

  private final AtomicInteger remaining = new AtomicInteger();
  int rows;
  int lastRow;
  long readyAt;
  @Nullable Object collated;

  BatchSlot(int index, RowRing ring) {
    this.index = index;
    this.ring = ring;
    int capacity = ring.batchRows();
    Schema schema = ring.schema();
    this.ids = new long[capacity];
    this.padding = new boolean[capacity];
    this.deliveredIds = new long[capacity];
    this.outcomes = new Outcome[capacity];
    this.readStart = new long[capacity];
    this.readEnd = new long[capacity];
    this.workEnd = new long[capacity];
    this.decodeNanos = new long[capacity];
    this.transformNanos = new long[capacity];
    this.isReadBound = new boolean[capacity];
    this.dims = new long[schema.size()][];
    this.spill = new MemorySegment[schema.size()][];
    for (int field = 0; field < schema.size(); field++) {
      Field description = schema.field(field);
      if (!description.isFixed()) {
        dims[field] = new long[capacity * description.shape().rank()];
        spill[field] = new MemorySegment[capacity];
      }
    }
  }

  /**
   * Begins to be filled with the {@code planned} samples that {@code ids} and {@code padding} name.
   */
  void startFilling() {
    phase = Phase.FILLING;
    rows = planned;
    failure = null;
    collated = null;
    for (int row = 0; row < planned; row++) {
      outcomes[row] = Outcome.PENDING;
      deliveredIds[row] = ids[row];
      readStart[row] = 0;
    }
    remaining.set(planned);
  }

  /** Marks rows as finished; true for the one caller that finished the last. */
  boolean finish(int count) {
    int left = remaining.addAndGet(-count);
    assert left >= 0 : "rows finished twice";
    return left == 0;
  }

  /** Rows that are not finished; for reports. */
  int remaining() {
    return remaining.get();
  }

  /** The extents of a varying field in a row: index {@code row * rank + axis}. */
  long[] dims(int field) {
    return dims[field];
  }

  /** The value of a row that is larger than the ring's row, or null. */
  @Nullable MemorySegment spill(int field, int row) {
    @Nullable MemorySegment[] spilled = spill[field];
    return spilled == null ? null : spilled[row];
  }

  /** Memory for a value that is larger than the ring's row; freed when the slot is. */
  @SuppressWarnings("MustBeClosedChecker") // release() closes it
  synchronized MemorySegment allocateSpill(int field, int row, long bytes, MemoryBudget budget) {
    budget.reserve(bytes);
    spillBytes += bytes;
    if (spillArena == null) {
      spillArena = Arena.ofShared();
    }
    MemorySegment memory = spillArena.allocate(bytes, 8);
    spill[field][row] = memory;
    return memory;
  }

  /** Remembers the failure of the lowest row, so that the same run reports the same sample. */
  synchronized void fail(int row, SampleException error) {
    if (failure == null || row < failureRow) {
      failure = error;
      failureRow = row;
    }
  }

  synchronized @Nullable SampleException failure() {
    return failure;
  }

  /** Moves the rows behind a skipped one up, so that the batch stays contiguous and in order. */
  void compact() {
    int kept = 0;
    for (int row = 0; row < planned; row++) {
      if (outcomes[row] == Outcome.SKIPPED || outcomes[row] == Outcome.FAILED) {
        continue;
      }
      if (kept != row) {
        moveRow(row, kept);
      }
      kept++;
    }
    rows = kept;
  }

  private void moveRow(int from, int to) {
    deliveredIds[to] = deliveredIds[from];
    for (int field = 0; field < dims.length; field++) {
      MemorySegment region = ring.region(field);
      long bytes = ring.rowBytes(field);
      MemorySegment.copy(
          region,
          ring.rowOffset(field, index, from),
          region,
          ring.rowOffset(field, index, to),
          bytes);
      if (dims[field] != null) {
        int rank = dims[field].length / ids.length;
        System.arraycopy(dims[field], from * rank, dims[field], to * rank, rank);
        spill[field][to] = spill[field][from];
      }
    }
  }

  /** Frees what only this batch held. */
  synchronized void release(MemoryBudget budget) {
    phase = Phase.FREE;
    collated = null;
    if (spillArena != null) {
      spillArena.close();
      spillArena = null;
      budget.release(spillBytes);
      spillBytes = 0;
      for (@Nullable MemorySegment[] spilled : spill) {
        if (spilled != null) {
          Arrays.fill(spilled, null);
        }
      }
    }
  }
}
