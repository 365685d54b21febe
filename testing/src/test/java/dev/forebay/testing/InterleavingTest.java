package dev.forebay.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(LeakCheck.class)
class InterleavingTest {

  @Test
  void gate_betweenReadAndWrite_letsTheTestActThere() throws Exception {
    AtomicInteger shared = new AtomicInteger();
    Gate gate = new Gate("after read");
    try (Background writer =
        Background.start(
            "forebay-writer",
            () -> {
              int read = shared.get();
              gate.pass();
              shared.set(read + 1);
            })) {
      gate.awaitArrival();
      shared.set(10);
      gate.open();
      writer.join();
    }
    assertEquals(1, shared.get());
  }

  @Test
  void gate_open_holdsNobody() throws Exception {
    Gate gate = new Gate("open");
    gate.open();
    gate.pass();
    gate.awaitArrival();
  }

  @Test
  void awaitBlocked_waitingThread_returnsWhileItWaits() throws Exception {
    CountDownLatch latch = new CountDownLatch(1);
    try (Background waiter = Background.start("forebay-waiter", latch::await)) {
      waiter.awaitBlocked();
      assertTrue(waiter.isBlocked());
      latch.countDown();
      waiter.join();
      assertFalse(waiter.isBlocked());
    }
  }

  @Test
  void awaitBlocked_threadThatEnds_failsWithItsFailure() throws Exception {
    IllegalStateException cause = new IllegalStateException("boom");
    try (Background failing =
        Background.start(
            "forebay-failing",
            () -> {
              throw cause;
            })) {
      AssertionError failure = assertThrows(AssertionError.class, failing::awaitBlocked);
      assertSame(cause, failure.getCause());
      assertSame(cause, failing.joinFailed());
      assertThrows(AssertionError.class, failing::join);
    }
  }

  @Test
  void interrupt_waitingThread_endsItsWait() throws Exception {
    try (Background waiter = Background.start("forebay-waiter", new CountDownLatch(1)::await)) {
      waiter.awaitBlocked();
      waiter.interrupt();
      assertInstanceOf(InterruptedException.class, waiter.joinFailed());
    }
  }

  @Test
  void joinFailed_normalEnd_fails() throws Exception {
    try (Background quiet = Background.start("forebay-quiet", () -> {})) {
      assertThrows(AssertionError.class, quiet::joinFailed);
    }
  }
}
