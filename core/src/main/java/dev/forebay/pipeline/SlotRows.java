package dev.forebay.pipeline;

import dev.forebay.memory.Schema;
import dev.forebay.transform.BatchRows;
import dev.forebay.transform.Randomness;
import java.lang.foreign.MemorySegment;

/** A slot's finished rows, as batch transforms and collation see them. Confined to one thread. */
final class SlotRows implements BatchRows {
  private final BatchSlot slot;
  private final long seed;
  private final Randomness random = new Randomness();

  SlotRows(BatchSlot slot, long seed) {
    this.slot = slot;
    this.seed = seed;
  }

  /** Starts the random numbers of one operation; batches count as the negative ids of samples. */
  void startOperation(int operation) {
    random.startSample(seed, slot.epoch, -1 - slot.firstPosition);
    random.startOperation(operation);
  }

  @Override
  public Schema schema() {
    return slot.ring.schema();
  }

  @Override
  public int size() {
    return slot.rows;
  }

  @Override
  public long epoch() {
    return slot.epoch;
  }

  @Override
  public MemorySegment rows(int field) {
    return slot.ring.rows(field, slot.index, slot.rows);
  }

  @Override
  public long rowBytes(int field) {
    return slot.ring.rowBytes(field);
  }

  @Override
  public long id(int row) {
    return slot.deliveredIds[row];
  }

  @Override
  public Randomness random() {
    return random;
  }
}
