package dev.forebay.pipeline;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Deals out the rows of the planned batches, in plan order, each exactly once. Lock-free and
 * thread-safe.
 *
 * <p>One number holds the next row to deal out: the batch's sequence number times 2^24 plus the
 * row. It only grows, so a compare-and-set that succeeds also proves that the batch looked at was
 * not recycled meanwhile: a slot is recycled only after all its rows were dealt out and finished.
 */
final class WorkCursor {
  /** The most rows in a batch. */
  static final int ROWS_MAX = (1 << 24) - 1;

  private static final int ROW_BITS = 24;

  private final AtomicLong next = new AtomicLong();

  /** The sequence number of the batch that the next claim will look at. */
  long sequence() {
    return next.get() >>> ROW_BITS;
  }

  /** The sequence number of a claim's batch. */
  static long sequenceOf(long claim) {
    return claim >>> ROW_BITS;
  }

  static int rowOf(long claim) {
    return (int) claim & ROWS_MAX;
  }

  /**
   * Claims up to {@code count} rows of one batch.
   *
   * @param slots the batches by sequence number modulo their count
   * @param planned how many batches are planned; read by the caller from a volatile field
   * @return the claim's first row, or -1 if everything planned is dealt out. The number of rows is
   *     {@code min(count, slot.planned - row)}
   */
  long claim(BatchSlot[] slots, long planned, int count) {
    while (true) {
      long current = next.get();
      long sequence = current >>> ROW_BITS;
      if (sequence >= planned) {
        return -1;
      }
      int row = rowOf(current);
      int size = slots[(int) (sequence % slots.length)].planned;
      if (row >= size) {
        next.compareAndSet(current, (sequence + 1) << ROW_BITS);
      } else if (next.compareAndSet(current, current + Math.min(count, size - row))) {
        return current;
      }
    }
  }
}
