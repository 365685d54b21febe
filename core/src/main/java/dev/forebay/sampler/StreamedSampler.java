package dev.forebay.sampler;

import dev.forebay.error.ConfigurationException;
import java.util.Objects;
import java.util.PrimitiveIterator;
import java.util.function.LongFunction;

/** An order that the user can only give from its beginning on. Immutable; its orders are not. */
record StreamedSampler(String name, long size, LongFunction<PrimitiveIterator.OfLong> streamOfEpoch)
    implements Sampler {
  StreamedSampler {
    Objects.requireNonNull(name, "identity");
    Objects.requireNonNull(streamOfEpoch, "streamOfEpoch");
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
    return "streamed(" + name + ", size=" + size + ")";
  }

  /** A stream and how far it has been read. Confined to one thread. */
  private static final class Order implements EpochOrder {
    private final StreamedSampler sampler;
    private final long datasetSize;
    private final long epoch;
    private PrimitiveIterator.OfLong stream;
    private long taken;
    private long last;

    Order(StreamedSampler sampler, long datasetSize, long epoch) {
      this.sampler = sampler;
      this.datasetSize = datasetSize;
      this.epoch = epoch;
      this.stream = sampler.streamOfEpoch.apply(epoch);
    }

    @Override
    public long size() {
      return sampler.size;
    }

    @Override
    public long at(long position) {
      Objects.checkIndex(position, sampler.size);
      if (position < taken - 1) {
        stream = sampler.streamOfEpoch.apply(epoch);
        taken = 0;
      }
      while (taken <= position) {
        take();
      }
      return last;
    }

    private void take() {
      if (!stream.hasNext()) {
        throw new ConfigurationException(
            "the stream of sampler %s ended after %d of %d positions of epoch %d"
                .formatted(sampler.name, taken, sampler.size, epoch));
      }
      last = UserIndex.check(stream.nextLong(), datasetSize, sampler.name, epoch, taken);
      taken++;
    }
  }
}
