package dev.forebay.cli.console;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Ctrl-C, for commands that report what they have when it comes. Thread-safe.
 *
 * <p>The process ends as the system's convention wants, with exit code 130. A command that has
 * called {@link #await} gets some seconds to finish before that.
 */
public final class Interruption {
  private static final long GRACE_SECONDS = 20;

  /** How far the command is. */
  private enum Phase {
    /** Ctrl-C ends it at once. */
    UNPREPARED,
    /** Ctrl-C makes its waits end. */
    RUNNING,
    /** Ctrl-C waits until it has reported. */
    ENDING
  }

  private final Thread worker = Thread.currentThread();
  private final CountDownLatch finished = new CountDownLatch(1);
  private Phase phase = Phase.UNPREPARED;
  private volatile boolean isRaised;

  /** True once Ctrl-C was pressed while the command ran. */
  public boolean isRaised() {
    return isRaised;
  }

  /** The command, run by the thread that created this, watches for Ctrl-C from here on. */
  public synchronized void await() {
    phase = Phase.RUNNING;
  }

  /** The command begins to report, in which it is not to be disturbed. */
  public synchronized void end() {
    phase = Phase.ENDING;
    if (isRaised) {
      Thread.interrupted();
    }
  }

  /** The command has reported. */
  public void finish() {
    finished.countDown();
  }

  /** What Ctrl-C does. */
  void raise() {
    synchronized (this) {
      if (phase == Phase.UNPREPARED) {
        return;
      }
      if (phase == Phase.RUNNING) {
        isRaised = true;
        worker.interrupt();
      }
    }
    try {
      finished.await(GRACE_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  /** Listens to this process's Ctrl-C. */
  public void install() {
    Runtime.getRuntime().addShutdownHook(new Thread(this::raise, "forebay-ctrl-c"));
  }
}
