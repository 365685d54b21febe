package dev.forebay.memory;

import java.util.concurrent.atomic.AtomicLong;

/**
 * A named limit on native memory, with a live counter. Thread-safe.
 *
 * <p>Whoever allocates reserves first and releases after freeing; a reservation beyond the limit
 * fails at once, with the numbers, and takes nothing.
 */
public final class MemoryBudget {
  private final String name;
  private final long bytesMax;
  private final AtomicLong bytesLive = new AtomicLong();

  /** A budget of {@code bytesMax} bytes, at least 0. */
  public MemoryBudget(String name, long bytesMax) {
    if (bytesMax < 0) {
      throw new IllegalArgumentException("bytesMax=" + bytesMax + " must be >= 0");
    }
    this.name = name;
    this.bytesMax = bytesMax;
  }

  /** A budget without a limit, which still counts. */
  public static MemoryBudget unlimited(String name) {
    return new MemoryBudget(name, Long.MAX_VALUE);
  }

  /** Takes {@code bytes} if they are free; returns false, taking nothing, if they are not. */
  public boolean tryReserve(long bytes) {
    if (bytes < 0) {
      throw new IllegalArgumentException("bytes=" + bytes + " must be >= 0");
    }
    long live = bytesLive.get();
    while (bytes <= bytesMax - live) {
      long seen = bytesLive.compareAndExchange(live, live + bytes);
      if (seen == live) {
        return true;
      }
      live = seen;
    }
    return false;
  }

  /** Takes {@code bytes} or throws {@link MemoryBudgetException}. */
  public void reserve(long bytes) {
    if (!tryReserve(bytes)) {
      throw new MemoryBudgetException(name, bytes, bytesLive.get(), bytesMax);
    }
  }

  /** Gives back what was reserved. */
  public void release(long bytes) {
    long live = bytesLive.addAndGet(-bytes);
    assert live >= 0 : name + " released more than it reserved: " + live;
  }

  /** The name used in messages. */
  public String name() {
    return name;
  }

  /** The limit. */
  public long bytesMax() {
    return bytesMax;
  }

  /** What is reserved now; for statistics. */
  public long bytesLive() {
    return bytesLive.get();
  }
}
