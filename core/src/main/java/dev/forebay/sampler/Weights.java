package dev.forebay.sampler;

import dev.forebay.error.ConfigurationException;
import dev.forebay.memory.Mix64;

/** Checked weights, one per sample. Immutable. */
final class Weights {
  private final double[] weights;
  private final int heaviest;
  private final int aboveZero;
  private final long hash;

  Weights(double[] weights) {
    this.weights = weights.clone();
    int largest = 0;
    int positive = 0;
    long mixed = weights.length;
    for (int sample = 0; sample < weights.length; sample++) {
      double weight = weights[sample];
      if (!(weight >= 0 && weight < Double.POSITIVE_INFINITY)) {
        throw new IllegalArgumentException(
            "weight " + weight + " of sample " + sample + " must be finite and >= 0");
      }
      if (weight > 0) {
        positive++;
      }
      if (weight > weights[largest]) {
        largest = sample;
      }
      mixed = Mix64.mix(mixed + Mix64.GOLDEN_GAMMA ^ Double.doubleToRawLongBits(weight));
    }
    if (positive == 0) {
      throw new IllegalArgumentException("at least one weight must be above 0");
    }
    this.heaviest = largest;
    this.aboveZero = positive;
    this.hash = mixed;
  }

  int size() {
    return weights.length;
  }

  double of(int sample) {
    return weights[sample];
  }

  /** The first sample that has the largest weight. */
  int heaviest() {
    return heaviest;
  }

  /** The number of samples with a weight above 0. */
  int aboveZero() {
    return aboveZero;
  }

  /** Weights of another dataset would be an error that nobody notices. */
  void checkFits(long datasetSize) {
    if (weights.length != datasetSize) {
      throw new ConfigurationException(
          "there are %d weights, but the dataset has %d samples; give one per sample, 0 to leave out"
              .formatted(weights.length, datasetSize));
    }
  }

  @Override
  public String toString() {
    return "weights=%d:%016x".formatted(weights.length, hash);
  }
}
