package dev.forebay.sampler;

import java.util.Objects;

/** An order that the user computes. Immutable. */
record ComputedSampler(String name, long size, IndexFunction function) implements Sampler {
  ComputedSampler {
    Objects.requireNonNull(name, "identity");
    Objects.requireNonNull(function, "function");
    if (size < 0) {
      throw new IllegalArgumentException("size=" + size + " must be >= 0");
    }
  }

  @Override
  public EpochOrder order(long datasetSize, long epoch) {
    return new Order(this, datasetSize, epoch);
  }

  @Override
  public String toString() {
    return "computed(" + name + ", size=" + size + ")";
  }

  private record Order(ComputedSampler sampler, long datasetSize, long epoch)
      implements EpochOrder {
    @Override
    public long size() {
      return sampler.size;
    }

    @Override
    public long at(long position) {
      Objects.checkIndex(position, sampler.size);
      long id = sampler.function.at(epoch, position);
      return UserIndex.check(id, datasetSize, sampler.name, epoch, position);
    }
  }
}
