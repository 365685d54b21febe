package dev.forebay;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.forebay.error.ConfigurationException;
import dev.forebay.memory.Mix64;
import dev.forebay.pipeline.OutputOrder;
import dev.forebay.sampler.BatchSampler;
import dev.forebay.sampler.CoverageCertificate;
import dev.forebay.sampler.Sampler;
import dev.forebay.sampler.World;
import dev.forebay.testing.Gen;
import dev.forebay.testing.LeakCheck;
import dev.forebay.testing.Property;
import dev.forebay.transform.Transform;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Promises P1 (deterministic) and P2 (exactly once), against everything that must not matter. */
@ExtendWith(LeakCheck.class)
class LoaderPromisesTest {

  /** A random transform: what it draws depends on nothing but seed, epoch, sample and operation. */
  private static final Transform NOISE =
      Transform.of(
          "noise",
          sample -> {
            var value = sample.value(0);
            long number = value.segment().get(ValueLayout.JAVA_LONG_UNALIGNED, value.offset());
            value.setLong(Mix64.mix(number) ^ sample.random().nextLong());
          });

  /**
   * Two patterns of slowness, as a function of the sample: some are slow, or a few are very slow.
   */
  private static LongConsumer slowness(int pattern) {
    return switch (pattern) {
      case 1 -> id -> LockSupport.parkNanos(id % 3 == 0 ? 20_000 : 0);
      case 2 -> id -> LockSupport.parkNanos(id % 50 == 7 ? 2_000_000 : 0);
      default -> _ -> {};
    };
  }

  private record Knobs(int workers, int prefetch, int slowness, int batchSize) {}

  private static Gen<Knobs> knobs() {
    return Gen.oneOf(0, 1, 2, 7)
        .with(Gen.ints(1, 5), List::of)
        .with(Gen.ints(0, 2), (some, slow) -> List.of(some.get(0), some.get(1), slow))
        .with(
            Gen.ints(1, 40),
            (some, batch) -> new Knobs(some.get(0), some.get(1), some.get(2), batch));
  }

  private static DataLoader.Builder builder(Knobs knobs, long size) {
    DataLoader.Builder builder =
        DataLoader.builder(NumbersDataset.of(size).onLoad(slowness(knobs.slowness)))
            .batchSize(knobs.batchSize)
            .shuffle(true)
            .seed(11)
            .workers(knobs.workers)
            .transforms(List.of(NOISE));
    return knobs.workers == 0 ? builder : builder.prefetchFactor(knobs.prefetch);
  }

  private static List<Long> drain(Iterable<Batch> epoch) {
    List<Long> numbers = new ArrayList<>();
    for (Batch batch : epoch) {
      for (long number : batch.tensor("number").toLongs()) {
        numbers.add(number);
      }
    }
    return numbers;
  }

  private static List<Long> ids(Batch batch) {
    List<Long> ids = new ArrayList<>();
    for (int row = 0; row < batch.size(); row++) {
      ids.add(batch.id(row));
    }
    return ids;
  }

  private static List<List<Long>> reference(long size, int epochs) {
    List<List<Long>> result = new ArrayList<>();
    try (DataLoader loader = builder(new Knobs(0, 1, 0, 1), size).build()) {
      for (int epoch = 0; epoch < epochs; epoch++) {
        result.add(drain(loader));
      }
    }
    return result;
  }

  @Test
  void epochs_anyWorkersPrefetchBatchSizeAndSlowness_haveTheSameBytes() {
    List<List<Long>> expected = reference(211, 3);
    assertFalse(expected.get(0).equals(expected.get(1)), "epochs must differ");
    Property.cases(40)
        .holds(
            knobs(),
            knobs -> {
              try (DataLoader loader = builder(knobs, 211).build()) {
                for (List<Long> epoch : expected) {
                  assertEquals(epoch, drain(loader));
                  assertTrue(loader.certificate().coversExactly(CoverageCertificate.expected(211)));
                }
              }
            });
  }

