package dev.forebay.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * A native buffer that grows on demand and is reused from sample to sample, so that steady state
 * allocates nothing. Confined to one owner at a time: the owner may be another thread each time, if
 * handing over happens-before its next use. The owner closes it.
 */
public final class NativeBuffer implements AutoCloseable {
  private static final long ALIGNMENT_BYTES = 64;
  private static final long BYTES_MIN = 256;

  private final MemoryBudget budget;
  private Arena arena = Arena.ofShared();
  private MemorySegment segment = MemorySegment.NULL;
  private boolean closed;

  /** An empty buffer whose memory counts towards {@code budget}. */
  public NativeBuffer(MemoryBudget budget) {
    this.budget = budget;
  }

  /**
   * Makes room for at least {@code bytes} and returns the whole buffer, 64-byte aligned. What it
   * held before is lost when it grows.
   */
  public MemorySegment ensure(long bytes) {
    if (bytes > segment.byteSize()) {
      grow(bytes, 0);
    }
    return segment;
  }

  /** As {@link #ensure}, but keeps the first {@code bytesKept} bytes. */
  public MemorySegment ensureKeeping(long bytes, long bytesKept) {
    if (bytes > segment.byteSize()) {
      grow(bytes, bytesKept);
    }
    return segment;
  }

  @SuppressWarnings("MustBeClosedChecker") // the arena lives as long as the buffer, which closes it
  private void grow(long bytes, long bytesKept) {
    if (closed) {
      throw new IllegalStateException("the buffer is closed");
    }
    if (bytesKept == 0) {
      clear();
    }
    long capacity = reserve(bytes);
    Arena grownArena = Arena.ofShared();
    MemorySegment grown;
    try {
      grown = grownArena.allocate(capacity, ALIGNMENT_BYTES);
    } catch (Throwable failure) {
      grownArena.close();
      budget.release(capacity);
      throw failure;
    }
    MemorySegment.copy(segment, 0, grown, 0, bytesKept);
    budget.release(segment.byteSize());
    arena.close();
    arena = grownArena;
    segment = grown;
  }

  /**
   * Grows by half at least, so that slightly larger samples do not regrow it; just enough where the
   * budget has no room for more. In whole cache lines.
   */
  private long reserve(long bytes) {
    long roomy = aligned(Math.max(BYTES_MIN, Math.addExact(bytes, bytes >> 1)));
    if (budget.tryReserve(roomy)) {
      return roomy;
    }
    long enough = aligned(bytes);
    budget.reserve(enough);
    return enough;
  }

  private static long aligned(long bytes) {
    return Math.addExact(bytes, ALIGNMENT_BYTES - 1) & -ALIGNMENT_BYTES;
  }

  /** The whole buffer as it is now; empty before the first {@link #ensure}. */
  public MemorySegment segment() {
    return segment;
  }

  /** The bytes it holds of its budget. */
  public long capacity() {
    return segment.byteSize();
  }

  /** Frees the memory; the buffer stays usable and grows again on demand. */
  public void clear() {
    if (closed) {
      return;
    }
    budget.release(segment.byteSize());
    segment = MemorySegment.NULL;
    arena.close();
    arena = newArena();
  }

  @SuppressWarnings("MustBeClosedChecker") // the buffer closes it
  private static Arena newArena() {
    return Arena.ofShared();
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      budget.release(segment.byteSize());
      segment = MemorySegment.NULL;
      arena.close();
    }
  }
}
