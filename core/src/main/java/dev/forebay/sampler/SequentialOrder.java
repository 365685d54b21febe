package dev.forebay.sampler;

import java.util.Objects;

/** The order 0, 1, 2 and so on. Immutable. */
record SequentialOrder(long size) implements EpochOrder {
  @Override
  public long at(long position) {
    return Objects.checkIndex(position, size);
  }

  @Override
  public boolean isInvertible() {
    return true;
  }

  @Override
  public long positionOf(long sample) {
    return sample >= 0 && sample < size ? sample : NOT_USED;
  }
}
