package dev.forebay.pipeline;

import dev.forebay.memory.MemoryBudget;
import dev.forebay.memory.NativeBuffer;
import dev.forebay.storage.ObjectRange;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of one sample on their way from storage to a worker, or the reason why there are none.
 * One owner at a time: the pool, a reader, the queue, a worker; handed over through the {@link
 * Fetcher}'s queues, which order the accesses.
 */
final class FetchBuffer implements AutoCloseable {
  final NativeBuffer bytes;
  final ObjectRange range = new ObjectRange();

  /** The next one of the chain that it belongs to. */
  @Nullable FetchBuffer next;

  @Nullable BatchSlot slot;
  int row;
  long length;
  @Nullable Throwable failure;

  FetchBuffer(MemoryBudget budget) {
    this.bytes = new NativeBuffer(budget);
  }

  @Override
  public void close() {
    bytes.close();
    range.close();
  }
}
