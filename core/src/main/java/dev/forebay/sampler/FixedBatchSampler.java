package dev.forebay.sampler;

/** Batches of equal size from a sampler's order. Immutable. */
record FixedBatchSampler(Sampler sampler, int batchSizeMax, boolean dropLast)
    implements BatchSampler {
  FixedBatchSampler {
    if (batchSizeMax < 1) {
      throw new IllegalArgumentException("batchSize=" + batchSizeMax + " must be >= 1");
    }
  }

  @Override
  public EpochBatches batches(long datasetSize, long epoch) {
    return EpochBatches.of(sampler.order(datasetSize, epoch), batchSizeMax, dropLast);
  }

  @Override
  public String identity() {
    return "batches(size=%d, dropLast=%b, %s)"
        .formatted(batchSizeMax, dropLast, sampler.identity());
  }
}
