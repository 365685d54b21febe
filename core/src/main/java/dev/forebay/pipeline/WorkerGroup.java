package dev.forebay.pipeline;

import dev.forebay.error.ForebayException.Advice;
import dev.forebay.error.LoaderException;
import dev.forebay.memory.MemoryBudget;
import dev.forebay.stats.Ticker;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The threads of a pipeline: workers, and readers ahead of them if samples come from storage.
 * Nothing a thread does ends unnoticed: whatever it throws, an {@link OutOfMemoryError} too, ends
 * the run and reaches the consumer.
 *
 * <p>Each thread makes and closes its own {@link RowProducer}. {@code producers} lets others see
 * what the workers are doing. Thread-safe; {@code start} and {@code stop} are called once each.
 */
final class WorkerGroup {
  /** How long a chunk of rows should take: long enough to hide the claim, short enough to share. */
  private static final long CHUNK_NANOS = 20_000;

  private static final int CHUNK_MAX = 64;
  private static final int FETCHED_CHUNK_MAX = 16;
  private static final long STOP_SECONDS = 10;
  private static final int STACK_DEPTH = 10;

  private final Pipeline pipeline;
  private final PipelineConfig config;
  private final Ticker ticker;
  private final RowRing ring;
  private final Quarantine quarantine;
  private final MemoryBudget scratchBudget;
  private final MemoryBudget readBudget;
  private final @Nullable Fetcher fetcher;
  private final List<Thread> workers = new ArrayList<>();
  private final List<Thread> readers = new ArrayList<>();
  private final AtomicReferenceArray<@Nullable RowProducer> producers;
  private @Nullable RowProducer inline;

  WorkerGroup(
      Pipeline pipeline,
      PipelineConfig config,
      RowRing ring,
      Quarantine quarantine,
      MemoryBudget scratchBudget,
      MemoryBudget readBudget) {
    this.pipeline = pipeline;
    this.config = config;
    this.ticker = config.ticker();
    this.ring = ring;
    this.quarantine = quarantine;
    this.scratchBudget = scratchBudget;
    this.readBudget = readBudget;
    this.producers = new AtomicReferenceArray<>(Math.max(1, config.workers()));
    boolean reads = config.workers() > 0 && config.dataset().storedField() >= 0;
    this.fetcher = reads ? new Fetcher(config, buffers(config, ring), readBudget) : null;
  }

  private static int buffers(PipelineConfig config, RowRing ring) {
    int wanted = 4 * Math.max(config.ioThreads(), 2 * config.workers());
    return Math.max(1, Math.min(wanted, ring.slots() * ring.batchRows()));
  }

  void start() {
    for (int i = 0; i < config.workers(); i++) {
      int index = i;
      workers.add(thread("forebay-worker-" + i, () -> work(index)));
    }
    if (fetcher != null) {
      for (int i = 0; i < config.ioThreads(); i++) {
        readers.add(thread("forebay-reader-" + i, () -> read(fetcher)));
      }
    }
    workers.forEach(Thread::start);
    readers.forEach(Thread::start);
  }

  private Thread thread(String name, InterruptibleBody body) {
    return Thread.ofPlatform()
        .daemon()
        .name(name)
        .unstarted(
            () -> {
              try {
                body.run();
              } catch (InterruptedException e) {
                if (!pipeline.isStopped()) {
                  pipeline.fail(new LoaderException(Advice.FATAL, name + " was interrupted", e));
                }
              } catch (Throwable death) {
                pipeline.fail(death);
              }
            });
  }

  @FunctionalInterface
  private interface InterruptibleBody {
    void run() throws InterruptedException;
  }

  private void work(int index) throws InterruptedException {
    config.workerInit().accept(index);
    try (RowProducer producer = newProducer()) {
      producers.set(index, producer);
      if (fetcher != null) {
        workOnFetched(fetcher, producer);
      } else {
        workOnClaims(producer);
      }
    } finally {
      producers.set(index, null);
    }
  }

  private RowProducer newProducer() {
    MemoryBudget inlineBudget = fetcher == null ? readBudget : scratchBudget;
    return new RowProducer(config, ring, quarantine, scratchBudget, inlineBudget);
  }

  /** As {@link #workOnClaims}: several cheap rows at a time. */
  private void workOnFetched(Fetcher source, RowProducer producer) throws InterruptedException {
    int chunk = 1;
    while (!pipeline.isStopped()) {
      FetchBuffer chain = source.takeReady(chunk);
      int count = 0;
      long start = ticker.nanos();
      long end = start;
      try {
        for (FetchBuffer buffer = chain; buffer != null; buffer = buffer.next) {
          end = workOn(buffer, producer);
          count++;
        }
      } finally {
        source.recycle(chain);
      }
      chunk = Math.clamp(CHUNK_NANOS * count / Math.max(1, end - start), 1, FETCHED_CHUNK_MAX);
    }
  }

