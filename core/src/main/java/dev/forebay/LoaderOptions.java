package dev.forebay;

import dev.forebay.dataset.Dataset;
import dev.forebay.pipeline.ErrorPolicy;
import dev.forebay.pipeline.OutputOrder;
import dev.forebay.pipeline.PipelineConfig;
import dev.forebay.plan.AccessPlan;
import dev.forebay.sampler.BatchSampler;
import dev.forebay.sampler.Sampler;
import dev.forebay.sampler.World;
import dev.forebay.stats.Ticker;
import dev.forebay.storage.LocalFiles;
import dev.forebay.storage.ObjectStore;
import dev.forebay.transform.BatchTransform;
import dev.forebay.transform.Collator;
import dev.forebay.transform.Transform;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * What a {@link DataLoader.Builder} has collected, with the defaults; {@link #plan} and {@link
 * #config} check that it fits together. Confined to the builder, then read-only.
 */
final class LoaderOptions {
  static final int WORKERS_MAX = 1024;
  private static final long READ_AHEAD_BYTES_MAX = 256L << 20;
  private static final int IO_THREADS = 16;
  private static final System.Logger LOG = System.getLogger("dev.forebay");

  final Dataset dataset;
  int batchSize = 1;
  boolean isBatchSizeSet;
  boolean dropLast;
  boolean shuffle;
  long seed;
  @Nullable Sampler sampler;
  @Nullable BatchSampler batchSampler;
  World world = World.SINGLE;
  World.Tail tail = World.Tail.PAD;
  List<Transform> transforms = List.of();
  List<BatchTransform> batchTransforms = List.of();
  @Nullable Collator collator;
  int workers = DataLoader.AUTO;
  @Nullable Integer prefetchFactor;
  @Nullable Boolean persistentWorkers;
  boolean pinMemory;
  Duration timeout = Duration.ZERO;
  IntConsumer workerInit = _ -> {};
  OutputOrder outputOrder = OutputOrder.INPUT;
  ErrorPolicy errorPolicy = ErrorPolicy.fail();
  @Nullable Path quarantine;
  long memoryBytes = defaultMemoryBytes();
  @Nullable Long readAheadBytes;
  Duration stallReportAfter = Duration.ofSeconds(30);
  long epochs = Long.MAX_VALUE;
  int ioThreads = IO_THREADS;
  @Nullable ObjectStore store;
  Ticker ticker = Ticker.SYSTEM;
  Consumer<String> report = text -> LOG.log(System.Logger.Level.WARNING, text);

  LoaderOptions(Dataset dataset) {
    this.dataset = dataset;
  }

  /** A quarter of the machine's memory, so that training has the rest. */
  private static long defaultMemoryBytes() {
    if (java.lang.management.ManagementFactory.getOperatingSystemMXBean()
        instanceof com.sun.management.OperatingSystemMXBean system) {
      return system.getTotalMemorySize() / 4;
    }
    return Runtime.getRuntime().maxMemory();
  }

  int effectiveWorkers() {
    return workers == DataLoader.AUTO ? Runtime.getRuntime().availableProcessors() : workers;
  }

  /** Whether threads, and batches made ahead, outlive an epoch. */
  boolean isPersistent() {
    return persistentWorkers == null ? effectiveWorkers() > 0 : persistentWorkers;
  }

  /** The order that was asked for. */
  AccessPlan plan() {
    if (batchSampler != null) {
      if (isBatchSizeSet || shuffle || sampler != null || dropLast) {
        throw new IllegalArgumentException(
            "batchSampler excludes batchSize, shuffle, sampler and dropLast: it decides all of them");
      }
      return AccessPlan.of(dataset.size(), batchSampler, world, tail);
    }
    if (sampler != null && shuffle) {
      throw new IllegalArgumentException("sampler excludes shuffle: the sampler decides the order");
    }
    Sampler order =
        sampler != null ? sampler : shuffle ? Sampler.shuffled(seed) : Sampler.sequential();
    return AccessPlan.of(dataset.size(), order, world, tail, batchSize, dropLast);
  }

  /** Everything else that was asked for. */
  PipelineConfig config() {
    checkWorkerOptions();
    int prefetch = prefetchFactor == null ? 0 : prefetchFactor; // 0: the pipeline chooses
    long readAhead =
        readAheadBytes == null ? Math.min(READ_AHEAD_BYTES_MAX, memoryBytes / 4) : readAheadBytes;
    if (readAhead > memoryBytes) {
      throw new IllegalArgumentException(
          "readAheadBytes=%d exceeds memoryBudget=%d".formatted(readAhead, memoryBytes));
    }
    long left = memoryBytes - readAhead;
    return new PipelineConfig(
        dataset,
        store == null ? LocalFiles.open() : store,
        transforms,
        batchTransforms,
        collator,
        seed,
        effectiveWorkers(),
        ioThreads,
        prefetch,
        outputOrder,
        timeout.toNanos(),
        stallReportAfter.toNanos(),
        workerInit,
        errorPolicy,
        quarantine,
        left - left / 4,
        readAhead,
        left / 4,
        ticker,
        report);
  }

  private void checkWorkerOptions() {
    if (effectiveWorkers() > 0) {
      return;
    }
    if (prefetchFactor != null || Boolean.TRUE.equals(persistentWorkers)) {
      throw new IllegalArgumentException(
          "prefetchFactor and persistentWorkers need workers; with workers=0 the caller's thread does the work");
    }
    if (!timeout.isZero()) {
      throw new IllegalArgumentException(
          "timeout needs workers; with workers=0 the caller's thread does the work itself");
    }
  }
}
