package dev.forebay.sampler;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.forebay.sampler.World.Tail;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class PartitionTest {
  private static final int[] SIZES = {0, 1, 2, 3, 4, 5, 7, 8, 9, 10, 16, 23, 24, 25, 64, 100, 101};
  private static final int[] WORLDS = {1, 2, 3, 4, 5, 7, 8, 9, 16, 30};

  private final SplittableRandom random = new SplittableRandom(7);

  private static long[] ranks(EpochOrder global, int worldSize, Tail tail, int rank) {
    return Orders.ids(new World(rank, worldSize).split(global, tail));
  }

  @Tag("python")
  @Test
  void split_padAndDrop_equalsTorchDistributedSampler() throws IOException, InterruptedException {
    List<String> lines =
        PythonScript.run("torch_distributed_sampler.py", joined(SIZES), joined(WORLDS));
    int expected = 0;
    for (int size : SIZES) {
      for (int worldSize : WORLDS) {
        for (Tail tail : new Tail[] {Tail.PAD, Tail.DROP}) {
          for (int rank = 0; rank < worldSize; rank++) {
            long[] ids = ranks(new SequentialOrder(size), worldSize, tail, rank);
            String ours = "%d %d %s %d:%s".formatted(size, worldSize, tail, rank, joined(ids));
            assertEquals(lines.get(expected++), ours);
          }
        }
      }
    }
    assertEquals(lines.size(), expected);
  }

  private static String joined(int[] numbers) {
    return Arrays.stream(numbers).mapToObj(String::valueOf).collect(Collectors.joining(","));
  }

  private static String joined(long[] numbers) {
    return Arrays.stream(numbers).mapToObj(String::valueOf).collect(Collectors.joining(","));
  }

  @Test
  void split_uneven_givesEverySampleToExactlyOneRank() {
    for (int size : SIZES) {
      for (int worldSize : WORLDS) {
        int[] uses = new int[size];
        for (int rank = 0; rank < worldSize; rank++) {
          Partition part =
              new World(rank, worldSize).split(FeistelPermutation.of(size, 1, 2), Tail.UNEVEN);
          assertEquals((size - rank + worldSize - 1) / worldSize, part.size());
          for (long position = 0; position < part.size(); position++) {
            uses[(int) part.at(position)]++;
            assertFalse(part.isPadding(position));
          }
        }
        assertTrue(Arrays.stream(uses).allMatch(count -> count == 1));
      }
    }
  }

  @Test
  void isPadding_marksExactlyTheRepetitions() {
    for (int size : SIZES) {
      for (int worldSize : WORLDS) {
        boolean[] seen = new boolean[size];
        int padding = 0;
        for (int rank = 0; rank < worldSize; rank++) {
          Partition part = new World(rank, worldSize).split(new SequentialOrder(size), Tail.PAD);
          for (long position = 0; position < part.size(); position++) {
            if (part.isPadding(position)) {
              padding++;
              continue;
            }
            int sample = (int) part.at(position);
            assertFalse(seen[sample]);
            seen[sample] = true;
          }
        }
        assertEquals(size == 0 ? 0 : Math.floorMod(-size, worldSize), padding);
        for (boolean each : seen) {
          assertTrue(each);
        }
      }
    }
  }

  @Test
  void positionOf_invertsEveryPosition() {
    for (Tail tail : Tail.values()) {
      for (int round = 0; round < 400; round++) {
        int size = random.nextInt(60);
        int worldSize = 1 + random.nextInt(12);
        World world = new World(random.nextInt(worldSize), worldSize);
        long start = random.nextInt(size + 1);
        Partition part = world.split(FeistelPermutation.of(size, round, 0), tail, start);
        long[] expected = new long[size];
        Arrays.fill(expected, EpochOrder.NOT_USED);
        for (int position = 0; position < part.size(); position++) {
          int sample = (int) part.at(position);
          assertEquals(EpochOrder.NOT_USED, expected[sample], () -> part + " repeats " + sample);
          expected[sample] = position;
        }
        for (int sample = 0; sample < size; sample++) {
          assertEquals(expected[sample], part.positionOf(sample), part + " sample=" + sample);
        }
        assertEquals(EpochOrder.NOT_USED, part.positionOf(size));
      }
    }
  }

  @Test
  void split_afterResizesAtRandomPoints_losesAndRepeatsNothing() {
    for (Tail tail : Tail.values()) {
      for (int round = 0; round < 200; round++) {
        int size = random.nextInt(200);
        EpochOrder global = FeistelPermutation.of(size, 3, round);
        Coverage coverage = new Coverage();
        long start = 0;
        for (int stage = 0; stage < 4; stage++) {
          int worldSize = 1 + random.nextInt(9);
          long stepsMax = stage < 3 ? random.nextInt(8) : Long.MAX_VALUE;
          start = deliver(global, worldSize, tail, start, stepsMax, coverage);
        }
        if (tail == Tail.DROP) {
          assertTrue(size - start < 9, "round=" + round);
          assertEquals(start, coverage.certificate().delivered().count());
        } else {
          CoverageCertificate all = CoverageCertificate.expected(size);
          assertTrue(coverage.certificate().coversExactly(all), tail + " round=" + round);
        }
      }
    }
  }

  /** All ranks deliver up to {@code stepsMax} samples; returns where the next world starts. */
  private static long deliver(
      EpochOrder global, int worldSize, Tail tail, long start, long stepsMax, Coverage coverage) {
    long consumed = start;
    for (int rank = 0; rank < worldSize; rank++) {
      Partition part = new World(rank, worldSize).split(global, tail, start);
      long count = Math.min(stepsMax, part.size());
      for (long position = 0; position < count; position++) {
        if (part.isPadding(position)) {
          coverage.addPadding(part.at(position));
        } else {
          coverage.add(part.at(position));
        }
      }
      consumed = Math.max(consumed, part.consumedAfter(count));
    }
    return consumed;
  }

  @Test
  void split_paddingAfterResume_repeatsTheBeginningOfTheOrder() {
    EpochOrder global = new SequentialOrder(10);
    long[][] expected = {{4, 8}, {5, 9}, {6, 0}, {7, 1}};
    for (int rank = 0; rank < 4; rank++) {
      Partition part = new World(rank, 4).split(global, Tail.PAD, 4);
      assertArrayEquals(expected[rank], Orders.ids(part));
      assertEquals(rank >= 2, part.isPadding(1));
    }
  }

  @Test
  void split_atTheEnd_isEmpty() {
    for (Tail tail : Tail.values()) {
      Partition part = new World(1, 3).split(new SequentialOrder(7), tail, 7);
      assertEquals(0, part.size());
      assertEquals(EpochOrder.NOT_USED, part.positionOf(3));
      assertEquals(7, part.consumedAfter(0));
    }
  }

  @Test
  void split_hugeOrder_doesNotOverflow() {
    long size = FeistelPermutation.SIZE_MAX;
    World world = new World(Integer.MAX_VALUE - 1, Integer.MAX_VALUE);
    Partition part = world.split(FeistelPermutation.of(size, 0, 0), Tail.PAD);
    long last = part.size() - 1;
    assertTrue(part.at(last) >= 0);
    assertEquals(size, part.consumedAfter(part.size()));
    assertEquals(last - 1, part.positionOf(part.at(last - 1)));
  }

  @Test
  void split_impossibleArguments_fails() {
    EpochOrder order = new SequentialOrder(5);
    assertThrows(IllegalArgumentException.class, () -> World.SINGLE.split(order, Tail.PAD, 6));
    assertThrows(IllegalArgumentException.class, () -> World.SINGLE.split(order, Tail.PAD, -1));
    Partition part = World.SINGLE.split(order, Tail.PAD);
    assertThrows(IndexOutOfBoundsException.class, () -> part.at(5));
    assertThrows(IndexOutOfBoundsException.class, () -> part.isPadding(-1));
    assertThrows(IndexOutOfBoundsException.class, () -> part.consumedAfter(6));
  }
}
