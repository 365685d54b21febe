package dev.forebay.sampler;

import static dev.forebay.testing.Thrown.assertFails;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.forebay.error.ConfigurationException;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class WeightedSamplerTest {
  private final SplittableRandom random = new SplittableRandom(11);

  private static double[] scaled(double[] weights, double to) {
    double sum = Arrays.stream(weights).sum();
    return Arrays.stream(weights).map(weight -> weight / sum * to).toArray();
  }

  @Test
  void withReplacement_drawsInProportionToTheWeights() {
    double[][] cases = {
      {1},
      {1, 1},
      {0, 1},
      {1, 0, 3},
      {0.1, 0.2, 0.3, 0.4},
      {5, 1, 1, 1, 1, 1},
      {1e308, 1e308, 5e307}
    };
    for (double[] weights : cases) {
      int count = 50_000;
      EpochOrder order = Sampler.weighted(weights, count, true, 3).order(weights.length, 1);
      long[] counts = new long[weights.length];
      for (long position = 0; position < count; position++) {
        counts[(int) order.at(position)]++;
      }
      Statistics.assertFrequencies(
          scaled(Arrays.stream(weights).map(weight -> weight / 1e9).toArray(), count),
          counts,
          Arrays.toString(weights));
    }
  }

  @Test
  void withReplacement_randomWeights_drawInProportionAndNeverAZero() {
    for (int round = 0; round < 20; round++) {
      double[] weights = new double[2 + random.nextInt(50)];
      Arrays.setAll(weights, i -> random.nextInt(4) == 0 ? 0 : 0.2 + random.nextDouble());
      weights[0] = 1;
      int count = 20_000;
      EpochOrder order = Sampler.weighted(weights, count, true, round).order(weights.length, 0);
      long[] counts = new long[weights.length];
      for (long position = 0; position < count; position++) {
        counts[(int) order.at(position)]++;
      }
      Statistics.assertFrequencies(scaled(weights, count), counts, "round " + round);
    }
  }

  @Test
  void withReplacement_epochsAndPositions_areIndependent() {
    double[] weights = {1, 1};
    Sampler sampler = Sampler.weighted(weights, 10_000, true, 5);
    EpochOrder one = sampler.order(2, 0);
    EpochOrder other = sampler.order(2, 1);
    int agreeingEpochs = 0;
    int agreeingNeighbours = 0;
    for (int position = 1; position < 10_000; position++) {
      agreeingEpochs += one.at(position) == other.at(position) ? 1 : 0;
      agreeingNeighbours += one.at(position) == one.at(position - 1) ? 1 : 0;
    }
    Statistics.assertNear(5_000, 50, agreeingEpochs, "agreeing epochs");
    Statistics.assertNear(5_000, 50, agreeingNeighbours, "agreeing neighbours");
  }

  @Test
  void withoutReplacement_hasTheDistributionOfSuccessiveDraws() {
    double[] weights = {1, 2, 0, 4};
    int[] drawn = {0, 1, 3};
    int epochs = 40_000;
    Sampler sampler = Sampler.weighted(weights, 3, false, 21);
    long[] counts = new long[64];
    for (int epoch = 0; epoch < epochs; epoch++) {
      EpochOrder order = sampler.order(4, epoch);
      counts[(int) (order.at(0) * 16 + order.at(1) * 4 + order.at(2))]++;
    }
    double[] expected = new double[64];
    for (int first : drawn) {
      for (int second : drawn) {
        if (first != second) {
          int third = 4 - first - second;
          double probability = weights[first] / 7 * weights[second] / (7 - weights[first]);
          expected[first * 16 + second * 4 + third] = epochs * probability;
        }
      }
    }
    Statistics.assertFrequencies(expected, counts, "orders without replacement");
  }

  @Test
  void withoutReplacement_drawsEachAtMostOnce() {
    for (int round = 0; round < 200; round++) {
      int size = 1 + random.nextInt(100);
      double[] weights = random.doubles(size, 0.001, 5).toArray();
      int count = 1 + random.nextInt(size);
      long[] ids = Orders.ids(Sampler.weighted(weights, count, false, round).order(size, 0));
      assertEquals(count, ids.length);
      assertEquals(count, LongStream.of(ids).distinct().count());
    }
  }

  @Test
  void withoutReplacement_fewer_areTheBeginningOfMore() {
    double[] weights = random.doubles(100, 0.1, 2).toArray();
    long[] all = Orders.ids(Sampler.weighted(weights, 100, false, 8).order(100, 2));
    for (int count = 1; count < 100; count += 7) {
      long[] some = Orders.ids(Sampler.weighted(weights, count, false, 8).order(100, 2));
      assertArrayEquals(Arrays.copyOf(all, count), some);
    }
    long[] nextEpoch = Orders.ids(Sampler.weighted(weights, 100, false, 8).order(100, 3));
    assertFalse(Arrays.equals(all, nextEpoch));
  }

  @Test
  void weighted_impossibleWeights_fail() {
    double[][] impossible = {{}, {0, 0}, {-1, 2}, {Double.NaN}, {Double.POSITIVE_INFINITY, 1}};
    for (double[] weights : impossible) {
      for (boolean replacement : new boolean[] {true, false}) {
        assertThrows(
            IllegalArgumentException.class,
            () -> Sampler.weighted(weights, 1, replacement, 0),
            () -> Arrays.toString(weights));
      }
    }
  }

  @Test
  void weighted_impossibleCount_fails() {
    double[] weights = {1, 0, 1};
    assertThrows(IllegalArgumentException.class, () -> Sampler.weighted(weights, 0, true, 0));
    assertThrows(IllegalArgumentException.class, () -> Sampler.weighted(weights, 0, false, 0));
    assertFails(
        IllegalArgumentException.class,
        "count=3 must be 1 to 2",
        () -> Sampler.weighted(weights, 3, false, 0));
    assertEquals(2, Sampler.weighted(weights, 2, false, 0).order(3, 0).size());
  }

  @Test
  void weighted_otherDatasetSize_fails() {
    for (boolean replacement : new boolean[] {true, false}) {
      Sampler sampler = Sampler.weighted(new double[] {1, 1}, 2, replacement, 0);
      assertThrows(ConfigurationException.class, () -> sampler.order(3, 0));
    }
  }
}
