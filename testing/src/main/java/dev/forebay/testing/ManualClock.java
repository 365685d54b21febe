package dev.forebay.testing;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * A clock that stands still until a test moves it: for code that takes its nanoseconds from a
 * {@link LongSupplier}. Starts at a time that is neither zero nor positive, as {@link
 * System#nanoTime} may, so that code which compares times instead of differences fails.
 * Thread-safe.
 */
public final class ManualClock implements LongSupplier {
  private static final long START_NANOS = Long.MAX_VALUE - Duration.ofSeconds(1).toNanos();

  private final AtomicLong nanos = new AtomicLong(START_NANOS);

  /** A clock that overflows one second after its start. */
  public ManualClock() {}

  /** The time in nanoseconds from an arbitrary origin; only differences mean anything. */
  @Override
  public long getAsLong() {
    return nanos.get();
  }

  /** The time since the start, in nanoseconds. */
  public long elapsedNanos() {
    return nanos.get() - START_NANOS;
  }

  /** Moves the clock forward. */
  public void advance(Duration by) {
    advanceNanos(by.toNanos());
  }

  /** Moves the clock forward by at least 0 nanoseconds. */
  public void advanceNanos(long by) {
    if (by < 0) {
      throw new IllegalArgumentException("by=" + by + " must be >= 0");
    }
    nanos.addAndGet(by);
  }
}
