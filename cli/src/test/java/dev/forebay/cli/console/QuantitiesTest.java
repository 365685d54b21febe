package dev.forebay.cli.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.forebay.testing.Gen;
import dev.forebay.testing.Property;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class QuantitiesTest {
  @Test
  void bytes_units_areRead() {
    assertEquals(16L << 30, Quantities.bytes("16GiB"));
    assertEquals(16L << 30, Quantities.bytes("16 gib"));
    assertEquals(1_500_000, Quantities.bytes("1.5MB"));
    assertEquals(4096, Quantities.bytes("4096"));
    for (String wrong :
        new String[] {"", "0", "-1", "GiB", "1 2", "16Gigs", "99999999TiB", "1e3"}) {
      assertThrows(IllegalArgumentException.class, () -> Quantities.bytes(wrong), wrong);
    }
  }

  @Test
  void duration_units_areRead() {
    assertEquals(Duration.ofMillis(20), Quantities.duration("20ms"));
    assertEquals(Duration.ofMillis(1500), Quantities.duration("1.5s"));
    assertEquals(Duration.ofMinutes(2), Quantities.duration("2min"));
    assertEquals(Duration.ZERO, Quantities.duration("0"));
    for (String wrong : new String[] {"", "20", "ms", "-1s", "1 year", "9999999999h"}) {
      assertThrows(IllegalArgumentException.class, () -> Quantities.duration(wrong), wrong);
    }
  }

  @Test
  void format_anyValue_isReadBack() {
    Property.check(
        Gen.longs(1, Long.MAX_VALUE >> 8),
        value -> {
          assertEquals(value, Quantities.bytes(Quantities.format(value)));
          Duration duration = Duration.ofNanos(value);
          assertEquals(duration, Quantities.duration(Quantities.format(duration)));
        });
    assertEquals("16GiB", Quantities.format(16L << 30));
    assertEquals("20ms", Quantities.format(Duration.ofMillis(20)));
  }

  @Test
  void rounded_values_haveThreeDigits() {
    assertEquals("1.53 GiB", Quantities.rounded(1.53 * (1L << 30)));
    assertEquals("106 KiB", Quantities.rounded(106.3 * 1024));
    assertEquals("999 B", Quantities.rounded(999));
    assertEquals("12.3 ms", Quantities.roundedSeconds(0.01234));
    assertEquals("1.50 s", Quantities.roundedSeconds(1.5));
    assertEquals("3.0 min", Quantities.roundedSeconds(180));
  }
}
