package dev.forebay.testing;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * An action on a thread of its own, of which a test can say when it must block and when it must
 * end. Every wait ends within ten seconds, and a failure shows where the thread stands.
 * Thread-safe; the test that starts it closes it.
 *
 * {@snippet :
 * try (Background taker = Background.start("taker", () -> queue.take())) {
 *   taker.awaitBlocked();
 *   queue.close();
 *   taker.join();
 * }
 * }
 */
public final class Background implements AutoCloseable {
  /*
   * The JVM itself makes a thread wait now and then: for a class that another one is loading, say.
   * So a wait counts once it has been one and the same for this long.
   */
  private static final long STILL_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private final Thread thread;

  /* Written by the thread before it ends, read by others after its end. */
  private volatile @Nullable Throwable failure;

  private Background(String name, Action action) {
    this.thread = Thread.ofPlatform().name(name).daemon().unstarted(() -> run(action));
  }

  /** What runs in the background. */
  @FunctionalInterface
  public interface Action {
    /** Runs to its end. */
    void run() throws Exception;
  }

  /** Starts an action on a new platform thread of this name. */
  public static Background start(String name, Action action) {
    Background background = new Background(name, action);
    background.thread.start();
    return background;
  }

  /* Errors are kept as well: an assertion that fails in the background is the test's failure. */
  private void run(Action action) {
    try {
      action.run();
    } catch (Exception | Error e) {
      failure = e;
    }
  }

  /**
   * Waits until the thread stands still in a wait, for a lock or for a condition. It may go on as
   * soon as somebody lets it, so this says something about a thread which nobody else wakes.
   */
  public void awaitBlocked() {
    boolean blocked = Deadline.in(Deadline.NANOS).await(() -> standsStill() || !thread.isAlive());
    if (!thread.isAlive()) {
      throw new AssertionError(describe() + " ended instead of blocking", failure);
    }
    if (!blocked) {
      throw new AssertionError(describe() + " did not block in time" + stack());
    }
  }

  private boolean standsStill() {
    long waits = countWaits();
    Deadline still = Deadline.in(STILL_NANOS);
    while (isBlocked() && countWaits() == waits) {
      if (still.isOver()) {
        return true;
      }
      Deadline.pause();
    }
    return false;
  }

  /* How often the thread has waited so far; -1 once it has ended. */
  private long countWaits() {
    ThreadInfo info = ManagementFactory.getThreadMXBean().getThreadInfo(thread.threadId());
    return info == null ? -1 : info.getWaitedCount() + info.getBlockedCount();
  }

  /** True while the thread stands in a wait. */
  public boolean isBlocked() {
    return switch (thread.getState()) {
      case BLOCKED, WAITING, TIMED_WAITING -> true;
      case NEW, RUNNABLE, TERMINATED -> false;
    };
  }

  /** Interrupts the thread. */
  public void interrupt() {
    thread.interrupt();
  }

  /**
   * Waits until the action has ended.
   *
   * @throws AssertionError if it does not end in time or has thrown anything, which is the cause
   */
  public void join() throws InterruptedException {
    Throwable thrown = joinAndGetFailure();
    if (thrown != null) {
      throw new AssertionError(describe() + " failed: " + thrown, thrown);
    }
  }

  /** Waits until the action has ended by throwing, and returns what it threw. */
  public Throwable joinFailed() throws InterruptedException {
    Throwable thrown = joinAndGetFailure();
    if (thrown == null) {
      throw new AssertionError(describe() + " ended normally; a failure was expected");
    }
    return thrown;
  }

  private @Nullable Throwable joinAndGetFailure() throws InterruptedException {
    thread.join(TimeUnit.NANOSECONDS.toMillis(Deadline.NANOS));
    if (thread.isAlive()) {
      throw new AssertionError(describe() + " did not end in time" + stack());
    }
    return failure;
  }

  /** Interrupts the thread if it still runs, and waits for its end. */
  @Override
  public void close() {
    if (!thread.isAlive()) {
      return;
    }
    thread.interrupt();
    if (!Deadline.in(Deadline.NANOS).await(() -> !thread.isAlive())) {
      throw new AssertionError(describe() + " did not end when interrupted" + stack());
    }
  }

  private String describe() {
    return "background thread \"" + thread.getName() + "\"";
  }

  private String stack() {
    return Arrays.stream(thread.getStackTrace())
        .map(frame -> "\n    at " + frame)
        .collect(Collectors.joining("", "; it is " + thread.getState(), ""));
  }
}
