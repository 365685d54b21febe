package dev.forebay.pipeline;

import dev.forebay.error.BadDataException;
import dev.forebay.memory.MemoryBudget;
import dev.forebay.memory.MemoryBudgetException;
import dev.forebay.stats.Ticker;
import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Reads samples' bytes ahead of the workers, along the plan, within a byte budget.
 *
 * <pre>
 * Design
 *   idle --(reader: claim the next row, read)--> ready --(worker: make the row)--> idle
 *
 *   Buffers go in chains: of many where reading takes little time, so that locks and wake-ups are shared,
 *   of one where it takes long. A reader's chain goes on as soon as it has taken CHUNK_NANOS.
 *   A fixed number of buffers goes round, so a slow worker stops the readers and a slow storage starves
 *   the workers, and nothing grows. Rows are claimed in plan order, each with a buffer in hand, so the
 *   earliest unread row always has one: no deadlock.
 *   Buffers keep their memory while they go round, up to a fair share of the budget. An object for which
 *   the budget has no room makes its reader give back its own memory, then, one such reader at a time
 *   (largeObject), trim the idle buffers and wait for others to come back. When nothing else holds
 *   memory and it still does not fit, the budget is too small for that object, and the error says so.
 * </pre>
 *
 * <p>Thread-safe. Queues own the buffers in them; {@code recycled} is guarded by {@code
 * largeObject}.
 */
final class Fetcher implements AutoCloseable {
  private static final long RETRY_NANOS = 50_000_000;

  /** How long a reader may keep what it has read. */
  private static final long CHUNK_NANOS = 100_000;

  private static final int CHUNK_MAX = 16;

  /** The weight of the latest read in the mean, as a shift. */
  private static final int MEAN_SHIFT = 3;

  private final PipelineConfig config;
  private final Ticker ticker;
  private final MemoryBudget budget;
  private final long fairShareBytes;
  private final BufferQueue idle = new BufferQueue();
  private final BufferQueue ready = new BufferQueue();
  private final ReentrantLock largeObject = new ReentrantLock();
  private final Condition recycled = largeObject.newCondition();
  private final LongAdder bytesRead = new LongAdder();

  /* What a read took of late; any reader writes it, and a lost update does not matter. */
  private volatile long meanNanos = CHUNK_NANOS;

  Fetcher(PipelineConfig config, int buffers, MemoryBudget budget) {
    this.config = config;
    this.ticker = config.ticker();
    this.budget = budget;
    this.fairShareBytes = budget.bytesMax() / buffers;
    for (int i = 0; i < buffers; i++) {
      idle.add(new FetchBuffer(budget));
    }
  }

  /** A chain of buffers to read into, as long as is good now; waits for one. */
  FetchBuffer takeIdle() throws InterruptedException {
    return idle.take(Math.clamp(CHUNK_NANOS / Math.max(1, meanNanos), 1, CHUNK_MAX));
  }

  /** A chain of up to {@code max} buffers whose rows are to be made; waits for one. */
  FetchBuffer takeReady(int max) throws InterruptedException {
    return ready.take(max);
  }

  /** Gives a chain back after its rows are made, or if there were no rows for it. */
  void recycle(FetchBuffer chain) {
    for (FetchBuffer buffer = chain; buffer != null; buffer = buffer.next) {
      buffer.slot = null;
      buffer.failure = null;
      if (buffer.bytes.capacity() > fairShareBytes) {
        buffer.bytes.clear();
      }
    }
    idle.add(chain);
    if (largeObject.hasQueuedThreads() || largeObject.isLocked()) {
      largeObject.lock();
      try {
        recycled.signalAll();
      } finally {
        largeObject.unlock();
      }
    }
  }

  /**
   * Reads the bytes of claimed rows and queues them for the workers; failures travel along. What is
   * left of the chain is given back.
   *
   * @param chain at least {@code count} buffers
   */
  void fetch(FetchBuffer chain, BatchSlot slot, int firstRow, int count)
      throws InterruptedException {
    Reading reading = new Reading(chain);
    for (int row = firstRow; row < firstRow + count; row++) {
      reading.read(slot, row);
    }
    reading.end();
  }

