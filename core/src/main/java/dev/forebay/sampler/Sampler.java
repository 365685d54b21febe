package dev.forebay.sampler;

import java.util.PrimitiveIterator;
import java.util.function.LongFunction;

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
   * @throws dev.forebay.error.ConfigurationException if this sampler does not fit the dataset
   */
  EpochOrder order(long datasetSize, long epoch);

  /**
   * The name and all parameters, the seed among them, as text: equal identities give equal orders.
   */
  default String identity() {
    return toString();
  }

  /** Every sample once, in the order of their ids. */
  static Sampler sequential() {
    return new SequentialSampler();
  }

  /** Every sample once, in an order that differs from epoch to epoch; see the permutation. */
  static Sampler shuffled(long seed) {
    return new ShuffledSampler(seed);
  }

  /** The given samples in the given order, the same in every epoch; repetitions are allowed. */
  static Sampler indices(long... indices) {
    return new IndexSampler(new IndexList(indices));
  }

  /** The given samples in an order that differs from epoch to epoch. */
  static Sampler shuffledIndices(long seed, long... indices) {
    return new ShuffledIndexSampler(seed, new IndexList(indices));
  }

  /**
   * An order that the caller computes.
   *
   * @param identity names the order in saved states; change it when the function changes
   * @param size the number of positions of every epoch, at least 0
   * @param function thread-safe and pure
   */
  static Sampler computed(String identity, long size, IndexFunction function) {
    return new ComputedSampler(identity, size, function);
  }

  /**
   * An order that can only be gone through from its beginning.
   *
   * <p>Its {@link EpochOrder} is confined to one thread. Positions should be asked for in ascending
   * order; gaps are skipped over, and for a lower position the stream is opened anew, which takes
   * as long as going through all that comes before.
   *
   * @param identity names the order in saved states; change it when the stream changes
   * @param size the number of positions of every epoch, at least 0
   * @param streamOfEpoch opens the stream of an epoch; must give the same numbers each time
   */
  static Sampler streamed(
      String identity, long size, LongFunction<PrimitiveIterator.OfLong> streamOfEpoch) {
    return new StreamedSampler(identity, size, streamOfEpoch);
  }

  /**
   * Samples drawn at random with given probabilities, as PyTorch's {@code WeightedRandomSampler}
   * does. Takes 12 bytes per weight; without replacement, each epoch takes time to draw and 12
   * bytes per sample drawn.
   *
   * @param weights one per sample of the dataset; finite, at least 0, not all 0; they need not add
   *     up to 1
   * @param count how many samples an epoch has, at least 1
   * @param replacement whether a sample may be drawn more than once; if not, {@code count} is at
   *     most the number of weights above 0
   */
  static Sampler weighted(double[] weights, long count, boolean replacement, long seed) {
    Weights checked = new Weights(weights);
    return replacement
        ? new AliasSampler(checked, count, seed)
        : new ReservoirSampler(checked, count, seed);
  }

  /** A sample id for every position of every epoch. */
  @FunctionalInterface
  interface IndexFunction {
    /** The id of the sample at a position, 0-based, of an epoch, 0-based. */
    long at(long epoch, long position);
  }
}
