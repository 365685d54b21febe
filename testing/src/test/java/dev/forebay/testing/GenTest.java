package dev.forebay.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class GenTest {

  @Test
  void longs_anyRange_drawAndShrinkWithinIt() {
    Gen<Long> ends = Gen.longs(Long.MIN_VALUE, Long.MAX_VALUE);
    Property.check(
        ends.with(ends, (a, b) -> new long[] {Math.min(a, b), Math.max(a, b)}),
        range -> {
          Gen<Long> gen = Gen.longs(range[0], range[1]);
          Drawn<Long> drawn = gen.draw(Seeds.random("range"), 0);
          assertWithin(range, drawn);
          drawn.simpler().get().forEach(candidate -> assertWithin(range, candidate));
        });
  }

  private static void assertWithin(long[] range, Drawn<Long> drawn) {
    assertTrue(drawn.value() >= range[0] && drawn.value() <= range[1], () -> "" + drawn.value());
  }

  @Test
  void longs_manyDraws_includeBothEnds() {
    SplittableRandom random = Seeds.random("ends");
    Set<Long> seen = new HashSet<>();
    for (int i = 0; i < 200; i++) {
      seen.add(Gen.longs(-1_000_000, 1_000_000).draw(random, 0).value());
    }
    assertTrue(seen.contains(-1_000_000L) && seen.contains(1_000_000L));
  }

  @Test
  void longs_minAboveMax_isRefused() {
    assertThrows(IllegalArgumentException.class, () -> Gen.longs(2, 1));
  }

  @Test
  void doubles_everyDraw_isWithinTheRangeAndShrinksWithinIt() {
    SplittableRandom random = Seeds.random("doubles");
    for (int i = 0; i < 100; i++) {
      Drawn<Double> drawn = Gen.doubles(0.25, 7.5).draw(random, 0);
      assertTrue(drawn.value() >= 0.25 && drawn.value() < 7.5);
      drawn.simpler().get().forEach(candidate -> assertTrue(candidate.value() >= 0.25));
    }
  }

  @Test
  void oneOf_manyDraws_reachEveryValue() {
    SplittableRandom random = Seeds.random("oneOf");
    Set<String> seen = new HashSet<>();
    for (int i = 0; i < 200; i++) {
      seen.add(Gen.oneOf("a", "b", "c").draw(random, 0).value());
    }
    assertEquals(Set.of("a", "b", "c"), seen);
  }

  @Test
  void strings_everyCharacter_isFromTheAlphabet() {
    Property.check(Gen.strings("xyz", 20), text -> assertTrue(text.matches("[xyz]{0,20}"), text));
  }

  @Test
  void lists_lengths_areWithinTheirBounds() {
    Property.check(
        Gen.lists(Gen.booleans(), 3, 5),
        list -> assertTrue(list.size() >= 3 && list.size() <= 5, list::toString));
  }

  @Test
  void draw_sameSeed_drawsTheSame() {
    Gen<String> gen = Gen.strings("abcdef", 40);
    assertEquals(
        gen.draw(new SplittableRandom(5), 40).value(),
        gen.draw(new SplittableRandom(5), 40).value());
  }
}
