package dev.forebay.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class SeedsTest {

  @Test
  void random_sameLabel_repeatsItsNumbers() {
    assertEquals(Seeds.random("a").nextLong(), Seeds.random("a").nextLong());
  }

  @Test
  void random_otherLabel_hasOtherNumbers() {
    assertNotEquals(Seeds.random("a").nextLong(), Seeds.random("b").nextLong());
  }

  @Test
  void option_pasted_isReadBackAsTheMasterSeed() {
    String option = Seeds.option();
    assertTrue(option.startsWith("-Dtests.seed=0x"), option);
    assertEquals(Seeds.master(), Seeds.parse(option.substring(option.indexOf('=') + 1)));
  }

  @Test
  void parse_decimalAndHexadecimal_areBothUnderstood() {
    assertEquals(-7, Seeds.parse(" -7 "));
    assertEquals(-1, Seeds.parse("0xffffffffffffffff"));
  }

  @Test
  void parse_nonsense_saysWhatIsExpected() {
    var e = assertThrows(IllegalArgumentException.class, () -> Seeds.parse("seven"));
    assertTrue(Thrown.message(e).contains("tests.seed=seven"), Thrown.message(e));
  }

  @Test
  void seedReport_failedTest_carriesTheOption() {
    Seeds.master();
    AssertionError failure = new AssertionError("wrong");
    SeedReport.addHint(failure);
    assertTrue(Arrays.toString(failure.getSuppressed()).contains(Seeds.option()));
  }
}
