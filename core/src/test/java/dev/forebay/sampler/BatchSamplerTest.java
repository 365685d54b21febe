package dev.forebay.sampler;

import static dev.forebay.testing.Thrown.assertFails;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.forebay.error.ConfigurationException;
import dev.forebay.sampler.World.Tail;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class BatchSamplerTest {
  private final SplittableRandom random = new SplittableRandom(5);

  /** Batches of one sample, then two, three and so on. */
  private record Growing(long count) implements EpochBatches {
    @Override
    public int fill(long batch, long[] ids) {
      for (int row = 0; row <= batch; row++) {
        ids[row] = batch * 10 + row;
      }
      return (int) batch + 1;
    }
  }

  private static List<List<Long>> all(EpochBatches batches, int batchSizeMax) {
    List<List<Long>> all = new ArrayList<>();
    long[] ids = new long[batchSizeMax];
    for (long batch = 0; batch < batches.count(); batch++) {
      int size = batches.fill(batch, ids);
      all.add(Arrays.stream(ids, 0, size).boxed().toList());
    }
    return all;
  }

  @Test
  void of_cutsTheOrderAsTorchDoes() {
    Sampler sampler = Sampler.sequential();
    assertEquals(
        List.of(List.of(0L, 1L, 2L), List.of(3L, 4L, 5L), List.of(6L)),
        all(BatchSampler.of(sampler, 3, false).batches(7, 0), 3));
    assertEquals(
        List.of(List.of(0L, 1L, 2L), List.of(3L, 4L, 5L)),
        all(BatchSampler.of(sampler, 3, true).batches(7, 0), 3));
    assertEquals(List.of(), all(BatchSampler.of(sampler, 8, true).batches(7, 0), 8));
    assertEquals(List.of(), all(BatchSampler.of(sampler, 8, false).batches(0, 0), 8));
  }

  @Test
  void of_anySizes_concatenatesToTheOrder() {
    for (int round = 0; round < 200; round++) {
      int size = random.nextInt(100);
      int batchSize = 1 + random.nextInt(20);
      boolean dropLast = random.nextBoolean();
      BatchSampler sampler = BatchSampler.of(Sampler.shuffled(round), batchSize, dropLast);
      EpochBatches batches = sampler.batches(size, 4);
      List<Long> ids = all(batches, batchSize).stream().flatMap(List::stream).toList();
      int kept = dropLast ? size / batchSize * batchSize : size;
      assertEquals(
          Arrays.stream(Orders.ids(Sampler.shuffled(round).order(size, 4)))
              .limit(kept)
              .boxed()
              .toList(),
          ids);
      assertEquals(kept, batches.samples(batchSize));
      assertEquals(kept, batches.consumedAfter(batches.count()));
    }
  }

  @Test
  void of_aPartition_knowsPaddingAndWhatIsConsumed() {
    EpochOrder global = new SequentialOrder(10);
    EpochBatches batches =
        EpochBatches.of(new World(2, 4).split(global, Tail.PAD), 2, false); // 2 6 | 0
    assertEquals(List.of(List.of(2L, 6L), List.of(0L)), all(batches, 2));
    assertFalse(batches.isPadding(0, 1));
    assertTrue(batches.isPadding(1, 0));
    assertEquals(0, batches.consumedAfter(0));
    assertEquals(8, batches.consumedAfter(1));
    assertEquals(10, batches.consumedAfter(2));
  }

  @Test
  void split_dealsWholeBatchesInTurn() {
    EpochBatches global = new Growing(5);
    EpochBatches mine = new World(1, 2).split(global, Tail.PAD);
    assertEquals(
        List.of(List.of(10L, 11L), List.of(30L, 31L, 32L, 33L), List.of(0L)), all(mine, 5));
    assertFalse(mine.isPadding(1, 0));
    assertTrue(mine.isPadding(2, 0));
    assertEquals(4, mine.consumedAfter(2));
    assertEquals(5, mine.consumedAfter(3));
    assertEquals(7, mine.samples(5));
  }

  @Test
  void split_resizedAtRandomPoints_givesEveryBatchOnce() {
    for (int round = 0; round < 100; round++) {
      EpochBatches global =
          BatchSampler.of(Sampler.shuffled(round), 1 + random.nextInt(5), false)
              .batches(random.nextInt(80), 0);
      int batchSizeMax = 5;
      long start = 0;
      Coverage coverage = new Coverage();
      for (int stage = 0; stage < 3; stage++) {
        int worldSize = 1 + random.nextInt(5);
        long stepsMax = stage < 2 ? random.nextInt(5) : Long.MAX_VALUE;
        long next = start;
        for (int rank = 0; rank < worldSize; rank++) {
          EpochBatches mine = new World(rank, worldSize).split(global, Tail.PAD, start);
          long steps = Math.min(stepsMax, mine.count());
          deliver(mine, steps, batchSizeMax, coverage);
          next = mine.consumedAfter(steps);
        }
        start = next;
      }
      CoverageCertificate expected = CoverageCertificate.expected(global, batchSizeMax);
      assertTrue(coverage.certificate().coversExactly(expected), "round=" + round);
    }
  }

  private static void deliver(
      EpochBatches batches, long steps, int batchSizeMax, Coverage coverage) {
    long[] ids = new long[batchSizeMax];
    for (long batch = 0; batch < steps; batch++) {
      int size = batches.fill(batch, ids);
      for (int row = 0; row < size; row++) {
        if (!batches.isPadding(batch, row)) {
          coverage.add(ids[row]);
        }
      }
    }
  }

  @Test
  void checked_goodBatches_areTheSame() {
    EpochBatches batches = EpochBatches.checked(new Growing(3), 3, 23);
    assertEquals(all(new Growing(3), 3), all(batches, 3));
    assertEquals(6, batches.samples(3));
    assertEquals(2, batches.consumedAfter(2));
    assertFalse(batches.isPadding(0, 0));
  }

  @Test
  void checked_badBatches_failAndNameThem() {
    long[] ids = new long[9];
    assertFails(
        ConfigurationException.class,
        "batch 2 has 3 samples",
        () -> EpochBatches.checked(new Growing(3), 2, 100).fill(2, ids));
    assertFails(
        ConfigurationException.class,
        "row 2 of batch 2 is sample 22",
        () -> EpochBatches.checked(new Growing(3), 5, 22).fill(2, ids));
  }

  @Test
  void of_impossibleArguments_fails() {
    assertThrows(
        IllegalArgumentException.class, () -> BatchSampler.of(Sampler.sequential(), 0, false));
    EpochBatches batches = BatchSampler.of(Sampler.sequential(), 2, false).batches(4, 0);
    assertThrows(IndexOutOfBoundsException.class, () -> batches.fill(2, new long[2]));
    assertThrows(IndexOutOfBoundsException.class, () -> batches.consumedAfter(3));
  }

  @Test
  void identity_hasEveryParameter() {
    assertEquals(
        "batches(size=3, dropLast=true, shuffled(seed=4))",
        BatchSampler.of(Sampler.shuffled(4), 3, true).identity());
  }
}
