package dev.forebay.sampler;

/** Listed samples in the order of a {@link FeistelPermutation}. Immutable. */
record ShuffledIndexSampler(long seed, IndexList list) implements Sampler {
  @Override
  public EpochOrder order(long datasetSize, long epoch) {
    list.checkFits(datasetSize);
    return new Order(list, FeistelPermutation.of(list.size(), seed, epoch));
  }

  @Override
  public String toString() {
    return "shuffled(seed=" + seed + ", " + list + ")";
  }

  private record Order(IndexList list, FeistelPermutation permutation) implements EpochOrder {
    @Override
    public long size() {
      return list.size();
    }

    @Override
    public long at(long position) {
      return list.at(permutation.at(position));
    }
  }
}
