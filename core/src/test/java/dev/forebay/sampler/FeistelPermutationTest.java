package dev.forebay.sampler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class FeistelPermutationTest {
  private final SplittableRandom random = new SplittableRandom(20260501);

  private static void assertBijection(long size, long seed, long epoch) {
    FeistelPermutation permutation = FeistelPermutation.of(size, seed, epoch);
    String where = "size=%d seed=%d epoch=%d position=".formatted(size, seed, epoch);
    boolean[] seen = new boolean[(int) size];
    for (long position = 0; position < size; position++) {
      long sample = permutation.at(position);
      if (sample < 0 || sample >= size || seen[(int) sample]) {
        fail(where + position + ": sample " + sample + " is out of range or came before");
      }
      seen[(int) sample] = true;
      if (permutation.positionOf(sample) != position) {
        fail(where + position + ": the inverse gives " + permutation.positionOf(sample));
      }
    }
  }

  @Test
  void at_everySmallSize_isABijectionWithItsInverse() {
    for (long size = 0; size <= 520; size++) {
      assertBijection(size, random.nextLong(), random.nextLong());
    }
  }

  @Test
  void at_sizesAroundPowersOfTwo_isABijectionWithItsInverse() {
    for (int bits = 10; bits <= 16; bits++) {
      for (long size = (1L << bits) - 1; size <= (1L << bits) + 1; size++) {
        assertBijection(size, random.nextLong(), 0);
      }
    }
    for (int round = 0; round < 20; round++) {
      assertBijection(random.nextInt(50_000), random.nextLong(), random.nextInt(100));
    }
  }

  @Test
  void at_hugeSizes_isInRangeAndInverted() {
    for (int round = 0; round < 500; round++) {
      long size = Math.max(2, random.nextLong(FeistelPermutation.SIZE_MAX) >>> random.nextInt(62));
      if (round < 4) {
        size = new long[] {1L << 48, (1L << 48) + 1, 1L << 62, (1L << 62) - 1}[round];
      }
      FeistelPermutation permutation =
          FeistelPermutation.of(size, random.nextLong(), random.nextLong());
      for (int draw = 0; draw < 40; draw++) {
        long position = draw < 2 ? (size - 1) * draw : random.nextLong(size);
        long sample = permutation.at(position);
        String where = "size=" + size + " position=" + position;
        assertTrue(sample >= 0 && sample < size, where);
        assertEquals(position, permutation.positionOf(sample), where);
      }
    }
  }

  @Test
  void at_tinySizesOverSeeds_givesEveryOrderEquallyOften() {
    int[] factorials = {1, 1, 2, 6, 24, 120, 720};
    for (int size = 1; size <= 6; size++) {
      long[] counts = new long[factorials[size]];
      for (int draw = 0; draw < 100 * factorials[size]; draw++) {
        counts[orderNumber(FeistelPermutation.of(size, draw, 3))]++;
      }
      if (size > 1) {
        Statistics.assertUniform(counts, "orders of " + size);
      }
    }
  }

  /** The number of an order among all of its size, by its Lehmer code. */
  private static int orderNumber(FeistelPermutation permutation) {
    int number = 0;
    for (int position = 0; position < permutation.size(); position++) {
      int smallerBehind = 0;
      for (int other = position + 1; other < permutation.size(); other++) {
        smallerBehind += permutation.at(other) < permutation.at(position) ? 1 : 0;
      }
      number = number * ((int) permutation.size() - position) + smallerBehind;
    }
    return number;
  }

  @Test
  void at_overSeeds_putsEverySampleAtEveryPositionEquallyOften() {
    for (int size : new int[] {16, 63, 64, 100, 257}) {
      int draws = 4_000_000 / (size * size);
      double expected = draws / (double) size;
      long[][] counts = new long[size][size];
      for (int draw = 0; draw < draws; draw++) {
        FeistelPermutation permutation = FeistelPermutation.of(size, 1000 + draw, 0);
        for (int position = 0; position < size; position++) {
          counts[position][(int) permutation.at(position)]++;
        }
      }
      double chiSquare = 0;
      for (long[] row : counts) {
        for (long count : row) {
          chiSquare += (count - expected) * (count - expected) / expected;
        }
      }
      // Rows and columns have fixed sums, which takes the factor (size - 1) / size.
      double freedom = (size - 1.0) * (size - 1);
      Statistics.assertChiSquare(
          chiSquare * (size - 1) / size, freedom, "samples by position, size=" + size);
    }
  }

  @Test
  void at_overSeeds_putsEveryPairNextToEachOtherEquallyOften() {
    for (int size : new int[] {6, 63, 64, 100}) {
      int draws = 3_000_000 / (size * size);
      long[] counts = new long[size * (size - 1)];
      for (int draw = 0; draw < draws; draw++) {
        FeistelPermutation permutation = FeistelPermutation.of(size, draw, 7);
        for (int position = 1; position < size; position++) {
          int left = (int) permutation.at(position - 1);
          int right = (int) permutation.at(position);
          counts[left * (size - 1) + (right < left ? right : right - 1)]++;
        }
      }
      Statistics.assertUniform(counts, "neighbours, size=" + size);
    }
  }

  @Test
  void at_withinOneOrder_hasNoSerialCorrelation() {
    int size = 100_003;
    FeistelPermutation permutation = FeistelPermutation.of(size, 5, 0);
    double mean = (size - 1) / 2.0;
    double variance = ((double) size * size - 1) / 12;
    for (int lag : new int[] {1, 2, 3, 8, 256, 512, 1000}) {
      double sum = 0;
      for (int position = lag; position < size; position++) {
        sum += (permutation.at(position) - mean) * (permutation.at(position - lag) - mean);
      }
      Statistics.assertNear(
          0, 1 / Math.sqrt(size), sum / (size * variance), "correlation at lag " + lag);
    }
  }

  @Test
  void at_withinOneOrder_spreadsBlocksOverBlocks() {
    int blocks = 32;
    for (int size : new int[] {1 << 17, 100_000}) {
      long[] counts = new long[blocks * blocks];
      FeistelPermutation permutation = FeistelPermutation.of(size, 11, 2);
      for (long position = 0; position < size; position++) {
        long sample = permutation.at(position);
        counts[(int) (position * blocks / size * blocks + sample * blocks / size)]++;
      }
      double expected = (double) size / (blocks * blocks);
      double chiSquare = 0;
      for (long count : counts) {
        chiSquare += (count - expected) * (count - expected) / expected;
      }
      double freedom = (blocks - 1.0) * (blocks - 1);
      Statistics.assertChiSquare(chiSquare, freedom, "blocks by blocks, size=" + size);
    }
  }

  @Test
  void at_neighboursInTheDataset_areNotKeptTogether() {
    int size = 2_000;
    int rounds = 400;
    int kept = 0;
    for (int epoch = 0; epoch < rounds; epoch++) {
      FeistelPermutation permutation = FeistelPermutation.of(size, 0, epoch);
      for (int position = 1; position < size; position++) {
        kept += Math.abs(permutation.at(position) - permutation.at(position - 1)) == 1 ? 1 : 0;
      }
    }
    double expected = 2.0 * rounds * (size - 1) / size;
    Statistics.assertNear(expected, Math.sqrt(expected), kept, "neighbours kept");
  }

  @Test
  void at_consecutiveEpochs_agreeOnlyByChance() {
    int size = 2_000;
    int rounds = 400;
    int agreeing = 0;
    for (int epoch = 0; epoch < rounds; epoch++) {
      FeistelPermutation one = FeistelPermutation.of(size, 42, epoch);
      FeistelPermutation next = FeistelPermutation.of(size, 42, epoch + 1);
      for (int position = 0; position < size; position++) {
        agreeing += one.at(position) == next.at(position) ? 1 : 0;
      }
    }
    Statistics.assertNear(rounds, Math.sqrt(rounds), agreeing, "positions with the same sample");
  }

  @Test
  void at_sameKey_isTheSame() {
    FeistelPermutation one = FeistelPermutation.of(1_000, -3, 5);
    FeistelPermutation other = FeistelPermutation.of(1_000, -3, 5);
    for (int position = 0; position < 1_000; position++) {
      assertEquals(one.at(position), other.at(position));
    }
  }

  @Test
  void at_outsideTheOrder_fails() {
    FeistelPermutation permutation = FeistelPermutation.of(10, 0, 0);
    assertThrows(IndexOutOfBoundsException.class, () -> permutation.at(10));
    assertThrows(IndexOutOfBoundsException.class, () -> permutation.at(-1));
    assertThrows(IndexOutOfBoundsException.class, () -> FeistelPermutation.of(0, 0, 0).at(0));
  }

  @Test
  void positionOf_unknownSample_isNotUsed() {
    FeistelPermutation permutation = FeistelPermutation.of(10, 0, 0);
    assertEquals(EpochOrder.NOT_USED, permutation.positionOf(10));
    assertEquals(EpochOrder.NOT_USED, permutation.positionOf(-1));
  }

  @Test
  void of_impossibleSize_fails() {
    assertThrows(IllegalArgumentException.class, () -> FeistelPermutation.of(-1, 0, 0));
    assertThrows(
        IllegalArgumentException.class,
        () -> FeistelPermutation.of(FeistelPermutation.SIZE_MAX + 1, 0, 0));
  }
}
