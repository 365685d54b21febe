package dev.forebay.transform;

import dev.forebay.memory.Schema;
import java.lang.foreign.MemorySegment;

/**
 * The finished rows of one batch, as a {@link BatchTransform} sees them. Valid during the call
 * only; confined to the calling thread.
 *
 * <p>Row i of a field starts at {@code i * rowBytes(slot)} in {@code rows(slot)}.
 */
public interface BatchRows {
  /** The schema of the rows. */
  Schema schema();

  /** The number of rows, at least 1. */
  int size();

  /** The epoch, 0-based. */
  long epoch();

  /** All rows of one field. */
  MemorySegment rows(int slot);

  /** The distance from one row of a field to the next, in bytes. */
  long rowBytes(int slot);

  /** The id of the sample in a row. */
  long id(int row);

  /**
   * Random numbers of this batch, a pure function of seed, epoch, the batch's number and the
   * operation.
   */
  Randomness random();
}
