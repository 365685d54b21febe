package dev.forebay.cli.console;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class InterruptionTest {
  @Test
  void raise_commandThatDoesNotWatch_returnsAtOnce() {
    Interruption interruption = new Interruption();
    interruption.raise();
    assertFalse(interruption.isRaised());
    assertFalse(Thread.interrupted());
  }

  @Test
  void raise_runningCommand_isInterruptedUntilItReports() {
    Interruption interruption = new Interruption();
    interruption.await();
    Thread signal = new Thread(interruption::raise);
    signal.start();
    while (!interruption.isRaised()) {
      Thread.onSpinWait();
    }
    interruption.end();
    assertFalse(Thread.currentThread().isInterrupted());
    assertTrue(signal.isAlive());
    interruption.finish();
    join(signal);
    assertTrue(interruption.isRaised());
  }

  @Test
  void raise_reportingCommand_isWaitedForOnly() {
    Interruption interruption = new Interruption();
    interruption.await();
    interruption.end();
    interruption.finish();
    interruption.raise();
    assertFalse(interruption.isRaised());
    assertFalse(Thread.currentThread().isInterrupted());
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
