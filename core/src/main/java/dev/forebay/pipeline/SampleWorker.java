package dev.forebay.pipeline;

import dev.forebay.dataset.Dataset;
import dev.forebay.error.BadDataException;
import dev.forebay.memory.DType;
import dev.forebay.memory.Field;
import dev.forebay.memory.MemoryBudget;
import dev.forebay.memory.Schema;
import dev.forebay.stats.Stage;
import dev.forebay.stats.StageClock;
import dev.forebay.transform.Sample;
import dev.forebay.transform.Transform;
import dev.forebay.transform.Value;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Makes one row: loads a sample, applies the transforms, and leaves the result in the batch. Holds
 * one sample's scratch memory and one step per transform; confined to one thread at a time.
 */
final class SampleWorker implements AutoCloseable {
  private final Dataset dataset;
  private final long seed;
  private final StageClock clock;
  private final MemoryBudget spillBudget;
  private final RowRing ring;
  private final Sample sample;
  private final List<Transform> transforms;

  /** The step that stands for each transform; null where the one before stands for it as well. */
  private final Transform.@Nullable Step[] steps;

  /** For each step, the last transform that it stands for. */
  private final int[] lastOfStep;

  private final RowWriter writer;

  /** For each field, the transform after which it is final: -1 the dataset, or the index. */
  private final int[] finalAfter;

  SampleWorker(
      PipelineConfig config, RowRing ring, MemoryBudget scratchBudget, MemoryBudget spillBudget) {
    this.dataset = config.dataset();
    this.seed = config.seed();
    this.clock = new StageClock(config.ticker());
    this.spillBudget = spillBudget;
    this.ring = ring;
    this.transforms = config.transforms();
    this.writer = new RowWriter(ring.schema());
    Schema schema = dataset.schema();
    this.finalAfter = finalWriters(schema, transforms);
    this.steps = new Transform.Step[transforms.size()];
    this.lastOfStep = new int[transforms.size()];
    this.sample = new Sample(schema, scratchBudget, clock);
    try {
      openSteps(schema);
    } catch (Throwable failure) {
      close();
      throw failure;
    }
  }

  private void openSteps(Schema input) {
    Schema schema = input;
    int next = 0;
    while (next < steps.length) {
      int first = next;
      Transform transform = transforms.get(first);
      List<Transform> following = transforms.subList(first + 1, steps.length);
      Transform.Fusion fusion = transform.fuse(schema, following);
      steps[first] = fusion == null ? transform.open(schema) : fusion.step();
      next += fusion == null ? 1 : fusion.count();
      lastOfStep[first] = next - 1;
      for (int i = first; i < next; i++) {
        schema = transforms.get(i).output(schema);
      }
    }
  }

  /** The schema of the rows: the dataset's, changed by each transform in turn. */
  static Schema rowSchema(Dataset dataset, List<Transform> transforms) {
    Schema schema = dataset.schema();
    for (Transform transform : transforms) {
      Schema output = transform.output(schema);
      if (output.size() != schema.size()) {
        throw new IllegalArgumentException(
            transform.identity()
                + " changes the number of fields; transforms keep slots and names");
      }
      schema = output;
    }
    return schema;
  }

  private static int[] finalWriters(Schema schema, List<Transform> transforms) {
    int[] last = new int[schema.size()];
    for (int field = 0; field < last.length; field++) {
      last[field] = -1;
      for (int i = 0; i < transforms.size(); i++) {
        String writes = transforms.get(i).writes();
        if (writes == null || writes.equals(schema.field(field).name())) {
          last[field] = i;
        }
      }
    }
    return last;
  }

  /** What this worker is doing; may be read by any thread. */
  Stage stage() {
    return clock.stage();
  }

  /** What the latest row cost in stage {@link Stage#DECODE}. */
  long decodeNanos() {
    return clock.decodeNanos();
  }

  /** What the latest row cost in stage {@link Stage#TRANSFORM}. */
  long transformNanos() {
    return clock.transformNanos();
  }

