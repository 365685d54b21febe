package dev.forebay.image;

import java.util.List;
import java.util.function.ToDoubleFunction;

/** Compares what two programs draw at random. */
final class Distributions {
  private Distributions() {}

  /**
   * The Kolmogorov-Smirnov distance beyond which two samples of that size from one distribution lie
   * once in 10,000 times.
   */
  static double limit(int count) {
    return 2.23 * Math.sqrt(2.0 / count);
  }

  /** The largest distance between the distribution functions of a number of each draw. */
  static double distance(List<int[]> ours, List<int[]> theirs, ToDoubleFunction<int[]> what) {
    return distance(
        ours.stream().map(what::applyAsDouble).toList(),
        theirs.stream().map(what::applyAsDouble).toList());
  }

  private static double distance(List<Double> first, List<Double> second) {
    List<Double> a = first.stream().sorted().toList();
    List<Double> b = second.stream().sorted().toList();
    double largest = 0;
    int j = 0;
    for (int i = 0; i < a.size(); i++) {
      while (j < b.size() && b.get(j) <= a.get(i)) {
        j++;
      }
      double distance = Math.abs((i + 1.0) / a.size() - (double) j / b.size());
      largest = Math.max(largest, distance);
    }
    return largest;
  }
}
