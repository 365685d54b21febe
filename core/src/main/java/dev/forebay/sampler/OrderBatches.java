package dev.forebay.sampler;

import java.util.Objects;

/** An order cut into batches of equal size. Immutable, and thread-safe if the order is. */
final class OrderBatches implements EpochBatches {
  private final EpochOrder order;
  private final int batchSize;
  private final long samples;

  OrderBatches(EpochOrder order, int batchSize, boolean dropLast) {
    this.order = Objects.requireNonNull(order, "order");
    if (batchSize < 1) {
      throw new IllegalArgumentException("batchSize=" + batchSize + " must be >= 1");
    }
    this.batchSize = batchSize;
    long size = order.size();
    this.samples = dropLast ? size - size % batchSize : size;
  }

  @Override
  public long count() {
    return Math.ceilDiv(samples, batchSize);
  }

  @Override
  public int fill(long batch, long[] ids) {
    long first = Objects.checkIndex(batch, count()) * batchSize;
    int size = (int) Math.min(batchSize, samples - first);
    for (int row = 0; row < size; row++) {
      ids[row] = order.at(first + row);
    }
    return size;
  }

  @Override
  public boolean isPadding(long batch, int row) {
    return order.isPadding(batch * batchSize + row);
  }

  @Override
  public long consumedAfter(long batches) {
    Objects.checkIndex(batches, count() + 1);
    return order.consumedAfter(Math.min(samples, batches * batchSize));
  }

  @Override
  public long samples(int batchSizeMax) {
    return samples;
  }
}
