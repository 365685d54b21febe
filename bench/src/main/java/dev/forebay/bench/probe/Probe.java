package dev.forebay.bench.probe;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Drains a loader for some seconds and prints what it saw. Used once, by one thread.
 *
 * @param <B> the loader's batches
 */
final class Probe<B> {
  private static final double TICKS_PER_SECOND = 100; // of /proc on Linux, whatever the kernel's

  /** What a batch is to the probe. */
  interface Taker<B> {
    /** Looks at a batch, gives it back, and says how many samples it had. */
    int take(B batch);
  }

  private final Supplier<Iterator<B>> epochs;
  private final Taker<B> taker;
  private @Nullable Iterator<B> current;

  /**
   * A probe.
   *
   * @param epochs starts the next epoch
   */
  Probe(Supplier<Iterator<B>> epochs, Taker<B> taker) {
    this.epochs = epochs;
    this.taker = taker;
  }

  /** Measures, and prints one line. */
  void run(double warmSeconds, double seconds) throws IOException {
    long asked = System.nanoTime();
    drainUntil(0, 1);
    double first = (System.nanoTime() - asked) / 1e9;
    drainUntil(System.nanoTime() + (long) (warmSeconds * 1e9), Long.MAX_VALUE);
    double cpu = cpuSeconds();
    long start = System.nanoTime();
    long samples = drainUntil(start + (long) (seconds * 1e9), Long.MAX_VALUE);
    double elapsed = (System.nanoTime() - start) / 1e9;
    System.out.printf(
        Locale.ROOT,
        "{\"samples\": %d, \"seconds\": %.6f, \"cpu_seconds\": %.3f, \"first_batch_seconds\": %.6f,"
            + " \"version\": \"Java %s\"}%n",
        samples,
        elapsed,
        cpuSeconds() - cpu,
        first,
        Runtime.version().feature());
  }

  private long drainUntil(long deadline, long batchesMax) {
    long samples = 0;
    for (long batch = 0;
        batch < batchesMax && (batchesMax == 1 || System.nanoTime() < deadline);
        batch++) {
      Iterator<B> iterator = current;
      if (iterator == null || !iterator.hasNext()) {
        iterator = epochs.get();
        current = iterator;
        if (!iterator.hasNext()) {
          throw new IllegalStateException("an epoch without a batch: the data set is too small");
        }
      }
      samples += taker.take(iterator.next());
    }
    return samples;
  }

  private static double cpuSeconds() throws IOException {
    String stat = Files.readString(Path.of("/proc/self/stat"));
    List<String> fields = List.of(stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1));
    long ticks = Long.parseLong(fields.get(11)) + Long.parseLong(fields.get(12));
    return ticks / TICKS_PER_SECOND;
  }
}
