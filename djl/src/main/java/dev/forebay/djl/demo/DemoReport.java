package dev.forebay.djl.demo;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The demo's result, as a table for people and as numbers for programs.
 *
 * @param pictures the number of pictures made
 * @param workers of the asynchronous run
 * @param engineThreads threads that PyTorch computes on, in both runs
 * @param synchronous loading in the training thread
 * @param asynchronous loading ahead
 */
record DemoReport(
    int pictures,
    int workers,
    int engineThreads,
    TrainingResult synchronous,
    TrainingResult asynchronous) {
  private static final double GOOD_SHARE = 0.95;
  private static final double GAIN_MIN = 1.02;
  private static final double SLOWDOWN_MIN = 1.1;

  /** The table, what it means, and what to do next. */
  String text() {
    StringBuilder text = new StringBuilder();
    line(text, "", "synchronous", "asynchronous");
    line(
        text,
        "samples/s",
        "%.0f".formatted(synchronous.samplesPerSecond()),
        "%.0f".formatted(asynchronous.samplesPerSecond()));
    line(
        text,
        "time computing",
        percent(synchronous.computeShare()),
        percent(asynchronous.computeShare()));
    line(
        text,
        "time waiting for data",
        percent(synchronous.stallShare()),
        percent(asynchronous.stallShare()));
    line(text, "first batch after", millis(synchronous), millis(asynchronous));
    for (int epoch = 0; epoch < synchronous.epochs().size(); epoch++) {
      line(
          text,
          "epoch %d loss, accuracy".formatted(epoch),
          quality(synchronous, epoch),
          quality(asynchronous, epoch));
    }
    return text.append('\n').append(verdict()).append('\n').toString();
  }

  private static void line(StringBuilder text, String name, String first, String second) {
    text.append(String.format(Locale.ROOT, "%-24s%16s%16s%n", name, first, second));
  }

  private static String percent(double share) {
    return String.format(Locale.ROOT, "%.1f %%", 100 * share);
  }

  private static String millis(TrainingResult result) {
    return String.format(Locale.ROOT, "%.0f ms", 1000 * result.firstBatchSeconds());
  }

  private static String quality(TrainingResult result, int epoch) {
    TrainingResult.Epoch of = result.epochs().get(epoch);
    return String.format(Locale.ROOT, "%.3f, %.1f %%", of.loss(), 100 * of.accuracy());
  }

  /** How much sooner the asynchronous run was done with the same work. */
  double speedup() {
    return asynchronous.samplesPerSecond() / synchronous.samplesPerSecond();
  }

  /** What the numbers say, and no more. */
  String verdict() {
    List<String> sentences = new ArrayList<>();
    String gain = String.format(Locale.ROOT, "%.2f", speedup());
    if (speedup() >= GAIN_MIN) {
      sentences.add("Asynchronous loading trained " + gain + " times as fast.");
    } else {
      sentences.add("Asynchronous loading gained nothing here (" + gain + " times as fast).");
    }
    if (asynchronous.computeShare() >= GOOD_SHARE) {
      sentences.add("The model hardly ever waited: loading kept up with it.");
    } else if (asynchronous.laterStallShare() <= 1 - GOOD_SHARE) {
      sentences.add("The model waited for its first batch, and hardly ever after.");
    } else {
      sentences.add(
          "The model still waited: with %d worker(s), loading is slower here than this small model computes."
              .formatted(workers));
    }
    double slowdown =
        asynchronous.computeSecondsPerSample() / synchronous.computeSecondsPerSample();
    if (slowdown >= SLOWDOWN_MIN) {
      sentences.add(
          "The steps themselves took %.2f times as long with loading beside them: these cores share something, which an accelerator would not."
              .formatted(slowdown));
    }
    sentences.add(
        sameLosses()
            ? "Both runs saw the same batches, byte for byte, and so have the same losses."
            : "The losses differ: the engine does not compute in the same order each time.");
    sentences.add(
        "PyTorch computed on %d thread(s) in both runs, so that a core is left for loading."
            .formatted(engineThreads));
    return String.join("\n", sentences);
  }

  private boolean sameLosses() {
    return synchronous.epochs().equals(asynchronous.epochs());
  }

  /** All numbers, by name. */
  Map<String, Object> numbers() {
    Map<String, Object> numbers = new LinkedHashMap<>();
    numbers.put("pictures", pictures);
    numbers.put("workers", workers);
    numbers.put("engine_threads", engineThreads);
    numbers.put("speedup", speedup());
    numbers.put("synchronous", numbers(synchronous));
    numbers.put("asynchronous", numbers(asynchronous));
    return numbers;
  }

  private static Map<String, Object> numbers(TrainingResult result) {
    Map<String, Object> numbers = new LinkedHashMap<>();
    numbers.put("samples", result.samples());
    numbers.put("seconds", result.seconds());
    numbers.put("samples_per_s", result.samplesPerSecond());
    numbers.put("compute_fraction", result.computeShare());
    numbers.put("stall_fraction", result.stallShare());
    numbers.put("first_batch_s", result.firstBatchSeconds());
    numbers.put("loss", result.epochs().stream().map(TrainingResult.Epoch::loss).toList());
    numbers.put("accuracy", result.epochs().stream().map(TrainingResult.Epoch::accuracy).toList());
    return numbers;
  }
}
