package dev.forebay.dataset;

import dev.forebay.sampler.FeistelPermutation;

/** Which samples of another dataset a subset has, in order. Immutable and thread-safe. */
sealed interface SampleIds {
  /** How many there are. */
  long size();

  /** The id, in the other dataset, of the subset's sample {@code index}. */
  long at(long index);

  /** Ids that are written down. */
  final class Listed implements SampleIds {
    private final long[] ids;

    Listed(long[] ids) {
      this.ids = ids;
    }

    @Override
    public long size() {
      return ids.length;
    }

    @Override
    public long at(long index) {
      return ids[Math.toIntExact(index)];
    }
  }

  /** A stretch of a permutation, computed when it is needed. */
  record Permuted(FeistelPermutation permutation, long start, long size) implements SampleIds {
    @Override
    public long at(long index) {
      return permutation.at(start + index);
    }
  }
}
