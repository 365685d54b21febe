package dev.forebay.bench;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * The result of one workload: medians over the rounds, and the ratio to the best of the others.
 *
 * @param results for each contender, its measurements round by round
 */
record CompareReport(Workload workload, Map<Contender, List<Measurement>> results) {
  private static final double MEBIBYTE = 1 << 20;
  private static final String[] HEADER = {
    "", "samples/s", "min - max", "ratio", "CPU s/1000", "first batch", "memory MiB"
  };

  /** The middle one, or the mean of the two middle ones. */
  static double median(List<Measurement> measurements, ToDoubleFunction<Measurement> what) {
    double[] sorted = measurements.stream().mapToDouble(what).sorted().toArray();
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }

  /** The best rate among the others. */
  private double bestOther() {
    return results.entrySet().stream()
        .filter(entry -> !entry.getKey().isOurs())
        .mapToDouble(entry -> median(entry.getValue(), Measurement::rate))
        .max()
        .orElse(Double.NaN);
  }

  /** The rows of the table; the ratio is the rate divided by that of the best of the others. */
  List<List<String>> rows() {
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of(HEADER));
    results.forEach((contender, runs) -> rows.add(row(contender, runs)));
    return rows;
  }

  private List<String> row(Contender contender, List<Measurement> runs) {
    double rate = median(runs, Measurement::rate);
    double min = runs.stream().mapToDouble(Measurement::rate).min().orElse(Double.NaN);
    double max = runs.stream().mapToDouble(Measurement::rate).max().orElse(Double.NaN);
    return List.of(
        contender.name(),
        String.format(Locale.ROOT, "%,.0f", rate),
        String.format(Locale.ROOT, "%,.0f - %,.0f", min, max),
        String.format(Locale.ROOT, "%.2f", rate / bestOther()),
        String.format(Locale.ROOT, "%.4g", median(runs, Measurement::cpuSeconds)),
        String.format(Locale.ROOT, "%.2f s", median(runs, Measurement::firstBatchSeconds)),
        String.format(Locale.ROOT, "%.0f", median(runs, Measurement::memoryBytes) / MEBIBYTE));
  }

  /** The table for a terminal. */
  String text() {
    List<List<String>> rows = rows();
    int[] widths = new int[HEADER.length];
    for (List<String> row : rows) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    StringBuilder text = new StringBuilder(workload.id() + ": " + workload.title());
    for (List<String> row : rows) {
      text.append(System.lineSeparator());
      for (int i = 0; i < widths.length; i++) {
        String format = i == 0 ? "  %-" + widths[i] + "s" : "  %" + widths[i] + "s";
        text.append(String.format(Locale.ROOT, format, row.get(i)));
      }
    }
    return text.toString();
  }

  /** The table as Markdown. */
  String markdown() {
    StringBuilder text =
        new StringBuilder("**%s** (`%s`)%n%n".formatted(workload.title(), workload.id()));
    List<List<String>> rows = rows();
    for (int i = 0; i < rows.size(); i++) {
      text.append("| ").append(String.join(" | ", rows.get(i))).append(" |\n");
      if (i == 0) {
        text.append("|---|").append("---:|".repeat(HEADER.length - 1)).append('\n');
      }
    }
    return text.toString();
  }

  /** Everything as maps and numbers. */
  Map<String, Object> plain() {
    List<Object> contenders = new ArrayList<>();
    results.forEach(
        (contender, runs) -> {
          Map<String, Object> plain = new LinkedHashMap<>();
          plain.put("name", contender.name());
          plain.put("workers", contender.workers());
          plain.put("rate", median(runs, Measurement::rate));
          plain.put("rates", runs.stream().map(Measurement::rate).toList());
          plain.put("ratio", median(runs, Measurement::rate) / bestOther());
          plain.put("cpu_seconds_per_1000", median(runs, Measurement::cpuSeconds));
          plain.put("first_batch_seconds", median(runs, Measurement::firstBatchSeconds));
          plain.put("start_seconds", median(runs, Measurement::startSeconds));
          plain.put("memory_bytes", median(runs, Measurement::memoryBytes));
          plain.put("version", runs.getFirst().version());
          contenders.add(plain);
        });
    Map<String, Object> plain = new LinkedHashMap<>();
    plain.put("workload", workload.id());
    plain.put("contenders", contenders);
    return plain;
  }
}
