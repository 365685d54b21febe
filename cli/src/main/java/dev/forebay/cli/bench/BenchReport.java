package dev.forebay.cli.bench;

import dev.forebay.cli.console.Quantities;
import dev.forebay.stats.LoaderStats;
import dev.forebay.stats.Stage;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a run took and what came out.
 *
 * @param source the recipe or folder
 * @param workers the number of threads
 * @param stats the loader's own numbers
 * @param epochs what came of each
 * @param seconds from the first request to the end of the last step
 * @param stepSeconds of these, how long a device would have computed
 * @param heapBytesPerSample allocated on the Java heap per sample by all threads, over the second
 *     half of the run; null if that half is empty
 * @param isInterrupted whether Ctrl-C ended it
 */
public record BenchReport(
    String source,
    int workers,
    LoaderStats stats,
    List<EpochReport> epochs,
    double seconds,
    double stepSeconds,
    @Nullable Double heapBytesPerSample,
    boolean isInterrupted) {
  private static final int BAD_SAMPLES_SHOWN_MAX = 10;

  double samplesPerSecond() {
    return seconds > 0 ? stats.samples() / seconds : 0;
  }

  double stallFraction() {
    return seconds > 0 ? Math.min(1, stats.waitNanos() / 1e9 / seconds) : 0;
  }

  private double stallSeconds(Stage stage) {
    return stats.waitNanosByStage().getOrDefault(stage, 0L) / 1e9;
  }

  /** Whether an epoch that ran to its end lost or doubled a sample. */
  public boolean isFaulty() {
    return epochs.stream().anyMatch(epoch -> !epoch.isStopped() && !epoch.isComplete());
  }

  /** One JSON object. */
  public Map<String, Object> plain() {
    Map<String, Object> plain = new LinkedHashMap<>();
    plain.put("source", source);
    plain.put("workers", workers);
    plain.put("samples", stats.samples());
    plain.put("batches", stats.batches());
    plain.put("bytes", stats.bytes());
    plain.put("storage_bytes", stats.storageBytes());
    plain.put("seconds", seconds);
    plain.put("samples_per_s", samplesPerSecond());
    plain.put("first_batch_s", stats.firstBatchNanos() / 1e9);
    plain.put("step_s", stepSeconds);
    plain.put("stall_fraction", stallFraction());
    Map<String, Object> stalls = new LinkedHashMap<>();
    for (Stage stage : Stage.values()) {
      stalls.put(stage.label(), stallSeconds(stage));
    }
    plain.put("stalls", stalls);
    plain.put("heap_bytes_per_sample", heapBytesPerSample);
    plain.put("ring_bytes", stats.ringBytes());
    plain.put("scratch_bytes", stats.scratchBytes());
    plain.put("skipped", stats.skipped());
    plain.put("substituted", stats.substituted());
    plain.put("bad_samples", stats.badSamples().stream().map(BenchReport::plain).toList());
    plain.put("coverage", epochs.stream().map(EpochReport::plain).toList());
    plain.put(
        "epoch_digests",
        epochs.stream().map(EpochReport::digest).filter(Objects::nonNull).toList());
    plain.put("interrupted", isInterrupted);
    return plain;
  }

  private static Map<String, Object> plain(LoaderStats.BadSample sample) {
    Map<String, Object> plain = new LinkedHashMap<>();
    plain.put("sample", sample.id());
    plain.put("object", sample.location());
    plain.put("stage", sample.stage().label());
    plain.put("cause", sample.cause());
    return plain;
  }

  /** Some lines for people. */
  public String text() {
    List<String> lines = new ArrayList<>();
    lines.add(row("samples", "%,d in %,d batches".formatted(stats.samples(), stats.batches())));
    lines.add(row("time", Quantities.roundedSeconds(seconds)));
    lines.add(
        row(
            "rate",
            "%,.0f samples/s, %s/s"
                .formatted(samplesPerSecond(), Quantities.rounded(rate(stats.bytes())))));
    if (stats.storageBytes() > 0) {
      lines.add(row("read", Quantities.rounded(rate(stats.storageBytes())) + "/s from storage"));
    }
    lines.add(row("first batch", Quantities.roundedSeconds(stats.firstBatchNanos() / 1e9)));
    addTimes(lines);
    if (heapBytesPerSample != null) {
      lines.add(row("heap", "%,.0f bytes allocated per sample".formatted(heapBytesPerSample)));
    }
    addBadSamples(lines);
    for (EpochReport epoch : epochs) {
      lines.add(epoch.text());
      if (epoch.digest() != null) {
        lines.add("         " + epoch.digest());
      }
    }
    lines.add("");
    lines.add(Hints.of(this));
    return String.join(System.lineSeparator(), lines);
  }

  private double rate(long bytes) {
    return seconds > 0 ? bytes / seconds : 0;
  }

  private void addTimes(List<String> lines) {
    lines.add(row("waited for data", percent(stallFraction())));
    for (Stage stage : Stage.values()) {
      double share = seconds > 0 ? stallSeconds(stage) / seconds : 0;
      if (share >= 0.0005) {
        lines.add(row("  " + stage.label(), percent(share)));
      }
    }
    if (stepSeconds > 0) {
      lines.add(row("computed", percent(stepSeconds / seconds)));
    }
  }

  private void addBadSamples(List<String> lines) {
    if (stats.skipped() + stats.substituted() > 0) {
      lines.add(
          row(
              "bad samples",
              stats.skipped() + " skipped, " + stats.substituted() + " substituted"));
    }
    stats.badSamples().stream()
        .limit(BAD_SAMPLES_SHOWN_MAX)
        .forEach(sample -> lines.add("  " + sample.location() + ": " + sample.cause()));
    int more = stats.badSamples().size() - BAD_SAMPLES_SHOWN_MAX;
    if (more > 0) {
      lines.add("  and " + more + " more; --json lists all");
    }
  }

  private static String row(String name, String value) {
    return String.format(Locale.ROOT, "%-18s%s", name, value);
  }

  static String percent(double share) {
    return String.format(Locale.ROOT, "%.1f %%", 100 * share);
  }
}
