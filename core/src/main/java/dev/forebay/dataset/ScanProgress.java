package dev.forebay.dataset;

import dev.forebay.stats.Ticker;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/** Tells how far a scan is, about once a second. Thread-safe; one line at a time. */
final class ScanProgress {
  private static final long INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final String root;
  private final Consumer<String> lines;
  private final Ticker ticker;
  private final LongAdder files = new LongAdder();
  private final LongAdder folders = new LongAdder();
  private final ReentrantLock reporting = new ReentrantLock();
  private final long startNanos;

  /** Guarded by {@link #reporting}. */
  private long reportedNanos;

  ScanProgress(String root, Consumer<String> lines, Ticker ticker) {
    this.root = root;
    this.lines = lines;
    this.ticker = ticker;
    this.startNanos = ticker.nanos();
    this.reportedNanos = startNanos;
  }

  /** Counts one directory and its samples. */
  void add(int filesFound) {
    files.add(filesFound);
    folders.increment();
    if (!reporting.tryLock()) {
      return; // another thread reports, and counts this directory or will do so next time
    }
    try {
      long now = ticker.nanos();
      if (now - reportedNanos >= INTERVAL_NANOS) {
        reportedNanos = now;
        lines.accept(
            String.format(
                Locale.ROOT,
                "indexing %s: %,d files in %,d folders",
                root,
                files.sum(),
                folders.sum()));
      }
    } finally {
      reporting.unlock();
    }
  }

  /** Reports the end of a scan. */
  void scanned(FolderIndex index) {
    double seconds = (ticker.nanos() - startNanos) / (double) TimeUnit.SECONDS.toNanos(1);
    lines.accept(
        String.format(
            Locale.ROOT,
            "indexed %s: %,d files in %,d classes, %.1f s",
            root,
            index.files(),
            index.classes(),
            seconds));
  }

  /** Reports that no scan was needed. */
  void reused(FolderIndex index) {
    lines.accept(
        String.format(
            Locale.ROOT,
            "the index of %s is up to date: %,d files in %,d classes",
            root,
            index.files(),
            index.classes()));
  }
}
