package dev.forebay.cli.inspect;

import dev.forebay.cli.console.Quantities;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/** The sizes of files. Confined to one thread. */
final class Sizes {
  private static final int[] PERCENTS = {0, 5, 25, 50, 75, 95, 99, 100};

  private long[] sizes = new long[1024];
  private int count;
  private long total;

  void add(long bytes) {
    if (count == sizes.length) {
      sizes = Arrays.copyOf(sizes, count * 2);
    }
    sizes[count++] = bytes;
    total += bytes;
  }

  long total() {
    return total;
  }

  /** The sizes that so many percent of the files do not exceed (nearest rank). */
  Map<String, Long> percentiles() {
    long[] sorted = Arrays.copyOf(sizes, count);
    Arrays.sort(sorted);
    Map<String, Long> result = new LinkedHashMap<>();
    for (int percent : PERCENTS) {
      if (count > 0) {
        int rank = (int) Math.ceil(percent / 100.0 * count);
        result.put(name(percent), sorted[Math.max(0, rank - 1)]);
      }
    }
    return result;
  }

  private static String name(int percent) {
    return percent == 0 ? "min" : percent == 100 ? "max" : "p" + percent;
  }

  /** One line for people. */
  String text() {
    StringBuilder text = new StringBuilder();
    percentiles()
        .forEach(
            (name, bytes) -> {
              text.append(text.isEmpty() ? "" : ", ");
              text.append(name.equals("p50") ? "median" : name).append(' ');
              text.append(Quantities.rounded(bytes));
            });
    return text.toString();
  }
}
