package dev.forebay.memory;

/**
 * Rows of varying length, one after the other, as in Arrow's variable-size lists: row i is {@code
 * values} from {@code offsets[i]} to {@code offsets[i + 1]}. A view, valid as long as what it was
 * taken from.
 *
 * @param offsets int64, one more than there are rows, in elements, ascending from 0
 * @param values all rows' elements, of shape [total]
 */
public record Ragged(Tensor offsets, Tensor values) {
  /** The number of rows. */
  public long rows() {
    return offsets.elements() - 1;
  }
}