  @Test
  void state_takenAfterAnyBatch_resumesToTheSameBytes() {
    List<List<Long>> expected = reference(101, 2);
    Property.cases(60)
        .holds(
            knobs().with(Gen.ints(0, 110), List::of),
            pair -> {
              Knobs knobs = (Knobs) pair.get(0);
              int stopAfter = (Integer) pair.get(1);
              List<Long> seen = new ArrayList<>();
              LoaderState state;
              CoverageCertificate before;
              try (DataLoader loader = builder(knobs, 101).build()) {
                Iterator<Batch> iterator = loader.iterator();
                for (int batch = 0; batch < stopAfter && iterator.hasNext(); batch++) {
                  for (long number : iterator.next().tensor("number").toLongs()) {
                    seen.add(number);
                  }
                }
                state = LoaderState.parse(loader.state().toString());
                before = loader.certificate();
              }
              try (DataLoader loader = builder(knobs, 101).build()) {
                loader.restore(state);
                if (state.epoch() == 0) {
                  seen.addAll(drain(loader));
                  assertTrue(
                      before
                          .plus(loader.certificate())
                          .coversExactly(CoverageCertificate.expected(101)));
                }
                assertEquals(expected.get(0), seen);
                assertEquals(expected.get(1), drain(loader));
              }
            });
  }

  @Test
  void state_afterAWholeEpoch_resumesWithTheNext() {
    try (DataLoader loader = builder(new Knobs(2, 2, 0, 10), 100).build()) {
      drain(loader);
      assertEquals(1, loader.state().epoch());
      assertEquals(0, loader.state().position());
    }
  }

  @Test
  void ranks_anyWorldSize_deliverEachSampleExactlyOnce() {
    for (int worldSize : List.of(1, 3, 8)) {
      for (World.Tail tail : World.Tail.values()) {
        CoverageCertificate union = CoverageCertificate.EMPTY;
        for (int rank = 0; rank < worldSize; rank++) {
          try (DataLoader loader =
              builder(new Knobs(2, 2, 0, 6), 203)
                  .world(new World(rank, worldSize))
                  .tail(tail)
                  .build()) {
            drain(loader);
            union = union.plus(loader.certificate());
          }
        }
        if (tail == World.Tail.DROP) {
          assertEquals(203 - 203 % worldSize, union.delivered().count());
        } else {
          assertTrue(union.covers(CoverageCertificate.expected(203)), worldSize + " " + tail);
        }
      }
    }
  }

  @Test
  void state_takenInOneWorld_resumesExactlyInAnother() {
    Gen<List<Integer>> worlds =
        Gen.ints(1, 5)
            .with(Gen.ints(1, 5), List::of)
            .with(Gen.ints(0, 12), (some, batches) -> List.of(some.get(0), some.get(1), batches));
    Property.cases(25)
        .holds(
            worlds,
            drawn -> {
              CoverageCertificate union = CoverageCertificate.EMPTY;
              LoaderState state = null;
              for (int rank = 0; rank < drawn.get(0); rank++) {
                try (DataLoader loader =
                    builder(new Knobs(1, 2, 0, 4), 97)
                        .world(new World(rank, drawn.get(0)))
                        .tail(World.Tail.UNEVEN)
                        .build()) {
                  Iterator<Batch> iterator = loader.iterator();
                  long available = 97 / drawn.get(0) / 4;
                  for (int batch = 0; batch < Math.min(drawn.get(2), available); batch++) {
                    iterator.next();
                  }
                  LoaderState here = loader.state();
                  assertTrue(state == null || state.equals(here) || rank > 0);
                  state = here;
                  union = union.plus(loader.certificate());
                }
              }
              if (state == null || state.epoch() > 0) {
                return;
              }
              for (int rank = 0; rank < drawn.get(1); rank++) {
                try (DataLoader loader =
                    builder(new Knobs(2, 1, 0, 5), 97)
                        .world(new World(rank, drawn.get(1)))
                        .tail(World.Tail.UNEVEN)
                        .build()) {
                  loader.restore(state);
                  drain(loader);
                  union = union.plus(loader.certificate());
                }
              }
              assertTrue(
                  union.coversExactly(CoverageCertificate.expected(97)), () -> drawn.toString());
            });
  }

