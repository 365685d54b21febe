package dev.forebay.dataset;

import dev.forebay.sampler.FeistelPermutation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * Splits a dataset at random into parts that have no sample in common and all samples together, for
 * example to train and to validate. The same dataset size, seed and counts give the same parts on
 * every machine. Stateless.
 *
 * <p>The parts are consecutive stretches of one {@link FeistelPermutation} of the dataset, that of
 * epoch -1, which no loader uses. Counts and checks are those of PyTorch's {@code
 * torch.utils.data.random_split}; which samples go where differs from it, since it draws from
 * another generator. Each part is a view that takes constant memory, unless the dataset is a {@link
 * SubsetDataset}: then it takes 8 bytes a sample. Closing a part does nothing.
 */
public final class RandomSplit {
  /** Not an epoch of any loader, so that no order within a part repeats the split's. */
  private static final long EPOCH = -1;

  /** How far from 1 the sum of fractions may be: that of Python's {@code math.isclose}. */
  private static final double SUM_TOLERANCE = 1e-9;

  private RandomSplit() {}

  /**
   * Parts with the given numbers of samples.
   *
   * @param seed any number
   * @param counts at least 0 each; 0 gives a part without samples
   * @throws IllegalArgumentException if their sum is not the dataset's size
   */
  public static List<Dataset> byCounts(Dataset dataset, long seed, long... counts) {
    Objects.requireNonNull(dataset, "dataset");
    long sum = 0;
    for (long count : counts) {
      if (count < 0) {
        throw new IllegalArgumentException("count=" + count + " must be >= 0");
      }
      sum = Math.addExact(sum, count);
    }
    if (sum != dataset.size()) {
      throw new IllegalArgumentException(
          "counts=%s have the sum %d, but the dataset has %d samples; they must be equal"
              .formatted(Arrays.toString(counts), sum, dataset.size()));
    }
    FeistelPermutation permutation = FeistelPermutation.of(sum, seed, EPOCH);
    List<Dataset> parts = new ArrayList<>();
    long start = 0;
    for (long count : counts) {
      SampleIds.Permuted ids = new SampleIds.Permuted(permutation, start, count);
      parts.add(SubsetDataset.permuted(dataset, ids, seed));
      start += count;
    }
    return List.copyOf(parts);
  }

  /**
   * Parts with the given shares of the samples: each gets its share rounded down, and what is left
   * goes to the parts in turn, one sample each, from the first on.
   *
   * @param seed any number
   * @param fractions 0 to 1 each; a share that comes to nothing gives a part without samples
   * @throws IllegalArgumentException if their sum, added from left to right, exceeds 1 or falls
   *     short of it by more than 1e-9
   */
  public static List<Dataset> byFractions(Dataset dataset, long seed, double... fractions) {
    Objects.requireNonNull(dataset, "dataset");
    return byCounts(dataset, seed, counts(dataset.size(), fractions));
  }

  /** How many of {@code size} samples each fraction gets. */
  static long[] counts(long size, double... fractions) {
    double sum = 0;
    for (double fraction : fractions) {
      if (!(fraction >= 0 && fraction <= 1)) {
        throw new IllegalArgumentException("fraction=" + fraction + " must be 0 to 1");
      }
      sum += fraction;
    }
    if (sum > 1 || sum < 1 - SUM_TOLERANCE) {
      throw new IllegalArgumentException(
          "fractions=%s have the sum %s; it must be 1, or less by at most 1e-9"
              .formatted(Arrays.toString(fractions), sum));
    }
    long[] counts = new long[fractions.length];
    long left = size;
    for (int part = 0; part < counts.length; part++) {
      counts[part] = (long) (size * fractions[part]);
      left -= counts[part];
    }
    dealOut(left, counts);
    return counts;
  }

  /** Adds {@code left} to the counts in turn, one each. */
  private static void dealOut(long left, long[] counts) {
    for (int part = 0; part < counts.length && left > 0; part++) {
      long more = left / counts.length + (part < left % counts.length ? 1 : 0);
      counts[part] += more;
    }
  }
}
