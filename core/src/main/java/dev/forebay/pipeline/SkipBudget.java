package dev.forebay.pipeline;

/**
 * How many distinct bad samples a loader tolerates before it fails.
 *
 * @param countMax the most bad samples, or {@link Long#MAX_VALUE} if only the rate counts
 * @param rateMax the largest share of the dataset that may be bad, 0 to 1
 */
public record SkipBudget(long countMax, double rateMax) {
  /** Checks the ranges. */
  public SkipBudget {
    if (countMax < 0 || !(rateMax >= 0 && rateMax <= 1)) {
      throw new IllegalArgumentException(
          "countMax=%d must be >= 0, rateMax=%s must be 0 to 1".formatted(countMax, rateMax));
    }
  }

  /** At most {@code countMax} samples. */
  public static SkipBudget count(long countMax) {
    return new SkipBudget(countMax, 1);
  }

  /** At most the share {@code rateMax} of the dataset, 0 to 1. */
  public static SkipBudget rate(double rateMax) {
    return new SkipBudget(Long.MAX_VALUE, rateMax);
  }

  /** The most bad samples among {@code datasetSize}. */
  long limit(long datasetSize) {
    return Math.min(countMax, (long) Math.floor(rateMax * datasetSize));
  }

  @Override
  public String toString() {
    return countMax == Long.MAX_VALUE ? "rate " + rateMax : "count " + countMax;
  }
}
