package dev.forebay.stats;

/** A source of monotonic time, injected so that tests can drive it. Thread-safe. */
@FunctionalInterface
public interface Ticker {
  /** The machine's monotonic clock. */
  Ticker SYSTEM = System::nanoTime;

  /** Nanoseconds since an arbitrary origin; never runs backwards. */
  long nanos();
}
