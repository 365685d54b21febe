package dev.forebay.testing;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * The limit on every wait in a test: generous, so that a busy machine fails nothing, and finite, so
 * that a hang becomes a failure. Immutable.
 */
final class Deadline {
  static final long NANOS = TimeUnit.SECONDS.toNanos(10);

  private final long endNanos;

  private Deadline(long endNanos) {
    this.endNanos = endNanos;
  }

  static Deadline in(long nanos) {
    return new Deadline(System.nanoTime() + nanos);
  }

  /** What is left, in nanoseconds; 0 or less if nothing is. */
  long nanosLeft() {
    return endNanos - System.nanoTime();
  }

  boolean isOver() {
    return nanosLeft() <= 0;
  }

  /** Waits until {@code condition} holds; returns false if it did not in time. */
  boolean await(BooleanSupplier condition) {
    while (!condition.getAsBoolean()) {
      if (isOver()) {
        return false;
      }
      pause();
    }
    return true;
  }

  /** Lets others run, between two looks at something that gives no sign when it changes. */
  @SuppressWarnings("ThreadPriorityCheck") // only the time of the next look depends on the yield
  static void pause() {
    Thread.yield();
  }
}
