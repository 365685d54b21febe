package dev.forebay.sampler;

import dev.forebay.error.ConfigurationException;
import java.util.Objects;

/**
 * Which samples make up which batch of one epoch. Thread-safe, unless its sampler says otherwise.
 * The pipeline asks from one thread and in ascending order, beginning anywhere.
 */
public interface EpochBatches {
  /** The number of batches. */
  long count();

  /**
   * Puts the sample ids of a batch into the beginning of an array. Should not allocate.
   *
   * @param batch 0 to {@code count() - 1}
   * @param ids has room for the largest batch, see {@link BatchSampler#batchSizeMax}
   * @return the number of samples in the batch, at least 1
   */
  int fill(long batch, long[] ids);

  /** True if a sample only repeats one so that all ranks get equally many batches. */
  default boolean isPadding(long batch, int row) {
    return false;
  }

  /**
   * How much is used up once this and every other rank have gone through their first {@code
   * batches} batches: where to start a split to go on from there. Counted in batches of the whole
   * world, or in positions of the global order where a split order was cut into batches.
   */
  default long consumedAfter(long batches) {
    return Objects.checkIndex(batches, count() + 1);
  }

  /**
   * The number of samples in all batches. Unless overridden, asks for every batch to count them.
   */
  default long samples(int batchSizeMax) {
    long[] ids = new long[batchSizeMax];
    long samples = 0;
    for (long batch = 0; batch < count(); batch++) {
      samples += fill(batch, ids);
    }
    return samples;
  }

  /**
   * Cuts an order into batches of equal size.
   *
   * @param order of all ranks or one
   * @param batchSize at least 1
   * @param dropLast whether a last batch that is smaller is left out
   */
  static EpochBatches of(EpochOrder order, int batchSize, boolean dropLast) {
    return new OrderBatches(order, batchSize, dropLast);
  }

  /**
   * The same batches, checked as they are asked for: a {@link ConfigurationException} names the
   * batch that is empty or too large and the id that the dataset does not have.
   */
  static EpochBatches checked(EpochBatches batches, int batchSizeMax, long datasetSize) {
    return new CheckedBatches(batches, batchSizeMax, datasetSize);
  }
}
