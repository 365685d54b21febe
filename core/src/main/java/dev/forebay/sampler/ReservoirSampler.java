package dev.forebay.sampler;

import dev.forebay.memory.Mix64;

/**
 * Weighted draws without replacement. Immutable; an epoch's order is drawn as a whole when it is
 * asked for, in O(n log count) time, and takes 4 bytes per sample drawn afterwards.
 *
 * <p>Each sample gets an exponentially distributed number with its weight as the rate; the smallest
 * ones win, in ascending order (P. Efraimidis, P. Spirakis, "Weighted random sampling with a
 * reservoir", Information Processing Letters 97, 2006, in logarithms). That order has the
 * distribution of drawing one after the other.
 */
final class ReservoirSampler implements Sampler {
  private final Weights weights;
  private final int count;
  private final long seed;

  ReservoirSampler(Weights weights, long count, long seed) {
    if (count < 1 || count > weights.aboveZero()) {
      throw new IllegalArgumentException(
          "count=%d must be 1 to %d, the number of weights above 0, without replacement"
              .formatted(count, weights.aboveZero()));
    }
    this.weights = weights;
    this.count = (int) count;
    this.seed = seed;
  }

  @Override
  public EpochOrder order(long datasetSize, long epoch) {
    weights.checkFits(datasetSize);
    long key = Mix64.key(seed, epoch, Purpose.WEIGHTED_WITHOUT_REPLACEMENT);
    SmallestNumbers smallest = new SmallestNumbers(count);
    for (int sample = 0; sample < weights.size(); sample++) {
      double weight = weights.of(sample);
      if (weight > 0) {
        double uniform = 1 - Mix64.unit(Mix64.number(key, sample + 1L));
        smallest.offer(-StrictMath.log(uniform) / weight, sample);
      }
    }
    return new Order(smallest.ascending());
  }

  @Override
  public String toString() {
    return "weighted(count=" + count + ", replacement=false, seed=" + seed + ", " + weights + ")";
  }

  private static final class Order implements EpochOrder {
    private final int[] samples;

    Order(int[] samples) {
      this.samples = samples;
    }

    @Override
    public long size() {
      return samples.length;
    }

    @Override
    public long at(long position) {
      return samples[Math.toIntExact(position)];
    }
  }
}
