package dev.forebay.sampler;

import java.util.Objects;

/**
 * A rule for which samples make up which batch: for users who decide that themselves, by length for
 * example. A pure function of the dataset's size and the epoch. It knows nothing of ranks; {@link
 * World} deals whole batches out to them. Immutable and thread-safe.
 */
public interface BatchSampler {
  /** The largest number of samples that a batch of any epoch has, at least 1. */
  int batchSizeMax();

  /**
   * The batches of an epoch, over all ranks.
   *
   * @param datasetSize the number of samples in the dataset, at least 0
   * @param epoch 0-based
   */
  EpochBatches batches(long datasetSize, long epoch);

  /** The name and all parameters, as text: equal identities give equal batches. */
  default String identity() {
    return toString();
  }

  /**
   * Cuts a sampler's order into batches of equal size, as PyTorch's {@code BatchSampler} does.
   *
   * @param batchSize at least 1
   * @param dropLast whether a last batch that is smaller is left out
   */
  static BatchSampler of(Sampler sampler, int batchSize, boolean dropLast) {
    return new FixedBatchSampler(Objects.requireNonNull(sampler, "sampler"), batchSize, dropLast);
  }
}
