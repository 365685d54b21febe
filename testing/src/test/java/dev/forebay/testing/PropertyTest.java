package dev.forebay.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class PropertyTest {

  @Test
  void check_trueProperty_passes() {
    Property.check(
        Gen.lists(Gen.ints(0, 9), 50), list -> assertEquals(list, list.reversed().reversed()));
  }

  @Test
  void check_falseForLargeNumbers_shrinksToTheSmallestOfThem() {
    AssertionError failure = failureOf(Gen.longs(0, 1L << 40), n -> assertTrue(n < 1_000));
    assertShrunkTo("1000", failure);
  }

  @Test
  void check_falseForNegativeNumbers_shrinksTowardsZero() {
    AssertionError failure =
        failureOf(Gen.longs(Long.MIN_VALUE, Long.MAX_VALUE), n -> assertTrue(n > -1_000));
    assertShrunkTo("-1000", failure);
  }

  @Test
  void check_falseForListsWithABigElement_shrinksToThatElementAlone() {
    AssertionError failure =
        failureOf(
            Gen.lists(Gen.ints(0, 1_000), 100),
            list -> assertTrue(list.stream().allMatch(n -> n < 500)));
    assertShrunkTo("[500]", failure);
  }

  @Test
  void check_falseForUnequalPair_shrinksBothSides() {
    AssertionError failure =
        failureOf(
            Gen.ints(0, 1_000).with(Gen.ints(0, 1_000), List::of),
            pair -> assertTrue(pair.get(0) + pair.get(1) < 100));
    Matcher numbers =
        Pattern.compile("fails for \\[(\\d+), (\\d+)]").matcher(Thrown.message(failure));
    assertTrue(numbers.find(), Thrown.message(failure));
    assertEquals(100, Integer.parseInt(numbers.group(1)) + Integer.parseInt(numbers.group(2)));
  }

  @Test
  void check_dependentGenerator_shrinksThroughIt() {
    Gen<List<Integer>> lists = Gen.ints(1, 40).then(n -> Gen.lists(Gen.ints(0, n), n, n));
    assertShrunkTo("[0, 0, 0, 0, 0]", failureOf(lists, list -> assertTrue(list.size() < 5)));
  }

  @Test
  void check_failure_keepsTheCauseAndSaysHowToRepeatIt() {
    IllegalStateException cause = new IllegalStateException("boom");
    AssertionError failure =
        failureOf(
            Gen.constant(1),
            n -> {
              throw cause;
            });
    assertSame(cause, failure.getCause());
    assertTrue(Thrown.message(failure).contains(Seeds.option()), Thrown.message(failure));
  }

  @Test
  void regressions_seedOfAFailure_drawsTheSameValueFirst() {
    List<Long> first = new ArrayList<>();
    AssertionError failure =
        failureOf(
            Gen.longs(0, Long.MAX_VALUE),
            n -> {
              first.add(n);
              throw new IllegalStateException("always");
            });
    Matcher seed =
        Pattern.compile("regressions\\((0x[0-9a-f]+)L\\)").matcher(Thrown.message(failure));
    assertTrue(seed.find(), Thrown.message(failure));
    List<Long> again = new ArrayList<>();
    Property.cases(1)
        .regressions(Seeds.parse(seed.group(1)))
        .holds(Gen.longs(0, Long.MAX_VALUE), again::add);
    assertEquals(first.getFirst(), again.getFirst());
    assertEquals(2, again.size());
  }

  @Test
  void check_hugeValue_isCutInTheMessage() {
    AssertionError failure =
        failureOf(
            Gen.constant("x".repeat(100_000)), text -> assertTrue(text.isEmpty(), "not empty"));
    assertTrue(Thrown.message(failure).length() < 5_000);
  }

  @Test
  void sizeMax_lists_stayBelowIt() {
    Property.cases(200)
        .sizeMax(7)
        .holds(Gen.bytes(1_000), bytes -> assertTrue(bytes.length <= 7, () -> "" + bytes.length));
  }

  private static <T> AssertionError failureOf(Gen<T> gen, Property.Check<T> check) {
    return assertThrows(AssertionError.class, () -> Property.check(gen, check));
  }

  private static void assertShrunkTo(String value, AssertionError failure) {
    String message = Thrown.message(failure);
    assertTrue(message.startsWith("the property fails for " + value + "\n"), message);
  }
}
