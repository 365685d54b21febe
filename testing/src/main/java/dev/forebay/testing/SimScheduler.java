package dev.forebay.testing;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Runs step functions one at a time, in an order that its seed decides, in virtual time. Each event
 * (a step, or a move of the clock) is followed by a check of every invariant. The same seed gives
 * the same run, to the last event. Confined to one thread.
 *
 * <p>A scenario adds its tasks and invariants, then calls {@link #run} (in which {@link #chance}
 * injects faults) and at last {@link #settle}, the liveness phase: without faults, everything must
 * come to an end.
 *
 * <p>Every failure names the seed, the virtual time and the latest events.
 */
public final class SimScheduler {
  /* Design: a task is READY, IDLE, SLEEPING or DONE. A turn runs one READY task, chosen uniformly.
   * Any outcome but IDLE may have changed what an idle task waits for, and so makes all idle ones
   * READY. With no READY task, the clock moves to the earliest wake-up. With no sleeper either,
   * nothing can ever happen again: a deadlock, unless all are DONE. */

  private static final int TRACE_EVENTS = 30;

  private final long seed;
  private final SplittableRandom order;
  private final SplittableRandom faults;
  private final ManualClock clock = new ManualClock();
  private final List<Task> tasks = new ArrayList<>();
  private final List<Invariant> invariants = new ArrayList<>();
  private final Deque<String> trace = new ArrayDeque<>();
  private long events;
  private boolean settling;

  /** A scheduler whose every choice follows from {@code seed}. */
  public SimScheduler(long seed) {
    this.seed = seed;
    SplittableRandom random = new SplittableRandom(seed);
    // Two streams: a fault that is drawn or not must not change the order of what follows.
    this.order = random.split();
    this.faults = random.split();
  }

  /** One step of a task: does a little, without blocking, and says how to go on. */
  @FunctionalInterface
  public interface Step {
    /** Runs the step. */
    Outcome run() throws Exception;
  }

  /** How a task goes on after a step. Immutable. */
  public sealed interface Outcome {
    /** Something was done; there may be more to do. */
    static Outcome again() {
      return Again.AGAIN;
    }

    /** Nothing could be done until another task has done something or time has passed. */
    static Outcome idle() {
      return Idle.IDLE;
    }

    /** Something was done; to be called again after {@code nanos}, at least 0. */
    static Outcome sleep(long nanos) {
      return new Sleep(nanos);
    }

    /** The task is finished. */
    static Outcome done() {
      return Done.DONE;
    }
  }

  private enum Again implements Outcome {
    AGAIN
  }

  private enum Idle implements Outcome {
    IDLE
  }

  private enum Done implements Outcome {
    DONE
  }

  private record Sleep(long nanos) implements Outcome {
    Sleep {
      if (nanos < 0) {
        throw new IllegalArgumentException("nanos=" + nanos + " must be >= 0");
      }
    }
  }

  private enum State {
    READY,
    IDLE,
    SLEEPING,
    DONE
  }

  private record Invariant(String name, Runnable check) {}

  private static final class Task {
    final String name;
    final Step step;
    State state = State.READY;
    long wakeNanos;

    Task(String name, Step step) {
      this.name = name;
      this.step = step;
    }

    @Override
    public String toString() {
      return name + " " + state + (state == State.SLEEPING ? " until " + wakeNanos + " ns" : "");
    }
  }

  /** The virtual time, which only this scheduler moves. */
  public ManualClock clock() {
    return clock;
  }

  /** Adds a task, also while running. */
  public void task(String name, Step step) {
    tasks.add(new Task(name, step));
  }

  /** Calls {@code action} once, {@code delayNanos} from now. */
  public void after(long delayNanos, String name, Runnable action) {
    Task task =
        new Task(
            name,
            () -> {
              action.run();
              return Outcome.done();
            });
    put(task, Outcome.sleep(delayNanos));
    tasks.add(task);
  }

  /** Adds what must hold after every event; {@code check} throws if it does not. */
  public void invariant(String name, Runnable check) {
    invariants.add(new Invariant(name, check));
  }

  /** Whether to inject a fault here, with this probability; never while settling. */
  public boolean chance(double probability) {
    return faults.nextDouble() < probability && !settling;
  }

  /** A number in [0, bound) for the scenario's own use, from the seed. */
  public long choose(long bound) {
    return faults.nextLong(bound);
  }

  /** Runs at most {@code eventsMax} events, fewer if nothing is left that can happen. */
  public void run(int eventsMax) {
    for (int i = 0; i < eventsMax; i++) {
      if (!turn()) {
        return;
      }
    }
  }

  /**
   * Runs without faults until all tasks are done.
   *
   * @throws AssertionError if they are all stuck, or not done within {@code eventsMax} events
   */
  public void settle(int eventsMax) {
    settling = true;
    wakeIdle();
    for (int i = 0; i < eventsMax; i++) {
      if (!turn()) {
        if (!isDone()) {
          throw failure("deadlock: no task can go on", null);
        }
        return;
      }
    }
    if (!isDone()) {
      throw failure("no end within " + eventsMax + " events without faults", null);
    }
  }

  /** True if all tasks are finished. */
  public boolean isDone() {
    return tasks.stream().allMatch(task -> task.state == State.DONE);
  }

  /** The number of events so far. */
  public long events() {
    return events;
  }

  private boolean turn() {
    List<Task> ready = tasks.stream().filter(task -> task.state == State.READY).toList();
    if (ready.isEmpty()) {
      return moveClock();
    }
    Task task = ready.get(order.nextInt(ready.size()));
    Outcome outcome;
    try {
      outcome = task.step.run();
    } catch (Exception | AssertionError e) {
      throw failure("task " + task.name + " threw", e);
    }
    put(task, outcome);
    finishEvent(task.name + " -> " + outcome);
    return true;
  }

  private void put(Task task, Outcome outcome) {
    if (outcome instanceof Idle) {
      task.state = State.IDLE;
      return;
    }
    wakeIdle();
    switch (outcome) {
      case Again _, Idle _ -> task.state = State.READY;
      case Done _ -> task.state = State.DONE;
      case Sleep(long nanos) -> {
        task.state = State.SLEEPING;
        task.wakeNanos = clock.elapsedNanos() + nanos;
      }
    }
  }

  private void wakeIdle() {
    for (Task task : tasks) {
      if (task.state == State.IDLE) {
        task.state = State.READY;
      }
    }
  }

  private boolean moveClock() {
    long earliest = Long.MAX_VALUE;
    boolean found = false;
    for (Task task : tasks) {
      if (task.state == State.SLEEPING) {
        earliest = Math.min(earliest, task.wakeNanos);
        found = true;
      }
    }
    if (!found) {
      return false;
    }
    clock.advanceNanos(earliest - clock.elapsedNanos());
    wakeIdle();
    for (Task task : tasks) {
      if (task.state == State.SLEEPING && task.wakeNanos <= earliest) {
        task.state = State.READY;
      }
    }
    finishEvent("clock -> " + earliest + " ns");
    return true;
  }

  private void finishEvent(String event) {
    events++;
    if (trace.size() == TRACE_EVENTS) {
      trace.removeFirst();
    }
    trace.addLast(event);
    for (Invariant invariant : invariants) {
      try {
        invariant.check.run();
      } catch (RuntimeException | AssertionError e) {
        throw failure("invariant \"" + invariant.name + "\" is broken after " + event, e);
      }
    }
  }

  private AssertionError failure(String what, @Nullable Throwable cause) {
    return new AssertionError(
        what
            + "\n  seed "
            + Seeds.hex(seed)
            + ", event "
            + events
            + ", virtual time "
            + clock.elapsedNanos()
            + " ns\n  tasks: "
            + tasks
            + "\n  latest events: "
            + String.join("; ", trace),
        cause);
  }
}
