package dev.forebay.sampler;

import dev.forebay.error.ConfigurationException;
import java.util.Objects;

/** Batches that someone else decides, checked before they are believed. */
final class CheckedBatches implements EpochBatches {
  private final EpochBatches batches;
  private final int batchSizeMax;
  private final long datasetSize;

  CheckedBatches(EpochBatches batches, int batchSizeMax, long datasetSize) {
    this.batches = Objects.requireNonNull(batches, "batches");
    this.batchSizeMax = batchSizeMax;
    this.datasetSize = datasetSize;
  }

  @Override
  public long count() {
    return batches.count();
  }

  @Override
  public int fill(long batch, long[] ids) {
    int size = batches.fill(batch, ids);
    if (size < 1 || size > batchSizeMax) {
      throw new ConfigurationException(
          "batch %d has %d samples; the batch sampler promised 1 to %d"
              .formatted(batch, size, batchSizeMax));
    }
    for (int row = 0; row < size; row++) {
      if (ids[row] < 0 || ids[row] >= datasetSize) {
        throw new ConfigurationException(
            "row %d of batch %d is sample %d; the dataset has samples 0 to %d, so mend the sampler"
                .formatted(row, batch, ids[row], datasetSize - 1));
      }
    }
    return size;
  }

  @Override
  public boolean isPadding(long batch, int row) {
    return batches.isPadding(batch, row);
  }

  @Override
  public long consumedAfter(long batches) {
    return this.batches.consumedAfter(batches);
  }

  @Override
  public long samples(int batchSizeMax) {
    return batches.samples(batchSizeMax);
  }
}
