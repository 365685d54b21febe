package dev.forebay.sampler;

import java.util.Objects;

/**
 * The batches of one rank: those of the world whose numbers fall to it. Immutable, and thread-safe
 * if the world's batches are.
 */
final class SplitBatches implements EpochBatches {
  private final EpochBatches global;
  private final EpochOrder numbers;

  SplitBatches(EpochBatches global, EpochOrder numbers) {
    this.global = Objects.requireNonNull(global, "global");
    this.numbers = numbers;
  }

  @Override
  public long count() {
    return numbers.size();
  }

  @Override
  public int fill(long batch, long[] ids) {
    return global.fill(numbers.at(batch), ids);
  }

  @Override
  public boolean isPadding(long batch, int row) {
    return numbers.isPadding(batch) || global.isPadding(numbers.at(batch), row);
  }

  @Override
  public long consumedAfter(long batches) {
    return numbers.consumedAfter(batches);
  }
}
