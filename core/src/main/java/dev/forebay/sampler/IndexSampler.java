package dev.forebay.sampler;

/** The same listed samples in every epoch. Immutable. */
record IndexSampler(IndexList list) implements Sampler {
  @Override
  public EpochOrder order(long datasetSize, long epoch) {
    list.checkFits(datasetSize);
    return new Order(list);
  }

  @Override
  public String toString() {
    return "indices(" + list + ")";
  }

  private record Order(IndexList list) implements EpochOrder {
    @Override
    public long size() {
      return list.size();
    }

    @Override
    public long at(long position) {
      return list.at(position);
    }
  }
}
