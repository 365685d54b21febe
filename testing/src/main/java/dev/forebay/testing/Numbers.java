package dev.forebay.testing;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Drawing and shrinking numbers. Stateless. */
final class Numbers {
  private static final int EDGE_ONE_IN = 8;
  private static final int SMALL_ONE_IN = 4;
  private static final int SMALL_MAX = 16;

  private Numbers() {}

  /** A number in [min, max]: sometimes an end, sometimes close to the simplest, else uniform. */
  static long draw(SplittableRandom random, long min, long max) {
    if (random.nextInt(EDGE_ONE_IN) == 0) {
      return random.nextBoolean() ? min : max;
    }
    if (random.nextInt(SMALL_ONE_IN) == 0) {
      long offset = random.nextLong(-SMALL_MAX, SMALL_MAX + 1L);
      return Math.clamp(simplest(min, max) + offset, min, max);
    }
    return uniform(random, min, max);
  }

  private static long uniform(SplittableRandom random, long min, long max) {
    if (max < Long.MAX_VALUE) {
      return random.nextLong(min, max + 1);
    }
    return min > Long.MIN_VALUE ? random.nextLong(min - 1, max) + 1 : random.nextLong();
  }

  /** The number of [min, max] that is nearest to zero. */
  private static long simplest(long min, long max) {
    return Math.clamp(0L, min, max);
  }

  /**
   * A whole number that shrinks to the simplest of [min, max], else by half of the way, and so on.
   */
  static Drawn<Long> shrinking(long value, long min, long max) {
    return new Drawn<>(
        value,
        () -> {
          List<Drawn<Long>> simpler = new ArrayList<>();
          // The simplest number lies between zero and the value, so this cannot overflow.
          for (long step = value - simplest(min, max); step != 0; step /= 2) {
            simpler.add(shrinking(value - step, min, max));
          }
          return simpler;
        });
  }

  /** A number that shrinks to the simplest of [min, max), its whole part, else half of the way. */
  static Drawn<Double> shrinking(double value, double min, double max) {
    return new Drawn<>(
        value,
        () -> {
          double simplest = Math.clamp(0.0, min, Math.nextDown(max));
          List<Drawn<Double>> simpler = new ArrayList<>();
          double whole = value < 0 ? Math.ceil(value) : Math.floor(value);
          double half = value - (value - simplest) / 2;
          for (double candidate : new double[] {simplest, whole, half}) {
            if (candidate >= min && Math.abs(candidate) < Math.abs(value)) {
              simpler.add(shrinking(candidate, min, max));
            }
          }
          return simpler;
        });
  }
}
