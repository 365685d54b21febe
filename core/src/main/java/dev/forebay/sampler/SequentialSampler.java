package dev.forebay.sampler;

/** Every sample in the order of their ids. Immutable. */
record SequentialSampler() implements Sampler {
  @Override
  public EpochOrder order(long datasetSize, long epoch) {
    return new SequentialOrder(datasetSize);
  }

  @Override
  public String toString() {
    return "sequential()";
  }
}