  @Test
  void completionOrder_slowSamples_deliversReadyBatchesFirstAndEachOnce() {
    try (DataLoader loader =
        builder(new Knobs(2, 4, 2, 5), 200).outputOrder(OutputOrder.COMPLETION).build()) {
      List<Long> expected = reference(200, 1).getFirst();
      List<Long> seen = drain(loader);
      assertEquals(expected.stream().sorted().toList(), seen.stream().sorted().toList());
      assertTrue(loader.certificate().coversExactly(CoverageCertificate.expected(200)));
    }
  }

  @Test
  void completionOrder_stateWithBatchesAhead_resumesWithoutLossOrRepetition() {
    Knobs knobs = new Knobs(3, 6, 2, 5);
    boolean sawAhead = false;
    for (int stopAfter = 1; stopAfter < 40; stopAfter++) {
      LoaderState state;
      CoverageCertificate before;
      try (DataLoader loader = builder(knobs, 200).outputOrder(OutputOrder.COMPLETION).build()) {
        Iterator<Batch> iterator = loader.iterator();
        for (int batch = 0; batch < stopAfter; batch++) {
          iterator.next();
        }
        state = LoaderState.parse(loader.state().toString());
        before = loader.certificate();
      }
      sawAhead |= !state.ahead().isEmpty();
      try (DataLoader loader = builder(knobs, 200).outputOrder(OutputOrder.COMPLETION).build()) {
        loader.restore(state);
        drain(loader);
        assertTrue(
            before.plus(loader.certificate()).coversExactly(CoverageCertificate.expected(200)),
            state.toString());
      }
      assertTrue(state.toString().length() < 400, "a state is a few hundred bytes");
    }
    assertTrue(sawAhead, "slow samples must let other batches overtake");
  }

  @Test
  void batchSampler_userBatches_areDeliveredAsGivenAndDealtToRanks() {
    BatchSampler pairs = BatchSampler.of(Sampler.indices(4, 3, 2, 1, 0), 2, false);
    List<List<Long>> seen = new ArrayList<>();
    for (int rank = 0; rank < 2; rank++) {
      try (DataLoader loader =
          DataLoader.builder(NumbersDataset.of(5))
              .batchSampler(pairs)
              .world(new World(rank, 2))
              .tail(World.Tail.UNEVEN)
              .workers(2)
              .build()) {
        for (Batch batch : loader) {
          seen.add(ids(batch));
        }
      }
    }
    assertEquals(List.of(List.of(4L, 3L), List.of(0L), List.of(2L, 1L)), seen);
  }

  @Test
  void restore_stateOfAnotherRun_isRefusedWithTheDifference() {
    LoaderState state;
    try (DataLoader loader = builder(new Knobs(0, 1, 0, 5), 50).build()) {
      state = loader.state();
    }
    try (DataLoader other = builder(new Knobs(0, 1, 0, 5), 51).build()) {
      ConfigurationException error =
          assertThrows(ConfigurationException.class, () -> other.restore(state));
      assertTrue(String.valueOf(error.getMessage()).contains("numbers-50"), error::toString);
    }
    try (DataLoader other = DataLoader.builder(NumbersDataset.of(50)).seed(11).workers(0).build()) {
      ConfigurationException error =
          assertThrows(ConfigurationException.class, () -> other.restore(state));
      assertTrue(String.valueOf(error.getMessage()).contains("order"), error::toString);
    }
  }

  @Test
  void setEpoch_jump_bringsThatEpochsOrder() {
    List<List<Long>> expected = reference(60, 4);
    try (DataLoader loader = builder(new Knobs(2, 2, 0, 8), 60).build()) {
      assertEquals(expected.get(0), drain(loader));
      loader.setEpoch(3);
      assertEquals(expected.get(3), drain(loader));
      loader.setEpoch(1);
      assertEquals(expected.get(1), drain(loader));
    }
  }

