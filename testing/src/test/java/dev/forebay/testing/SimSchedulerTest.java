package dev.forebay.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.forebay.testing.SimScheduler.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SimSchedulerTest {

  @Test
  void run_sameSeed_repeatsTheOrder() {
    long seed = Seeds.derive("order");
    assertEquals(order(seed), order(seed));
  }

  @Test
  void run_manySeeds_reachesEveryOrder() {
    Set<String> orders = new HashSet<>();
    for (int i = 0; i < 200; i++) {
      orders.add(order(Seeds.derive(Seeds.master(), i)));
    }
    assertEquals(6, orders.size(), orders::toString);
  }

  private static String order(long seed) {
    SimScheduler scheduler = new SimScheduler(seed);
    StringBuilder order = new StringBuilder();
    for (String name : List.of("a", "b", "c")) {
      scheduler.task(
          name,
          () -> {
            order.append(name);
            return Outcome.done();
          });
    }
    scheduler.settle(10);
    return order.toString();
  }

  @Test
  void sleep_hours_passesAtOnceAndInOrder() {
    SimScheduler scheduler = new SimScheduler(1);
    List<String> seen = new ArrayList<>();
    scheduler.after(Duration.ofHours(2).toNanos(), "late", () -> seen.add("late"));
    scheduler.after(Duration.ofHours(1).toNanos(), "early", () -> seen.add("early"));
    scheduler.settle(10);
    assertEquals(List.of("early", "late"), seen);
    assertEquals(Duration.ofHours(2).toNanos(), scheduler.clock().elapsedNanos());
  }

  @Test
  void after_alone_doesNotWakeEarlier() {
    SimScheduler scheduler = new SimScheduler(1);
    boolean[] fired = {false};
    scheduler.after(5, "timer", () -> fired[0] = true);
    scheduler.task(
        "watcher",
        () -> {
          assertFalse(fired[0]);
          return Outcome.done();
        });
    scheduler.run(1);
    assertFalse(fired[0]);
    scheduler.settle(10);
    assertTrue(fired[0]);
  }

  @Test
  void invariant_lostUpdateOfTwoTasks_isFoundWithSeedAndEvents() {
    AssertionError failure =
        assertThrows(
            AssertionError.class,
            () -> {
              for (int i = 0; i < 100; i++) {
                incrementTwice(Seeds.derive(Seeds.master(), i));
              }
            });
    String message = Thrown.message(failure);
    assertTrue(message.contains("invariant \"no update is lost\" is broken"), message);
    assertTrue(message.contains("seed 0x") && message.contains("virtual time"), message);
  }

  /** Two tasks read in one step and write in the next, as unsynchronised threads would. */
  private static void incrementTwice(long seed) {
    SimScheduler scheduler = new SimScheduler(seed);
    int[] shared = {0};
    int[] writes = {0};
    for (String name : List.of("one", "two")) {
      int[] read = {-1};
      scheduler.task(
          name,
          () -> {
            if (read[0] < 0) {
              read[0] = shared[0];
              return Outcome.again();
            }
            shared[0] = read[0] + 1;
            writes[0]++;
            return Outcome.done();
          });
    }
    scheduler.invariant("no update is lost", () -> assertEquals(writes[0], shared[0]));
    scheduler.settle(10);
  }

  @Test
  void settle_twoTasksThatWaitForEachOther_isADeadlock() {
    SimScheduler scheduler = new SimScheduler(3);
    scheduler.task("left", Outcome::idle);
    scheduler.task("right", Outcome::idle);
    AssertionError failure = assertThrows(AssertionError.class, () -> scheduler.settle(100));
    String message = Thrown.message(failure);
    assertTrue(message.contains("deadlock"), message);
    assertTrue(message.contains("left IDLE") && message.contains("right IDLE"), message);
  }

  @Test
  void settle_taskThatNeverEnds_isReported() {
    SimScheduler scheduler = new SimScheduler(3);
    scheduler.task("spinner", Outcome::again);
    AssertionError failure = assertThrows(AssertionError.class, () -> scheduler.settle(100));
    assertTrue(Thrown.message(failure).contains("no end within 100 events"));
    assertEquals(100, scheduler.events());
  }

  @Test
  void idle_producerAndConsumer_handOverEverything() {
    Property.check(
        Gen.longs(Long.MIN_VALUE, Long.MAX_VALUE),
        seed -> {
          SimScheduler scheduler = new SimScheduler(seed);
          List<Integer> queue = new ArrayList<>();
          List<Integer> taken = new ArrayList<>();
          int[] next = {0};
          scheduler.task(
              "producer",
              () -> {
                if (next[0] == 20) {
                  return Outcome.done();
                }
                if (queue.size() == 3) {
                  return Outcome.idle();
                }
                queue.add(next[0]++);
                return scheduler.chance(0.3) ? Outcome.sleep(1_000) : Outcome.again();
              });
          scheduler.task(
              "consumer",
              () -> {
                if (taken.size() == 20) {
                  return Outcome.done();
                }
                if (queue.isEmpty()) {
                  return Outcome.idle();
                }
                taken.add(queue.removeFirst());
                return Outcome.again();
              });
          scheduler.invariant("the queue is bounded", () -> assertTrue(queue.size() <= 3));
          scheduler.run(20);
          scheduler.settle(200);
          assertEquals(20, taken.size());
        });
  }

  @Test
  void chance_whileSettling_injectsNoFault() {
    SimScheduler scheduler = new SimScheduler(9);
    assertTrue(scheduler.chance(1));
    scheduler.task(
        "task",
        () -> {
          assertFalse(scheduler.chance(1));
          return Outcome.done();
        });
    scheduler.settle(10);
  }

  @Test
  void task_thatThrows_failsTheRunWithItsName() {
    SimScheduler scheduler = new SimScheduler(9);
    IllegalStateException cause = new IllegalStateException("boom");
    scheduler.task(
        "reader",
        () -> {
          throw cause;
        });
    AssertionError failure = assertThrows(AssertionError.class, () -> scheduler.run(1));
    assertTrue(Thrown.message(failure).contains("task reader threw"));
    assertEquals(cause, failure.getCause());
  }
}
