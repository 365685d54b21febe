package dev.forebay.transform;

import dev.forebay.memory.MemoryBudget;
import dev.forebay.memory.Schema;
import dev.forebay.stats.Stage;
import dev.forebay.stats.StageClock;
import dev.forebay.stats.Ticker;

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

  private final StageClock clock;

  private long id;
  private long epoch;
  private int operation;

  /** A sample with one empty value per field; its scratch memory counts towards {@code budget}. */
  public Sample(Schema schema, MemoryBudget budget) {
    this(schema, budget, new StageClock(Ticker.SYSTEM));
  }

  /** A sample whose steps' times are taken by {@code clock}. */
  public Sample(Schema schema, MemoryBudget budget, StageClock clock) {
    this.schema = schema;
    this.clock = clock;
    this.values = new Value[schema.size()];
    for (int slot = 0; slot < values.length; slot++) {
      values[slot] = new Value(budget);
    }
  }

  /** Begins another sample. For the pipeline. */
  public void start(long seed, long epoch, long id) {
    this.id = id;
    this.epoch = epoch;
    operation = 0;
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

  /**
   * Begins an operation: the random numbers from here on are its own. For the pipeline, and for
   * steps that do the work of several transforms.
   *
   * @param operation the transform's index in the list of transforms
   */
  public void startOperation(int operation) {
    this.operation = operation;
    random.startOperation(operation);
  }

  /** The index of the operation that is being applied. */
  public int operation() {
    return operation;
  }

  /**
   * Says that the work goes on in another stage, to which its time and errors count from here on.
   * For steps that do the work of several transforms.
   */
  public void enter(Stage stage) {
    clock.enter(stage);
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
