package dev.forebay.sampler;

/**
 * The samples with the smallest of the numbers offered, which are not NaN; of equal numbers, those
 * of the smaller samples. A bounded heap with the largest number at its root. Confined to one
 * thread.
 */
final class SmallestNumbers {
  private final double[] numbers;
  private final int[] samples;
  private int size;

  /** Keeps {@code count} samples, at least 1. */
  SmallestNumbers(int count) {
    numbers = new double[count];
    samples = new int[count];
  }

  /** Takes in a sample, in ascending order of samples. */
  void offer(double number, int sample) {
    if (size < numbers.length) {
      siftUp(size++, number, sample);
      return;
    }
    if (number < numbers[0]) {
      siftDown(number, sample);
    }
  }

  /** The samples in ascending order of their numbers; empties this. */
  int[] ascending() {
    int[] sorted = new int[size];
    while (size > 0) {
      int last = --size;
      sorted[last] = samples[0];
      siftDown(numbers[last], samples[last]);
    }
    return sorted;
  }

  private void siftUp(int hole, double number, int sample) {
    int child = hole;
    while (child > 0) {
      int parent = (child - 1) >>> 1;
      if (!isLarger(number, sample, parent)) {
        break;
      }
      numbers[child] = numbers[parent];
      samples[child] = samples[parent];
      child = parent;
    }
    numbers[child] = number;
    samples[child] = sample;
  }

  private void siftDown(double number, int sample) {
    int parent = 0;
    for (int child = 1; child < size; child = 2 * parent + 1) {
      if (child + 1 < size && isLarger(numbers[child + 1], samples[child + 1], child)) {
        child++;
      }
      if (!isLarger(numbers[child], samples[child], number, sample)) {
        break;
      }
      numbers[parent] = numbers[child];
      samples[parent] = samples[child];
      parent = child;
    }
    numbers[parent] = number;
    samples[parent] = sample;
  }

  private boolean isLarger(double number, int sample, int slot) {
    return isLarger(number, sample, numbers[slot], samples[slot]);
  }

  private static boolean isLarger(double number, int sample, double other, int otherSample) {
    return number > other || (number == other && sample > otherSample);
  }
}
