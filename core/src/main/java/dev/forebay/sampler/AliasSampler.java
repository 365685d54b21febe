package dev.forebay.sampler;

import dev.forebay.memory.Mix64;
import java.util.Objects;

/**
 * Weighted draws with replacement: each position of each epoch is a draw of its own. Immutable; a
 * draw takes constant time.
 */
final class AliasSampler implements Sampler {
  private final Weights weights;
  private final long count;
  private final long seed;
  private final double[] threshold;
  private final int[] alias;

  AliasSampler(Weights weights, long count, long seed) {
    if (count < 1) {
      throw new IllegalArgumentException("count=" + count + " must be >= 1");
    }
    this.weights = weights;
    this.count = count;
    this.seed = seed;
    this.threshold = new double[weights.size()];
    this.alias = new int[weights.size()];
    scale();
    pair();
  }

  /** Makes the weights add up to their number. Dividing by the largest first avoids overflow. */
  private void scale() {
    double largest = weights.of(weights.heaviest());
    double sum = 0;
    for (int sample = 0; sample < threshold.length; sample++) {
      sum += weights.of(sample) / largest;
    }
    for (int sample = 0; sample < threshold.length; sample++) {
      threshold[sample] = weights.of(sample) / largest * threshold.length / sum;
    }
  }

  /*
   * Design: the alias method (A. Walker, 1977) with the table built as M. Vose did ("A linear
   * algorithm for generating random numbers with a given distribution", IEEE TSE 17, 1991). Column
   * i keeps sample i below its threshold and gives way to its alias above. Two stacks share one
   * array: columns that are not full grow from its start, those with a surplus from its end.
   */
  private void pair() {
    int[] stack = new int[threshold.length];
    int small = 0;
    int large = stack.length;
    for (int sample = 0; sample < stack.length; sample++) {
      if (threshold[sample] < 1) {
        stack[small++] = sample;
      } else {
        stack[--large] = sample;
      }
    }
    while (small > 0 && large < stack.length) {
      int poor = stack[--small];
      int rich = stack[large];
      alias[poor] = rich;
      threshold[rich] -= 1 - threshold[poor];
      if (threshold[rich] < 1) {
        large++;
        stack[small++] = rich;
      }
    }
    while (large < stack.length) {
      threshold[stack[large++]] = 1;
    }
    while (small > 0) {
      fillUp(stack[--small]);
    }
  }

  /** Rounding can leave a column almost full with no surplus left; none must bring back a zero. */
  private void fillUp(int sample) {
    if (weights.of(sample) > 0) {
      threshold[sample] = 1;
    } else {
      alias[sample] = weights.heaviest();
    }
  }

  @Override
  public EpochOrder order(long datasetSize, long epoch) {
    weights.checkFits(datasetSize);
    return new Order(this, Mix64.key(seed, epoch, Purpose.WEIGHTED_WITH_REPLACEMENT));
  }

  private int draw(long key, long position) {
    long columnBits = Mix64.number(key, 2 * position + 1);
    int column = (int) Math.unsignedMultiplyHigh(columnBits, threshold.length);
    double height = Mix64.unit(Mix64.number(key, 2 * position + 2));
    return height < threshold[column] ? column : alias[column];
  }

  @Override
  public String toString() {
    return "weighted(count=" + count + ", replacement=true, seed=" + seed + ", " + weights + ")";
  }

  private record Order(AliasSampler sampler, long key) implements EpochOrder {
    @Override
    public long size() {
      return sampler.count;
    }

    @Override
    public long at(long position) {
      return sampler.draw(key, Objects.checkIndex(position, sampler.count));
    }
  }
}
