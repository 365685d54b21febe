package dev.forebay.sampler;

/**
 * A rule for the order of samples: a pure function of the dataset's size and the epoch (its seed is
 * part of it). It knows nothing of ranks; {@link World} splits the order over them. Immutable and
 * thread-safe.
 */
public interface Sampler {
  /**
   * The global order of an epoch, over all ranks.
   *
   * @param datasetSize the number of samples in the dataset, at least 0
   * @param epoch 0-based
   */
  EpochOrder order(long datasetSize, long epoch);

  /**
   * The name and all parameters, the seed among them, as text: equal identities give equal orders.
   */
  default String identity() {
    return toString();
  }
}
