package dev.forebay.sampler;

/** Every sample in the order of a {@link FeistelPermutation}. Immutable. */
record ShuffledSampler(long seed) implements Sampler {
  @Override
  public EpochOrder order(long datasetSize, long epoch) {
    return FeistelPermutation.of(datasetSize, seed, epoch);
  }

  @Override
  public String toString() {
    return "shuffled(seed=" + seed + ")";
  }
}
