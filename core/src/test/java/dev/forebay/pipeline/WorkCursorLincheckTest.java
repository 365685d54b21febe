package dev.forebay.pipeline;

import dev.forebay.memory.DType;
import dev.forebay.memory.Field;
import dev.forebay.memory.MemoryBudget;
import dev.forebay.memory.Schema;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.Test;

/** Rows claimed by several threads at once are those that one thread after the other would get. */
public class WorkCursorLincheckTest {
  private static final int[] SIZES = {2, 0, 3, 1};
  private static final BatchSlot[] SLOTS = slots();

  private final WorkCursor cursor = new WorkCursor();

  private static BatchSlot[] slots() {
    Schema schema = Schema.of(Field.scalar("number", DType.INT64));
    RowRing ring = new RowRing(schema, SIZES.length, 3, MemoryBudget.unlimited("test"));
    BatchSlot[] slots = new BatchSlot[SIZES.length];
    for (int i = 0; i < slots.length; i++) {
      slots[i] = new BatchSlot(i, ring);
      slots[i].planned = SIZES[i];
    }
    return slots;
  }

  /** Claims up to {@code count} rows. */
  @Operation
  public String claim(@Param(gen = IntGen.class, conf = "1:3") int count) {
    long claim = cursor.claim(SLOTS, SLOTS.length, count);
    if (claim < 0) {
      return "none";
    }
    int batch = (int) WorkCursor.sequenceOf(claim);
    int row = WorkCursor.rowOf(claim);
    return batch + ": " + row + " to " + Math.min(row + count, SIZES[batch]);
  }

  @Test
  void claims_modelChecked_areLinearizable() {
    new ModelCheckingOptions()
        .iterations(20)
        .threads(3)
        .actorsPerThread(2)
        .check(WorkCursorLincheckTest.class);
  }

  @Test
  void claims_underStress_areLinearizable() {
    new StressOptions()
        .iterations(15)
        .threads(3)
        .actorsPerThread(3)
        .check(WorkCursorLincheckTest.class);
  }
}