  private long workOn(FetchBuffer buffer, RowProducer producer) {
    BatchSlot slot = buffer.slot;
    if (slot == null) {
      throw new IllegalStateException("a fetched buffer belongs to no row");
    }
    int row = buffer.row;
    producer.produce(slot, row, buffer);
    long end = slot.workEnd[row];
    pipeline.finishRows(slot, row, 1);
    return end;
  }

  /**
   * Takes several cheap rows at a time, so that claiming them costs little; dear ones one by one.
   */
  private void workOnClaims(RowProducer producer) throws InterruptedException {
    int chunk = 1;
    int chunkMax = Math.clamp(ring.batchRows() / (2L * config.workers()), 1, CHUNK_MAX);
    while (true) {
      long claim = pipeline.claim(chunk);
      if (claim < 0) {
        return;
      }
      BatchSlot slot = pipeline.slotOf(claim);
      int first = WorkCursor.rowOf(claim);
      int count = Math.min(chunk, slot.planned - first);
      long start = ticker.nanos();
      for (int row = first; row < first + count; row++) {
        producer.produce(slot, row, null);
      }
      long nanosPerRow = Math.max(1, (slot.workEnd[first + count - 1] - start) / count);
      pipeline.finishRows(slot, first + count - 1, count);
      chunk = Math.clamp(CHUNK_NANOS / nanosPerRow, 1, chunkMax);
    }
  }

  private void read(Fetcher target) throws InterruptedException {
    while (!pipeline.isStopped()) {
      FetchBuffer chain = target.takeIdle();
      long claim = pipeline.tryClaim(lengthOf(chain));
      if (claim >= 0) {
        BatchSlot slot = pipeline.slotOf(claim);
        int row = WorkCursor.rowOf(claim);
        target.fetch(chain, slot, row, Math.min(lengthOf(chain), slot.planned - row));
      } else {
        // A reader must not wait with a buffer in hand: another may need its memory, for a row
        // without which there will never be more to plan.
        target.recycle(chain);
        pipeline.awaitRows();
      }
    }
  }

  private static int lengthOf(FetchBuffer chain) {
    int length = 0;
    for (FetchBuffer buffer = chain; buffer != null; buffer = buffer.next) {
      length++;
    }
    return length;
  }

  /** Makes a row in the calling thread; for pipelines without workers. */
  void produceInline(BatchSlot slot, int row) {
    RowProducer producer = inline;
    if (producer == null) {
      config.workerInit().accept(0);
      producer = newProducer();
      inline = producer;
      producers.set(0, producer);
    }
    producer.produce(slot, row, null);
  }

  long storageBytes() {
    return fetcher == null ? 0 : fetcher.bytesRead();
  }

  /** What each busy worker is at, and where: for reports of stalls. */
  String describe() {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < producers.length(); i++) {
      RowProducer producer = producers.get(i);
      long id = producer == null ? -1 : producer.currentId();
      if (producer == null || id < 0) {
        continue;
      }
      text.append(text.isEmpty() ? "" : "; ")
          .append(
              "worker %d: sample %d (%s) in stage %s"
                  .formatted(i, id, config.dataset().describe(id), producer.stage().label()));
      if (i < workers.size()) {
        text.append(" at ").append(stackOf(workers.get(i)));
      }
    }
    if (text.isEmpty()) {
      text.append("no worker is busy");
      readers.stream()
          .limit(1)
          .forEach(reader -> text.append("; a reader is at ").append(stackOf(reader)));
    }
    return text.toString();
  }

  private static String stackOf(Thread thread) {
    StringBuilder text = new StringBuilder();
    StackTraceElement[] stack = thread.getStackTrace();
    int shown = 0;
    for (int i = 0; i < stack.length && shown < STACK_DEPTH; i++) {
      if (i == 0 || !isOfTheJdk(stack[i])) {
        text.append(i == 0 ? "" : " < ").append(stack[i]);
        shown++;
      }
    }
    return text.isEmpty() ? "(ended)" : text.toString();
  }

  private static boolean isOfTheJdk(StackTraceElement frame) {
    return frame.getClassName().startsWith("java.") || frame.getClassName().startsWith("jdk.");
  }

  /**
   * Stops and joins all threads and frees their memory; returns those that did not stop in time.
   */
  List<Thread> stop() {
    List<Thread> all = new ArrayList<>(workers);
    all.addAll(readers);
    all.forEach(Thread::interrupt);
    boolean interrupted = false;
    long deadline = ticker.nanos() + TimeUnit.SECONDS.toNanos(STOP_SECONDS);
    for (Thread thread : all) {
      long left = Math.max(1, (deadline - ticker.nanos()) / 1_000_000);
      try {
        thread.join(left);
      } catch (InterruptedException _) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    all.removeIf(thread -> !thread.isAlive());
    if (all.isEmpty()) {
      if (fetcher != null) {
        fetcher.close();
      }
      if (inline != null) {
        inline.close();
      }
    }
    return all;
  }
}
