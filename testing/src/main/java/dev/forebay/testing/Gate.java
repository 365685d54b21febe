package dev.forebay.testing;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * A point in the code under test at which a test can hold it and act. A fake (a storage, a
 * transform, a clock) calls {@link #pass}, which blocks; the test {@linkplain #awaitArrival waits}
 * until somebody is there, does what it wants to do at that moment, and {@linkplain #open opens}
 * the gate for good. Every wait ends within ten seconds. Thread-safe.
 */
public final class Gate {
  private final String name;
  private final CountDownLatch arrived = new CountDownLatch(1);
  private final CountDownLatch opened = new CountDownLatch(1);

  /** A closed gate; the name appears in failures. */
  public Gate(String name) {
    this.name = name;
  }

  /**
   * For the code under test: waits until the gate is open.
   *
   * @throws AssertionError if it is not opened in time
   * @throws InterruptedException if the thread is interrupted while it waits
   */
  public void pass() throws InterruptedException {
    arrived.countDown();
    if (!opened.await(Deadline.NANOS, TimeUnit.NANOSECONDS)) {
      throw new AssertionError("gate \"" + name + "\" was reached but not opened in time");
    }
  }

  /** For the test: waits until the code under test has reached the gate. */
  public void awaitArrival() throws InterruptedException {
    if (!arrived.await(Deadline.NANOS, TimeUnit.NANOSECONDS)) {
      throw new AssertionError("gate \"" + name + "\" was not reached in time");
    }
  }

  /** Lets through whoever waits and whoever comes later. */
  public void open() {
    opened.countDown();
  }
}
