package dev.forebay.sampler;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;

/** The few statistics that tests of randomness need. Bounds are wide: 5 standard deviations. */
final class Statistics {
  private static final double DEVIATIONS_MAX = 5;

  private Statistics() {}

  /** Fails if a statistic is too far from what it should be. */
  static void assertNear(double expected, double deviation, double actual, String what) {
    assertTrue(
        Math.abs(actual - expected) <= DEVIATIONS_MAX * deviation,
        () ->
            "%s is %.4f, but should be %.4f within %.1f deviations of %.4f"
                .formatted(what, actual, expected, DEVIATIONS_MAX, deviation));
  }

  /** Fails if independent counts are not as frequent as expected. */
  static void assertFrequencies(double[] expected, long[] counts, String what) {
    double chiSquare = 0;
    int freedom = -1;
    for (int cell = 0; cell < counts.length; cell++) {
      if (expected[cell] == 0) {
        assertTrue(counts[cell] == 0, what + ": cell " + cell + " must stay empty");
        continue;
      }
      double difference = counts[cell] - expected[cell];
      chiSquare += difference * difference / expected[cell];
      freedom++;
    }
    assertChiSquare(chiSquare, freedom, what);
  }

  /** Fails if independent counts are not equally frequent. */
  static void assertUniform(long[] counts, String what) {
    long sum = 0;
    for (long count : counts) {
      sum += count;
    }
    double[] expected = new double[counts.length];
    Arrays.fill(expected, (double) sum / counts.length);
    assertFrequencies(expected, counts, what);
  }

  /** Fails if a chi-square statistic is improbable, by its mean and deviation. */
  static void assertChiSquare(double chiSquare, double freedom, String what) {
    assertNear(freedom, Math.sqrt(2 * freedom), chiSquare, what + ": chi-square");
  }
}
