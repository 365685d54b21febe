package dev.forebay.cli.bench;

import dev.forebay.stats.Stage;
import java.util.Comparator;
import java.util.Map;

/** Says what to try next, given where the time went. */
final class Hints {
  private static final double LITTLE = 0.02;

  private Hints() {}

  /** One or two sentences. */
  static String of(BenchReport report) {
    if (report.stats().batches() == 0) {
      return "Nothing was delivered: the run was over, or the epoch is shorter than a batch and"
          + " drop_last leaves it out.";
    }
    if (report.workers() == 0) {
      return "With 0 workers the loop does all work itself; try --workers auto.";
    }
    if (report.stallFraction() < LITTLE) {
      return "The loop hardly waited: loading is fast enough for it.";
    }
    if (report.stepSeconds() == 0) {
      return "Without --simulate-step this is the loader's top speed, held up by "
          + worst(report).label()
          + ". With it, and your model's time per batch, you see what training would feel.";
    }
    return switch (worst(report)) {
      case STORAGE ->
          "Storage is too slow: try more loader.io_threads or loader.read_ahead, faster or nearer storage, or smaller files.";
      case DECODE ->
          "Decoding is too slow: try more workers if there are idle cores, or smaller images on storage.";
      case TRANSFORM ->
          "Transforms are too slow: try more workers if there are idle cores, or cheaper transforms.";
      case HAND_OFF ->
          "Batches were ready, but not ahead: try a larger loader.prefetch_factor or larger batches.";
      case CACHE -> "The cache is too slow.";
    };
  }

  private static Stage worst(BenchReport report) {
    return report.stats().waitNanosByStage().entrySet().stream()
        .max(Comparator.comparingLong(Map.Entry::getValue))
        .map(Map.Entry::getKey)
        .orElse(Stage.HAND_OFF);
  }
}