  @Test
  void iterator_afterABreak_bringsTheNextEpochWhole() {
    List<List<Long>> expected = reference(60, 2);
    try (DataLoader loader = builder(new Knobs(2, 2, 0, 8), 60).build()) {
      Iterator<Batch> first = loader.iterator();
      first.next();
      assertEquals(expected.get(1), drain(loader));
      assertThrows(IllegalStateException.class, first::next);
    }
  }

  @Test
  void keptBatches_wholeEpoch_keepTheirContentAndStopNobody() {
    List<Batch> kept = new ArrayList<>();
    try (DataLoader loader = builder(new Knobs(2, 1, 0, 8), 100).build()) {
      for (Batch batch : loader) {
        kept.add(batch.keep());
      }
    }
    List<Long> numbers = new ArrayList<>();
    for (Batch batch : kept) {
      for (long number : batch.tensor("number").toLongs()) {
        numbers.add(number);
      }
      batch.close();
      assertThrows(IllegalStateException.class, () -> batch.tensor("number"));
    }
    assertEquals(reference(100, 1).getFirst(), numbers);
  }

  @Test
  void emptyDataset_iterator_hasNoBatches() {
    for (int workers : List.of(0, 2)) {
      try (DataLoader loader = DataLoader.builder(NumbersDataset.of(0)).workers(workers).build()) {
        assertFalse(loader.iterator().hasNext());
        assertFalse(loader.iterator().hasNext());
        assertEquals(0, loader.batchesPerEpoch());
      }
    }
  }

  @Test
  void dropLast_lengths_matchWhatIsDelivered() {
    for (boolean dropLast : List.of(true, false)) {
      try (DataLoader loader =
          DataLoader.builder(NumbersDataset.of(25))
              .batchSize(10)
              .dropLast(dropLast)
              .workers(1)
              .build()) {
        long samples = loader.samplesPerEpoch();
        long batches = loader.batchesPerEpoch();
        List<Long> sizes = new ArrayList<>();
        for (Batch batch : loader) {
          sizes.add((long) batch.size());
        }
        assertEquals(batches, sizes.size());
        assertEquals(samples, sizes.stream().mapToLong(Long::longValue).sum());
        assertArrayEquals(
            dropLast ? new long[] {10, 10} : new long[] {10, 10, 5},
            sizes.stream().mapToLong(Long::longValue).toArray());
      }
    }
  }

  /** While the last batch of an epoch is held, the next epoch's first ones are made. */
  @Test
  void persistentWorkers_lastBatchHeld_prepareTheNextEpoch() throws InterruptedException {
    CountDownLatch loads = new CountDownLatch(40 + 20);
    NumbersDataset dataset = NumbersDataset.of(40).onLoad(_ -> loads.countDown());
    try (DataLoader loader =
        DataLoader.builder(dataset).batchSize(10).workers(1).prefetchFactor(2).build()) {
      Iterator<Batch> epoch = loader.iterator();
      for (int batch = 0; batch < 4; batch++) {
        epoch.next();
      }
      assertTrue(loads.await(10, TimeUnit.SECONDS), loads.getCount() + " loads are missing");
      assertEquals(0, loader.iterator().next().number());
    }
  }

  /** Without persistent workers nothing is prepared in vain, and each epoch starts anew. */
  @Test
  void persistentWorkersOff_epochs_loadJustTheirSamples() {
    AtomicLong loads = new AtomicLong();
    NumbersDataset dataset = NumbersDataset.of(40).onLoad(_ -> loads.incrementAndGet());
    try (DataLoader loader =
        DataLoader.builder(dataset).batchSize(10).workers(2).persistentWorkers(false).build()) {
      for (int epoch = 1; epoch <= 3; epoch++) {
        assertEquals(40, drain(loader).size());
        assertEquals(40L * epoch, loads.get());
      }
    }
  }
}
