package dev.forebay.pipeline;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.forebay.memory.DType;
import dev.forebay.memory.Field;
import dev.forebay.memory.MemoryBudget;
import dev.forebay.memory.Schema;
import dev.forebay.testing.Background;
import dev.forebay.testing.Gen;
import dev.forebay.testing.Property;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;

class WorkCursorTest {
  private static final int BATCH_ROWS = 9;

  private static BatchSlot[] slots(RowRing ring, List<Integer> sizes) {
    BatchSlot[] slots = new BatchSlot[sizes.size()];
    for (int i = 0; i < slots.length; i++) {
      slots[i] = new BatchSlot(i, ring);
      slots[i].planned = sizes.get(i);
    }
    return slots;
  }

  private static RowRing ring(int slots) {
    return new RowRing(
        Schema.of(Field.scalar("number", DType.INT64)),
        slots,
        BATCH_ROWS,
        MemoryBudget.unlimited("test"));
  }

  @Test
  void claim_oneThread_dealsEachRowOutInPlanOrder() {
    Property.check(
        Gen.lists(Gen.ints(0, BATCH_ROWS), 1, 6).with(Gen.ints(1, 20), List::of),
        drawn -> {
          @SuppressWarnings("unchecked")
          List<Integer> sizes = (List<Integer>) drawn.get(0);
          int count = (Integer) drawn.get(1);
          try (RowRing ring = ring(sizes.size())) {
            BatchSlot[] slots = slots(ring, sizes);
            WorkCursor cursor = new WorkCursor();
            List<String> dealt = new ArrayList<>();
            for (long claim = cursor.claim(slots, sizes.size(), count);
                claim >= 0;
                claim = cursor.claim(slots, sizes.size(), count)) {
              int slot = (int) WorkCursor.sequenceOf(claim);
              int first = WorkCursor.rowOf(claim);
              for (int row = first; row < Math.min(first + count, sizes.get(slot)); row++) {
                dealt.add(slot + ":" + row);
              }
            }
            List<String> expected = new ArrayList<>();
            for (int slot = 0; slot < sizes.size(); slot++) {
              for (int row = 0; row < sizes.get(slot); row++) {
                expected.add(slot + ":" + row);
              }
            }
            assertEquals(expected, dealt);
          }
        });
  }

  @Test
  void claim_manyThreads_dealsEachRowOutOnce() throws InterruptedException {
    int rounds = 20_000;
    try (RowRing ring = ring(3)) {
      BatchSlot[] slots = slots(ring, List.of(BATCH_ROWS, 4, 7));
      WorkCursor cursor = new WorkCursor();
      AtomicIntegerArray dealt = new AtomicIntegerArray(rounds * BATCH_ROWS);
      List<Background> threads = new ArrayList<>();
      for (int thread = 0; thread < 4; thread++) {
        int count = thread + 1;
        threads.add(
            Background.start(
                "claimer " + thread, () -> claimAll(cursor, slots, rounds, count, dealt)));
      }
      for (Background thread : threads) {
        thread.join();
      }
      for (int sequence = 0; sequence < rounds; sequence++) {
        for (int row = 0; row < BATCH_ROWS; row++) {
          int times = dealt.get(sequence * BATCH_ROWS + row);
          assertEquals(row < slots[sequence % 3].planned ? 1 : 0, times);
        }
      }
    }
  }

  private static void claimAll(
      WorkCursor cursor, BatchSlot[] slots, int rounds, int count, AtomicIntegerArray dealt) {
    long claim = cursor.claim(slots, rounds, count);
    while (claim >= 0) {
      int sequence = (int) WorkCursor.sequenceOf(claim);
      int first = WorkCursor.rowOf(claim);
      int end = Math.min(first + count, slots[sequence % slots.length].planned);
      for (int row = first; row < end; row++) {
        dealt.incrementAndGet(sequence * BATCH_ROWS + row);
      }
      claim = cursor.claim(slots, rounds, count);
    }
  }
}
