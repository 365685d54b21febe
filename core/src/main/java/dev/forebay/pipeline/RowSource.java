package dev.forebay.pipeline;

import dev.forebay.memory.Schema;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a finished batch, wherever they lie. Owned by the consumer, who closes it; every
 * other method throws {@link IllegalStateException} after that.
 */
public interface RowSource extends AutoCloseable {
  /** The schema of the rows. */
  Schema schema();

  /** The epoch, 0-based. */
  long epoch();

  /** The batch's number in the epoch, from where the loader started; 0-based. */
  long number();

  /** The number of rows, at least 1. */
  int size();

  /** The id of the sample in a row: the substitute's, if there is one. */
  long id(int row);

  /** All rows of a field, {@link #rowBytes} apart. */
  MemorySegment rows(int field);

  /** The distance from one row of a field to the next, in bytes. */
  long rowBytes(int field);

  /** The extent of a row's value along an axis. */
  long dim(int field, int row, int axis);

  /** The value in a row, exactly its bytes; also where it is too large for the row. */
  MemorySegment value(int field, int row);

  /** What the user's own collation made of the batch, or null if there is none. */
  @Nullable Object collated();

  /** Throws {@link IllegalStateException} if the rows were given back. */
  void checkOpen();

  /** The number of elements of a row's value. */
  default long elements(int field, int row) {
    long elements = 1;
    for (int axis = 0; axis < schema().field(field).shape().rank(); axis++) {
      elements *= dim(field, row, axis);
    }
    return elements;
  }

  /** Gives the rows back; does nothing the second time. */
  @Override
  void close();
}
