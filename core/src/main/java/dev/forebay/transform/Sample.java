package dev.forebay.transform;

import dev.forebay.memory.MemoryBudget;
import dev.forebay.memory.Schema;

/**
 * A sample under construction: its identity, its values by slot, and its random numbers. Confined
 * to one worker, which reuses it from sample to sample and closes it.
 *
 * <p>The slots are those of the dataset's {@link Schema}. Transforms change the values in their
 * slots; their number and names stay.
 */
public final class Sample implements AutoCloseable {
  private final Schema schema;
  private final Value[] values;
  private final Randomness random = new Randomness();

  private long id;
  private long epoch;

  /** A sample with one empty value per field; its scratch memory counts towards {@code budget}. */
  public Sample(Schema schema, MemoryBudget budget) {
    this.schema = schema;
    this.values = new Value[schema.size()];
    for (int slot = 0; slot < values.length; slot++) {
      values[slot] = new Value(budget);
    }
  }

  /** Begins another sample. For the pipeline. */
  public void start(long seed, long epoch, long id) {
    this.id = id;
    this.epoch = epoch;
    random.startSample(seed, epoch, id);
  }

  /** The schema of the dataset. */
  public Schema schema() {
    return schema;
  }

  /** The sample's id in the dataset, 0-based. */
  public long id() {
    return id;
  }

  /** The epoch it is prepared for, 0-based. */
  public long epoch() {
    return epoch;
  }

  /** The value in a slot. */
  public Value value(int slot) {
    return values[slot];
  }

  /** The value of a field, looked up by name. */
  public Value value(String name) {
    return values[schema.slot(name)];
  }

  /** The random numbers of the operation that is being applied. */
  public Randomness random() {
    return random;
  }

  @Override
  public void close() {
    for (Value value : values) {
      value.close();
    }
  }
}
