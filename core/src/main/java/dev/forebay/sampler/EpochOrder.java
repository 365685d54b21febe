package dev.forebay.sampler;

import java.util.Objects;

/**
 * The order of the samples of one epoch: a function from position to sample id. Immutable and
 * thread-safe, unless its sampler says otherwise.
 */
public interface EpochOrder {
  /** Returned by {@link #positionOf} for a sample that the epoch does not use. */
  long NOT_USED = -1;

  /** The number of positions; a sample may stand at several (with replacement) or at none. */
  long size();

  /** The id of the sample at {@code position}, 0 to {@code size() - 1}. */
  long at(long position);

  /** True if {@link #positionOf} is available: each sample stands at one position at most. */
  default boolean isInvertible() {
    return false;
  }

  /** The position of a sample, or {@link #NOT_USED}. */
  default long positionOf(long sample) {
    throw new UnsupportedOperationException("this order has no inverse");
  }

  /** True if the sample at {@code position} only repeats one so that all ranks get equally many. */
  default boolean isPadding(long position) {
    return false;
  }

  /**
   * How many positions of the global order are used up once this and every other rank have gone
   * through their first {@code count} positions. For the order of a single rank that is the count.
   */
  default long consumedAfter(long count) {
    return Objects.checkIndex(count, size() + 1);
  }
}
