package dev.forebay.sampler;

import static dev.forebay.testing.Thrown.assertFails;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.forebay.error.ConfigurationException;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.PrimitiveIterator;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class SamplerTest {
  private static PrimitiveIterator.OfLong countDown(long epoch) {
    return LongStream.range(0, 10).map(position -> (19 - position + epoch) % 10).iterator();
  }

  @Test
  void sequential_anyEpoch_countsUp() {
    EpochOrder order = Sampler.sequential().order(4, 9);
    assertArrayEquals(new long[] {0, 1, 2, 3}, Orders.ids(order));
    assertEquals(2, order.positionOf(2));
    assertEquals(EpochOrder.NOT_USED, order.positionOf(4));
    assertEquals(0, Sampler.sequential().order(0, 0).size());
  }

  @Test
  void shuffled_isThePermutationOfItsSeedAndEpoch() {
    long[] expected = Orders.ids(FeistelPermutation.of(50, 7, 3));
    assertArrayEquals(expected, Orders.ids(Sampler.shuffled(7).order(50, 3)));
    assertNotEquals(
        List.of(Arrays.toString(expected)),
        List.of(Arrays.toString(Orders.ids(Sampler.shuffled(8).order(50, 3)))));
  }

  @Test
  void shuffled_manyEpochs_areAllDifferent() {
    Set<String> orders = new HashSet<>();
    for (int epoch = 0; epoch < 500; epoch++) {
      orders.add(Arrays.toString(Orders.ids(Sampler.shuffled(1).order(30, epoch))));
    }
    assertEquals(500, orders.size());
  }

  @Test
  void indices_keepTheirOrderAndRepetitions() {
    long[] indices = {3, 1, 1, 0};
    Sampler sampler = Sampler.indices(indices);
    indices[0] = 9; // the sampler must have its own copy
    EpochOrder order = sampler.order(4, 5);
    assertArrayEquals(new long[] {3, 1, 1, 0}, Orders.ids(order));
    assertFalse(order.isInvertible());
    assertThrows(UnsupportedOperationException.class, () -> order.positionOf(1));
  }

  @Test
  void indices_beyondTheDataset_failWithTheNumbers() {
    assertFails(
        ConfigurationException.class,
        "largest index is 4",
        () -> Sampler.indices(0, 4).order(4, 0));
    assertThrows(IllegalArgumentException.class, () -> Sampler.indices(0, -1));
  }

  @Test
  void shuffledIndices_areTheSameSamplesInAnotherOrderEachEpoch() {
    Sampler sampler = Sampler.shuffledIndices(3, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14);
    long[] one = Orders.ids(sampler.order(20, 0));
    long[] other = Orders.ids(sampler.order(20, 1));
    assertFalse(Arrays.equals(one, other));
    assertArrayEquals(LongStream.range(5, 15).toArray(), LongStream.of(one).sorted().toArray());
    assertThrows(ConfigurationException.class, () -> sampler.order(14, 0));
  }

  @Test
  void computed_givesWhatTheFunctionGives() {
    Sampler sampler = Sampler.computed("mine", 3, (epoch, position) -> epoch * 10 + position);
    assertArrayEquals(new long[] {20, 21, 22}, Orders.ids(sampler.order(30, 2)));
    assertThrows(IndexOutOfBoundsException.class, () -> sampler.order(30, 0).at(3));
  }

  @Test
  void computed_wrongIndex_failsAndNamesIt() {
    EpochOrder order = Sampler.computed("mine", 3, (epoch, position) -> position - 1).order(3, 4);
    assertFails(
        ConfigurationException.class,
        "sampler mine gave index -1 [epoch=4 position=0]",
        () -> order.at(0));
  }

  @Test
  void streamed_inOrder_opensTheStreamOnce() {
    int[] opened = {0};
    Sampler sampler =
        Sampler.streamed(
            "mine",
            10,
            epoch -> {
              opened[0]++;
              return countDown(epoch);
            });
    EpochOrder order = sampler.order(10, 0);
    assertArrayEquals(new long[] {9, 8, 7, 6, 5, 4, 3, 2, 1, 0}, Orders.ids(order));
    assertEquals(0, order.at(9));
    assertEquals(1, opened[0]);
  }

  @Test
  void streamed_gapsAndStepsBack_giveTheSame() {
    EpochOrder order = Sampler.streamed("mine", 10, SamplerTest::countDown).order(10, 1);
    long[] expected = Orders.ids(Sampler.streamed("mine", 10, SamplerTest::countDown).order(10, 1));
    for (int position : new int[] {4, 9, 0, 0, 3, 2, 9}) {
      assertEquals(expected[position], order.at(position));
    }
  }

  @Test
  void streamed_tooShort_failsWithTheNumbers() {
    EpochOrder order = Sampler.streamed("mine", 11, SamplerTest::countDown).order(10, 2);
    assertFails(
        ConfigurationException.class,
        "mine ended after 10 of 11 positions of epoch 2",
        () -> order.at(10));
  }

  @Test
  void identity_differsWithEveryParameter() {
    double[] weights = {1, 2};
    List<Sampler> samplers =
        List.of(
            Sampler.sequential(),
            Sampler.shuffled(1),
            Sampler.shuffled(2),
            Sampler.indices(1, 2),
            Sampler.indices(2, 1),
            Sampler.indices(),
            Sampler.shuffledIndices(1, 1, 2),
            Sampler.shuffledIndices(2, 1, 2),
            Sampler.computed("a", 2, (epoch, position) -> 0),
            Sampler.computed("b", 2, (epoch, position) -> 0),
            Sampler.streamed("a", 2, SamplerTest::countDown),
            Sampler.weighted(weights, 1, true, 0),
            Sampler.weighted(weights, 2, true, 0),
            Sampler.weighted(weights, 1, true, 1),
            Sampler.weighted(weights, 1, false, 0),
            Sampler.weighted(new double[] {2, 1}, 1, true, 0));
    Set<String> identities = new HashSet<>();
    for (Sampler sampler : samplers) {
      assertTrue(identities.add(sampler.identity()), sampler.identity());
    }
    assertEquals(
        Sampler.weighted(weights, 1, true, 0).identity(),
        Sampler.weighted(weights.clone(), 1, true, 0).identity());
  }
}
