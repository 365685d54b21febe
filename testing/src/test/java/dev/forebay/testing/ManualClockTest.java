package dev.forebay.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class ManualClockTest {

  @Test
  void advance_overTheEndOfLong_keepsDifferencesRight() {
    ManualClock clock = new ManualClock();
    long start = clock.getAsLong();
    clock.advance(Duration.ofSeconds(3));
    assertTrue(clock.getAsLong() < start);
    assertEquals(Duration.ofSeconds(3).toNanos(), clock.getAsLong() - start);
    assertEquals(Duration.ofSeconds(3).toNanos(), clock.elapsedNanos());
  }

  @Test
  void advanceNanos_negative_isRefused() {
    assertThrows(IllegalArgumentException.class, () -> new ManualClock().advanceNanos(-1));
  }
}
