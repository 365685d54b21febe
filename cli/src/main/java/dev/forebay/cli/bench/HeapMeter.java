package dev.forebay.cli.bench;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import org.jspecify.annotations.Nullable;

/**
 * How many bytes all threads of this process allocate on the Java heap per sample, from the middle
 * of a run to its end, when everything is warm. Confined to one thread.
 */
final class HeapMeter {
  private final ThreadMXBean threads = ManagementFactory.getPlatformMXBean(ThreadMXBean.class);
  private final long startBatch;
  private boolean isStarted;
  private long startBytes;
  private long startSamples;

  /** Measures the second half of so many batches. */
  HeapMeter(long batches) {
    this.startBatch = batches / 2;
  }

  /** Takes note that so much is done. */
  void at(long batches, long samples) {
    if (!isStarted && batches >= startBatch) {
      isStarted = true;
      startSamples = samples;
      startBytes = threads.getTotalThreadAllocatedBytes();
    }
  }

  /** The result, or null if there is nothing to divide by. */
  @Nullable Double bytesPerSample(long samples) {
    if (!isStarted || samples <= startSamples) {
      return null;
    }
    long bytes = threads.getTotalThreadAllocatedBytes() - startBytes;
    return (double) bytes / (samples - startSamples);
  }
}
