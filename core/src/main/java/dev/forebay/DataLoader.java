package dev.forebay;

import dev.forebay.dataset.Dataset;
import dev.forebay.error.ConfigurationException;
import dev.forebay.error.ForebayException.Advice;
import dev.forebay.error.LoaderException;
import dev.forebay.memory.Schema;
import dev.forebay.pipeline.BatchLease;
import dev.forebay.pipeline.ErrorPolicy;
import dev.forebay.pipeline.OutputOrder;
import dev.forebay.pipeline.Pipeline;
import dev.forebay.pipeline.PipelineConfig;
import dev.forebay.plan.AccessPlan;
import dev.forebay.sampler.BatchSampler;
import dev.forebay.sampler.CoverageCertificate;
import dev.forebay.sampler.EpochBatches;
import dev.forebay.sampler.Sampler;
import dev.forebay.sampler.World;
import dev.forebay.stats.LoaderStats;
import dev.forebay.storage.ObjectStore;
import dev.forebay.transform.BatchTransform;
import dev.forebay.transform.Collator;
import dev.forebay.transform.Transform;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Loads a dataset batch by batch, ahead of whoever consumes it. Each {@link #iterator()} is the
 * next epoch:
 *
 * <pre>{@code
 * try (DataLoader loader = DataLoader.builder(dataset).batchSize(256).shuffle(true).seed(42).build()) {
 *   for (int epoch = 0; epoch < 90; epoch++) {
 *     for (Batch batch : loader) {
 *       train(batch.tensor("image"), batch.tensor("label"));
 *     }
 *   }
 * }
 * }</pre>
 *
 * <p>Parameters are those of PyTorch's {@code DataLoader}; {@code docs/loader.md} compares them one
 * by one. For one consumer; {@link #close}, {@link #state} and {@link #stats} may be called by any
 * thread. The dataset is not closed with the loader.
 */
public final class DataLoader implements Iterable<Batch>, AutoCloseable {
  /** As {@code workers}: one for each processor. */
  public static final int AUTO = -1;

  private final LoaderOptions options;
  private final PipelineConfig config;
  private final AccessPlan plan;
  private final Schema schema;

  // Guarded by this; written by the consumer only.
  private @Nullable Pipeline pipeline;
  private @Nullable EpochIterator current;
  private Pipeline.Start next;
  private LoaderStats past = LoaderStats.none();
  private CoverageCertificate lastCertificate = CoverageCertificate.EMPTY;
  private boolean closed;

  private DataLoader(LoaderOptions options) {
    this.options = options;
    this.plan = options.plan();
    this.config = options.config();
    this.schema = Pipeline.rowSchema(config);
    this.next = new Pipeline.Start(0, 0, List.of(), options.epochs);
    if (options.pinMemory) {
      options.report.accept(
          "pinMemory has no effect: no CUDA device is in use by this process; batches are in plain native memory");
    }
  }

  /** Begins to describe a loader. */
  public static Builder builder(Dataset dataset) {
    return new Builder(Objects.requireNonNull(dataset, "dataset"));
  }

  /** The fields of the batches. */
  public Schema schema() {
    return schema;
  }

  /** The number of worker threads; 0 if the consumer's thread does the work. */
  public int workers() {
    return config.workers();
  }

  /** The number of batches of the epoch that the next {@link #iterator()} brings, for this rank. */
  public synchronized long batchesPerEpoch() {
    return plan.epoch(next.epoch(), next.position()).count();
  }

  /** The number of samples in them, those that pad the epoch included. */
  public synchronized long samplesPerEpoch() {
    return plan.epoch(next.epoch(), next.position()).samples(plan.batchRowsMax());
  }

  /** The epoch that the next {@link #iterator()} brings, 0-based. */
  public synchronized long epoch() {
    return next.epoch();
  }

  /** Makes the next {@link #iterator()} bring the given epoch, from its beginning. */
  public synchronized void setEpoch(long epoch) {
    if (epoch < 0) {
      throw new IllegalArgumentException("epoch=" + epoch + " must be >= 0");
    }
    if (epoch != next.epoch() || next.position() != 0) {
      next = new Pipeline.Start(epoch, 0, List.of(), options.epochs);
    }
  }

  /**
   * Starts the next epoch, or goes on with the one that was {@linkplain #restore restored}. An
   * earlier iterator ends with that, wherever it was.
   */
  @Override
  public synchronized Iterator<Batch> iterator() {
    checkOpen();
    if (current != null) {
      current.abandon();
    }
    EpochBatches batches = plan.epoch(next.epoch(), next.position());
    current = new EpochIterator(next.epoch(), batches);
    if (batches.count() > 0) {
      preparePipeline();
    }
    next = new Pipeline.Start(next.epoch() + 1, 0, List.of(), options.epochs);
    return current;
  }

  /** Keeps the running pipeline if it goes on with just this epoch; else starts one there. */
  private void preparePipeline() {
    if (pipeline != null) {
      Pipeline.Start there = pipeline.position();
      boolean goesOn =
          there.epoch() == next.epoch()
              && there.position() == next.position()
              && there.ahead().equals(next.ahead())
              && next.epoch() < options.epochs;
      if (goesOn && next.position() == 0) {
        return;
      }
      stopPipeline();
    }
    long epochEnd = options.isPersistent() ? options.epochs : next.epoch() + 1;
    pipeline =
        new Pipeline(
            config,
            plan,
            new Pipeline.Start(
                next.epoch(), next.position(), next.ahead(), Math.max(epochEnd, next.epoch() + 1)));
  }

  private void stopPipeline() {
    if (pipeline != null) {
      Pipeline stopping = pipeline;
      pipeline = null;
      stopping.close();
      past = past.plus(stopping.stats());
    }
  }

  /**
   * Where the consumer is: after the batches it has taken, be they closed or not. O(1), and cheap
   * enough to call after every batch.
   */
  public synchronized LoaderState state() {
    Pipeline.Start at = next;
    if (current != null && !current.isOver() && pipeline != null) {
      at = pipeline.position();
    }
    return new LoaderState(
        options.dataset.fingerprint(),
        plan.id(),
        options.seed,
        at.epoch(),
        at.position(),
        layout(),
        at.ahead());
  }

  private String layout() {
    World world = plan.world();
    return "%d/%d/%d".formatted(world.rank(), world.worldSize(), plan.batchRowsMax());
  }

  /**
   * Makes the next {@link #iterator()} go on where {@code state} was taken, whatever the number of
   * ranks then and now. O(1), but for samplers that must be read from their beginning.
   *
   * @throws ConfigurationException if the state belongs to another dataset or order
   */
  public synchronized void restore(LoaderState state) {
    checkOpen();
    require("dataset", options.dataset.fingerprint(), state.fingerprint());
    require("order (sampler, its parameters, dataset size)", plan.id(), state.plan());
    require("seed", String.valueOf(options.seed), String.valueOf(state.seed()));
    if (!state.ahead().isEmpty()) {
      require("rank, world and batch size", layout(), state.layout());
    }
    if (current != null) {
      current.abandon();
    }
    Pipeline.Start start =
        new Pipeline.Start(state.epoch(), state.position(), state.ahead(), options.epochs);
    try {
      boolean isOver = plan.epoch(state.epoch(), state.position()).count() == 0;
      boolean isEmpty = plan.epoch(state.epoch(), 0).count() == 0;
      next =
          isOver && !isEmpty
              ? new Pipeline.Start(state.epoch() + 1, 0, List.of(), options.epochs)
              : start;
    } catch (IllegalArgumentException e) {
      throw new ConfigurationException("the state does not fit: " + e.getMessage(), e);
    }
  }

  private static void require(String what, String expected, String found) {
    if (!expected.equals(found)) {
      throw new ConfigurationException(
          "the state was taken with another %s: it has %s, this loader has %s; build the loader as it was then, or start anew"
              .formatted(what, found, expected));
    }
  }

  /** What was done since the loader was built. */
  public synchronized LoaderStats stats() {
    return pipeline == null ? past : past.plus(pipeline.stats());
  }

  /**
   * What this loader delivered of the epoch that was iterated last, from where it started or was
   * restored: complete once the iterator has ended. Certificates add up over ranks and resumes.
   */
  public synchronized CoverageCertificate certificate() {
    boolean isRunning = current != null && !current.isOver() && pipeline != null;
    return isRunning ? Objects.requireNonNull(pipeline).coverage() : lastCertificate;
  }

  /**
   * What {@link #certificate()} is for a complete epoch without bad samples: takes time
   * proportional to the epoch's length.
   */
  public synchronized CoverageCertificate expectedCertificate() {
    EpochBatches batches =
        current == null ? plan.epoch(next.epoch(), next.position()) : current.batches;
    return CoverageCertificate.expected(batches, plan.batchRowsMax());
  }

  private void checkOpen() {
    if (closed) {
      throw new IllegalStateException("the loader is closed");
    }
  }

  /** Stops the threads and frees the memory; the current batch is closed, kept ones are not. */
  @Override
  public synchronized void close() {
    if (!closed) {
      closed = true;
      if (current != null) {
        current.abandon();
      }
      stopPipeline();
    }
  }

  /** One pass over an epoch. Confined to the consumer. */
  private final class EpochIterator implements Iterator<Batch> {
    private final long epoch;
    private final EpochBatches batches;
    private @Nullable Batch lent;
    private @Nullable Batch ahead;
    private boolean over;
    private boolean abandoned;

    EpochIterator(long epoch, EpochBatches batches) {
      this.epoch = epoch;
      this.batches = batches;
      if (batches.count() == 0) {
        over = true;
        lastCertificate = CoverageCertificate.EMPTY;
      }
    }

    boolean isOver() {
      return over || abandoned;
    }

    void abandon() {
      if (!isOver() && pipeline != null) {
        lastCertificate = pipeline.coverage();
      }
      abandoned = true;
      closeLent();
      if (ahead != null) {
        ahead.close();
        ahead = null;
      }
    }

    private void closeLent() {
      if (lent != null && !lent.isKept()) {
        lent.close();
      }
      lent = null;
    }

    @Override
    public boolean hasNext() {
      if (ahead == null && !over) {
        ahead = take();
      }
      return ahead != null;
    }

    @Override
    public Batch next() {
      if (!hasNext()) {
        throw new NoSuchElementException("epoch " + epoch + " is over");
      }
      Batch batch = Objects.requireNonNull(ahead);
      ahead = null;
      lent = batch;
      return batch;
    }

    private @Nullable Batch take() {
      if (abandoned) {
        throw new IllegalStateException(
            "the loader went on without this iterator: a newer one was started, or it was closed");
      }
      closeLent();
      Pipeline running = pipeline;
      if (running == null) {
        throw new IllegalStateException("the loader is closed");
      }
      try {
        BatchLease lease = running.take(epoch);
        if (lease != null) {
          return new Batch(lease);
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new LoaderException(
            Advice.RETRY, "interrupted while waiting for a batch of epoch " + epoch, e);
      }
      finish(running);
      return null;
    }

    private void finish(Pipeline running) {
      synchronized (DataLoader.this) {
        lastCertificate = running.coverage();
        over = true;
        if (!options.isPersistent()) {
          stopPipeline();
        }
      }
    }
  }

  /** Describes a loader. Not thread-safe. Every setting has a default but the dataset. */
  public static final class Builder {
    private final LoaderOptions options;

    private Builder(Dataset dataset) {
      this.options = new LoaderOptions(dataset);
    }

    /** Samples in a batch, 1 to 16,777,215; default 1. */
    public Builder batchSize(int batchSize) {
      options.batchSize = require(batchSize, 1, (1 << 24) - 1, "batchSize");
      options.isBatchSizeSet = true;
      return this;
    }

    /** Whether a last batch that is not full is left out; default false. */
    public Builder dropLast(boolean dropLast) {
      options.dropLast = dropLast;
      return this;
    }

    /** Whether each epoch has a new random order; default false: the dataset's own. */
    public Builder shuffle(boolean shuffle) {
      options.shuffle = shuffle;
      return this;
    }

    /** The seed of the order and of all transforms; default 0. */
    public Builder seed(long seed) {
      options.seed = seed;
      return this;
    }

    /** The order of the samples, instead of {@link #shuffle}. */
    public Builder sampler(Sampler sampler) {
      options.sampler = Objects.requireNonNull(sampler, "sampler");
      return this;
    }

    /** Which samples make up which batch, instead of all other settings of the order. */
    public Builder batchSampler(BatchSampler batchSampler) {
      options.batchSampler = Objects.requireNonNull(batchSampler, "batchSampler");
      return this;
    }

    /** The place of this process among all that train together; default a world of one. */
    public Builder world(World world) {
      options.world = Objects.requireNonNull(world, "world");
      return this;
    }

    /** What becomes of samples that do not divide by the number of ranks; default {@code PAD}. */
    public Builder tail(World.Tail tail) {
      options.tail = Objects.requireNonNull(tail, "tail");
      return this;
    }

    /** What is done to each sample, in this order; default nothing. */
    public Builder transforms(List<Transform> transforms) {
      options.transforms = List.copyOf(transforms);
      return this;
    }

    /** What is done to each batch, in this order; default nothing. */
    public Builder batchTransforms(List<BatchTransform> batchTransforms) {
      options.batchTransforms = List.copyOf(batchTransforms);
      return this;
    }

    /** Makes an object of each batch, see {@link Batch#collated}; default nothing. */
    public Builder collate(Collator collator) {
      options.collator = Objects.requireNonNull(collator, "collator");
      return this;
    }

    /**
     * Threads that decode and transform, 0 to 1,024, or {@link #AUTO}, the default. With 0 the
     * consumer's thread does the work when it asks for a batch.
     */
    public Builder workers(int workers) {
      options.workers = require(workers, AUTO, LoaderOptions.WORKERS_MAX, "workers");
      return this;
    }

    /**
     * Batches made ahead of the consumer, 1 to 4,096. Unlike PyTorch's it does not multiply with
     * the number of workers, since all workers work on the same batches. By default as many as hold
     * 64 samples for each worker or 256 KiB, at least 2 and at most 64, and no more than a quarter
     * of the batches' memory.
     */
    public Builder prefetchFactor(int batches) {
      options.prefetchFactor = require(batches, 1, 4096, "prefetchFactor");
      return this;
    }

    /**
     * Whether threads outlive an epoch, which also lets the next epoch's first batches be made
     * while the last ones of this are consumed; default true with workers.
     */
    public Builder persistentWorkers(boolean persistentWorkers) {
      options.persistentWorkers = persistentWorkers;
      return this;
    }

    /**
     * Whether batches lie in memory that a device can read by itself; no effect without a device.
     */
    public Builder pinMemory(boolean pinMemory) {
      options.pinMemory = pinMemory;
      return this;
    }

    /** The longest that the consumer waits for a batch; default zero: as long as it takes. */
    public Builder timeout(Duration timeout) {
      options.timeout = requireNotNegative(timeout, "timeout");
      return this;
    }

    /** Runs first on each worker thread, with the worker's index; default nothing. */
    public Builder workerInit(IntConsumer workerInit) {
      options.workerInit = Objects.requireNonNull(workerInit, "workerInit");
      return this;
    }

    /** In which order finished batches are delivered; default {@code INPUT}. */
    public Builder outputOrder(OutputOrder outputOrder) {
      options.outputOrder = Objects.requireNonNull(outputOrder, "outputOrder");
      return this;
    }

    /** What becomes of samples that cannot be delivered; default {@code fail}. */
    public Builder onError(ErrorPolicy errorPolicy) {
      options.errorPolicy = Objects.requireNonNull(errorPolicy, "errorPolicy");
      return this;
    }

    /** A file that bad samples are added to, and whose samples are taken as bad; default none. */
    public Builder quarantine(Path file) {
      options.quarantine = Objects.requireNonNull(file, "file");
      return this;
    }

    /**
     * The most native memory for batches, read-ahead and scratch; default a quarter of the
     * machine's.
     */
    public Builder memoryBudget(long bytes) {
      if (bytes < 1) {
        throw new IllegalArgumentException("memoryBudget=" + bytes + " must be >= 1");
      }
      options.memoryBytes = bytes;
      return this;
    }

    /** How much of that may be bytes read ahead; default a quarter of it, at most 256 MiB. */
    public Builder readAheadBytes(long bytes) {
      if (bytes < 1) {
        throw new IllegalArgumentException("readAheadBytes=" + bytes + " must be >= 1");
      }
      options.readAheadBytes = bytes;
      return this;
    }

    /** Threads that read ahead, 1 to 1,024; default 16. */
    public Builder ioThreads(int threads) {
      options.ioThreads = require(threads, 1, 1024, "ioThreads");
      return this;
    }

    /** Where stored samples are read from; default local files. Not closed with the loader. */
    public Builder store(ObjectStore store) {
      options.store = Objects.requireNonNull(store, "store");
      return this;
    }

    /** After how long a wait is reported to the log, with its cause; default 30 s, zero never. */
    public Builder stallReportAfter(Duration duration) {
      options.stallReportAfter = requireNotNegative(duration, "stallReportAfter");
      return this;
    }

    /**
     * The number of epochs that will be asked for, so that none is prepared in vain; default any.
     */
    public Builder epochs(long epochs) {
      if (epochs < 1) {
        throw new IllegalArgumentException("epochs=" + epochs + " must be >= 1");
      }
      options.epochs = epochs;
      return this;
    }

    /**
     * Builds the loader; its threads start with the first epoch.
     *
     * @throws IllegalArgumentException if settings contradict each other, or dataset and transforms
     *     do not fit together
     */
    public DataLoader build() {
      return new DataLoader(options);
    }

    private static int require(int value, int min, int max, String name) {
      if (value < min || value > max) {
        throw new IllegalArgumentException(
            "%s=%d must be %d to %d".formatted(name, value, min, max));
      }
      return value;
    }

    private static Duration requireNotNegative(Duration value, String name) {
      if (value.isNegative()) {
        throw new IllegalArgumentException(name + "=" + value + " must not be negative");
      }
      return value;
    }
  }
}