  /** A chain on its way through a reader. */
  private final class Reading {
    /** What is read but not queued: from here up to {@code latest}, which is null if nothing is. */
    private FetchBuffer begin;

    private @Nullable FetchBuffer latest;
    private @Nullable FetchBuffer next;
    private long startNanos = ticker.nanos();
    private long sinceNanos = startNanos;

    Reading(FetchBuffer chain) {
      begin = chain;
      next = chain;
    }

    /** Reads one row's bytes into the next buffer. */
    void read(BatchSlot slot, int row) throws InterruptedException {
      FetchBuffer buffer = Objects.requireNonNull(next, "a row without a buffer");
      buffer.slot = slot;
      buffer.row = row;
      slot.isReadBound[row] = ready.size() == 0;
      slot.readStart[row] = sinceNanos;
      try {
        config.dataset().locate(slot.ids[row], buffer.range);
        buffer.length = read(buffer);
        bytesRead.add(buffer.length);
      } catch (IOException | RuntimeException failure) {
        buffer.failure = failure;
      }
      long now = ticker.nanos();
      slot.readEnd[row] = now;
      long mean = meanNanos;
      meanNanos = mean + ((now - sinceNanos - mean) >> MEAN_SHIFT);
      sinceNanos = now;
      latest = buffer;
      next = buffer.next;
      if (now - startNanos > CHUNK_NANOS) {
        queue();
      }
    }

    private long read(FetchBuffer buffer) throws IOException, InterruptedException {
      try {
        return config.store().read(buffer.range, buffer.bytes);
      } catch (MemoryBudgetException _) {
        // Nobody may wait for memory while holding any.
        queue();
        for (FetchBuffer own = buffer; own != null; own = own.next) {
          own.bytes.clear();
        }
        return readLarge(buffer);
      }
    }

    /** Queues what was read. */
    private void queue() {
      FetchBuffer last = latest;
      if (last == null) {
        return;
      }
      FetchBuffer rest = last.next;
      last.next = null;
      ready.add(begin);
      latest = null;
      startNanos = sinceNanos;
      if (rest != null) {
        begin = rest;
      }
    }

    /** Queues what was read, and gives back what is left. */
    void end() {
      FetchBuffer left = next;
      queue();
      if (left != null) {
        recycle(left);
      }
    }
  }

  private long readLarge(FetchBuffer buffer) throws IOException, InterruptedException {
    largeObject.lockInterruptibly();
    try {
      while (true) {
        trimIdle();
        try {
          return config.store().read(buffer.range, buffer.bytes);
        } catch (MemoryBudgetException shortage) {
          buffer.bytes.clear();
          if (budget.bytesLive() == 0) {
            throw tooLarge(shortage);
          }
        }
        // Others hold memory; a worker that gives some back signals. The bound covers one that did
        // so between our attempt and this wait.
        recycled.await(RETRY_NANOS, TimeUnit.NANOSECONDS);
      }
    } finally {
      largeObject.unlock();
    }
  }

  /** The error of an object that does not fit into the whole read-ahead budget. */
  static BadDataException tooLarge(MemoryBudgetException shortage) {
    return new BadDataException(
        "the object is larger than all memory for reading ahead: "
            + shortage.getMessage()
            + ", or raise readAheadBytes",
        shortage);
  }

  private void trimIdle() {
    for (int i = idle.size(); i > 0; i--) {
      @Nullable FetchBuffer buffer = idle.poll();
      if (buffer == null) {
        return;
      }
      buffer.bytes.clear();
      idle.add(buffer);
    }
  }

  /** Bytes read so far. */
  long bytesRead() {
    return bytesRead.sum();
  }

  /** Frees all buffers in the queues; call it when no reader or worker runs. */
  @Override
  public void close() {
    idle.close();
    ready.close();
  }
}
