package dev.forebay.pipeline;

import dev.forebay.error.BadDataException;
import dev.forebay.memory.MemoryBudget;
import dev.forebay.memory.MemoryBudgetException;
import dev.forebay.stats.Ticker;
import java.io.IOException;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Reads samples' bytes ahead of the workers, along the plan, within a byte budget.
 *
 * <pre>
 * Design
 *   idle --(reader: claim the next row, read)--> ready --(worker: make the row)--> idle
 *
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

  private final PipelineConfig config;
  private final Ticker ticker;
  private final MemoryBudget budget;
  private final long fairShareBytes;
  private final ArrayBlockingQueue<FetchBuffer> idle;
  private final ArrayBlockingQueue<FetchBuffer> ready;
  private final ReentrantLock largeObject = new ReentrantLock();
  private final Condition recycled = largeObject.newCondition();
  private final LongAdder bytesRead = new LongAdder();

  Fetcher(PipelineConfig config, int buffers, MemoryBudget budget) {
    this.config = config;
    this.ticker = config.ticker();
    this.budget = budget;
    this.fairShareBytes = budget.bytesMax() / buffers;
    this.idle = new ArrayBlockingQueue<>(buffers);
    this.ready = new ArrayBlockingQueue<>(buffers);
    for (int i = 0; i < buffers; i++) {
      idle.add(new FetchBuffer(budget));
    }
  }

  /** A buffer to read into; waits for one. */
  FetchBuffer takeIdle() throws InterruptedException {
    return idle.take();
  }

  /** A buffer whose row is to be made; waits for one. */
  FetchBuffer takeReady() throws InterruptedException {
    return ready.take();
  }

  /** Gives a buffer back after its row is made, or if there was no row for it. */
  void recycle(FetchBuffer buffer) {
    buffer.slot = null;
    buffer.failure = null;
    if (buffer.bytes.capacity() > fairShareBytes) {
      buffer.bytes.clear();
    }
    idle.add(buffer);
    if (largeObject.hasQueuedThreads() || largeObject.isLocked()) {
      largeObject.lock();
      try {
        recycled.signalAll();
      } finally {
        largeObject.unlock();
      }
    }
  }

  /** Reads the bytes of a claimed row and queues them for the workers; a failure travels along. */
  void fetch(FetchBuffer buffer, BatchSlot slot, int row) throws InterruptedException {
    buffer.slot = slot;
    buffer.row = row;
    slot.isReadBound[row] = ready.isEmpty();
    slot.readStart[row] = ticker.nanos();
    try {
      config.dataset().locate(slot.ids[row], buffer.range);
      buffer.length = read(buffer);
      bytesRead.add(buffer.length);
    } catch (IOException | RuntimeException failure) {
      buffer.failure = failure;
    }
    slot.readEnd[row] = ticker.nanos();
    ready.put(buffer);
  }

  private long read(FetchBuffer buffer) throws IOException, InterruptedException {
    try {
      return config.store().read(buffer.range, buffer.bytes);
    } catch (MemoryBudgetException _) {
      buffer.bytes.clear();
      return readLarge(buffer);
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
      FetchBuffer buffer = idle.poll();
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
    idle.forEach(FetchBuffer::close);
    ready.forEach(FetchBuffer::close);
  }
}
