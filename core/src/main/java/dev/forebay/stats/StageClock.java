package dev.forebay.stats;

/**
 * Tells for how long one thread's work on a sample was decoding, and for how long anything else.
 * Confined to that thread; only {@link #stage} may be called by any.
 */
public final class StageClock {
  private final Ticker ticker;
  private long since;
  private long decodeNanos;
  private long transformNanos;

  /* Written only when it changes: a volatile write costs as much as a small sample. */
  private volatile Stage stage = Stage.TRANSFORM;

  /** A clock at rest. */
  public StageClock(Ticker ticker) {
    this.ticker = ticker;
  }

  /** Begins another sample at a time, in stage {@code TRANSFORM}. */
  public void start(long now) {
    decodeNanos = 0;
    transformNanos = 0;
    since = now;
    set(Stage.TRANSFORM);
  }

  /** Goes on in another stage; reads the time only if it is another. */
  public void enter(Stage next) {
    if (stage != next) {
      stop();
      set(next);
    }
  }

  /** As {@link #enter}, where no time has passed in the stage before. */
  public void begin(Stage first) {
    set(first);
  }

  private void set(Stage next) {
    if (stage != next) {
      stage = next;
    }
  }

  /** Counts the time up to now, and returns it. */
  public long stop() {
    long now = ticker.nanos();
    if (stage == Stage.DECODE) {
      decodeNanos += now - since;
    } else {
      transformNanos += now - since;
    }
    since = now;
    return now;
  }

  /** The stage that the thread is at. */
  public Stage stage() {
    return stage;
  }

  /** The time counted in stage {@code DECODE}. */
  public long decodeNanos() {
    return decodeNanos;
  }

  /** The time counted in other stages. */
  public long transformNanos() {
    return transformNanos;
  }
}