  /**
   * Makes the row.
   *
   * @param id the sample to load; other than the planned one if it is a substitute
   * @param stored the bytes of the dataset's stored field; ignored if it has none
   * @param storedBytes their number
   * @param now the time at which the work begins
   * @return the time at which it ended
   */
  long produce(BatchSlot slot, int row, long id, MemorySegment stored, long storedBytes, long now)
      throws IOException {
    clock.start(now);
    sample.start(seed, slot.epoch, id);
    for (int field = 0; field < finalAfter.length; field++) {
      Value value = sample.value(field);
      value.row(ring.region(field), ring.rowOffset(field, slot.index, row), ring.rowBytes(field));
      value.direct(finalAfter[field] < 0);
    }
    int storedField = dataset.storedField();
    if (storedField >= 0) {
      sample.value(storedField).view(DType.UINT8, stored, 0, storedBytes);
    }
    dataset.load(id, sample);
    applyTransforms();
    long end = clock.stop();
    clock.begin(Stage.TRANSFORM);
    for (int field = 0; field < finalAfter.length; field++) {
      writer.write(sample.value(field), field, slot, row, ring, spillBudget);
    }
    return end;
  }

  private void applyTransforms() {
    for (int i = 0; i < steps.length; i = lastOfStep[i] + 1) {
      Transform.Step step = Objects.requireNonNull(steps[i]);
      if (i == 0) {
        clock.begin(transforms.getFirst().stage()); // loading from memory took no time worth a look
      } else {
        clock.enter(transforms.get(i).stage());
      }
      allowRow(i);
      sample.startOperation(i);
      step.apply(sample);
    }
  }

  /** Lets a step write into the row what no later one changes. */
  private void allowRow(int step) {
    String writes = transforms.get(step).writes();
    if (writes != null) {
      int field = sample.schema().indexOf(writes);
      if (field >= 0 && finalAfter[field] == lastOfStep[step]) {
        sample.value(field).direct(true);
      }
    }
  }

  @Override
  public void close() {
    List<Throwable> failures = new ArrayList<>();
    for (Transform.Step step : steps) {
      if (step != null) {
        try {
          step.close();
        } catch (RuntimeException failure) {
          failures.add(failure);
        }
      }
    }
    sample.close();
    if (!failures.isEmpty()) {
      throw new IllegalStateException("a transform failed to close", failures.getFirst());
    }
  }

  /** Puts finished values into their rows. */
  private record RowWriter(Schema schema) {
    void write(
        Value value,
        int fieldIndex,
        BatchSlot slot,
        int row,
        RowRing ring,
        MemoryBudget spillBudget) {
      Field field = schema.field(fieldIndex);
      check(value, field);
      long bytes = value.bytes();
      if (!field.isFixed()) {
        long[] dims = slot.dims(fieldIndex);
        for (int axis = 0; axis < value.rank(); axis++) {
          dims[row * value.rank() + axis] = value.dim(axis);
        }
      }
      if (value.isInRow()) {
        return;
      }
      if (bytes <= ring.rowBytes(fieldIndex)) {
        MemorySegment.copy(
            value.segment(),
            value.offset(),
            ring.region(fieldIndex),
            ring.rowOffset(fieldIndex, slot.index, row),
            bytes);
        return;
      }
      MemorySegment spill = slot.allocateSpill(fieldIndex, row, bytes, spillBudget);
      MemorySegment.copy(value.segment(), value.offset(), spill, 0, bytes);
    }

    private static void check(Value value, Field field) {
      boolean matches = value.dtype() == field.dtype() && value.rank() == field.shape().rank();
      for (int axis = 0; matches && axis < value.rank(); axis++) {
        long expected = field.shape().dim(axis);
        matches = expected < 0 || expected == value.dim(axis);
      }
      if (!matches) {
        throw new BadDataException(
            "field '%s' is %s%s, but the batch holds %s%s; add a transform that brings all samples to one shape"
                .formatted(
                    field.name(),
                    value.dtype().label(),
                    value.shape(),
                    field.dtype().label(),
                    field.shape()));
      }
    }
  }
}
