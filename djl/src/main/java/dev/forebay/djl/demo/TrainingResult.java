package dev.forebay.djl.demo;

import java.util.List;

/**
 * What one training run gave.
 *
 * @param name of the way of loading
 * @param samples trained on, over all epochs
 * @param seconds from the first request for a batch to the end of the last step, without validation
 * @param computeSeconds of those, in training steps
 * @param stallSeconds of those, waiting for batches
 * @param firstBatchSeconds from the first request to the first batch
 * @param epochs loss and accuracy by epoch
 */
record TrainingResult(
    String name,
    long samples,
    double seconds,
    double computeSeconds,
    double stallSeconds,
    double firstBatchSeconds,
    List<Epoch> epochs) {
  TrainingResult {
    epochs = List.copyOf(epochs);
  }

  /**
   * One epoch.
   *
   * @param loss the mean over the epoch's batches
   * @param accuracy on pictures that are not trained on, 0 to 1
   */
  record Epoch(double loss, double accuracy) {}

  double samplesPerSecond() {
    return samples / seconds;
  }

  double computeSecondsPerSample() {
    return computeSeconds / samples;
  }

  double computeShare() {
    return computeSeconds / seconds;
  }

  double stallShare() {
    return stallSeconds / seconds;
  }

  /** The share of waiting in the time after the first batch had come. */
  double laterStallShare() {
    return (stallSeconds - firstBatchSeconds) / (seconds - firstBatchSeconds);
  }
}
