package dev.forebay.pipeline;

import dev.forebay.error.ForebayException.Advice;
import dev.forebay.error.LoaderException;
import dev.forebay.memory.MemoryBudget;
import dev.forebay.memory.Schema;
import dev.forebay.plan.AccessPlan;
import dev.forebay.sampler.CoverageCertificate;
import dev.forebay.stats.LoaderStats;
import dev.forebay.stats.Ticker;
import dev.forebay.transform.BatchTransform;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Turns a plan into batches: one uninterrupted run from a place in an epoch on, through the epochs
 * that follow, with the next epoch's first batches made while the last ones of this are consumed.
 *
 * <pre>
 * Design
 *   planner --slot--> [readers --bytes-->] workers --rows--> slot READY --take--> lease --release--> slot FREE
 *
 *   A batch has a sequence number, run-wide; batch s lives in slot s mod N. Three counts move along it:
 *     released <= taken batches <= planned <= released + N
 *   A slot is planned only when its former batch was released: that is the backpressure. Whoever runs
 *   out of rows (reader or worker) plans the next batch itself, under the lock; nobody does it ahead.
 *
 *   Rows are dealt out lock-free by WorkCursor; a row belongs to its worker until BatchSlot.finish; the
 *   worker that finishes the last row applies the batch transforms and makes the slot READY.
 *
 *   lock guards: planner, released, progress, deliveries, slot phases, failure.
 *   planned is written under the lock and read without it (volatile), after the slot it publishes.
 *   Conditions: work (rows were planned, enough slots were freed, the consumer waits, stop), ready (a slot is READY, failure, stop).
 *   Lock order: lock, then a slot's monitor or the quarantine's; never the other way round.
 *
 *   The first failure that is not one sample's ends the run: it is kept, later ones are suppressed under
 *   it, and every take throws it.
 *
 * Invariants: checkInvariants().
 * Not invariants: batches become READY in any order; planned may stand still with slots free, if the plan
 * is at its end.
 * </pre>
 *
 * <p>{@code take} is for one consumer; everything else is thread-safe.
 */
public final class Pipeline implements AutoCloseable {
  /** Rows ahead of the consumer for each worker, if nobody says otherwise. */
  private static final int WINDOW_ROWS = 64;

  /** The ring is not smaller than this only to have few batches. */
  private static final long WINDOW_BYTES = 256 << 10;

  /**
   * With more slots, workers that ran out of them sleep until half are free: waking them for each
   * costs more than a small batch.
   */
  private static final int FEW_SLOTS = 8;

  private static final int PREFETCH_MIN = 2;
  private static final int PREFETCH_MAX = 64;

  private final PipelineConfig config;
  private final Ticker ticker;
  private final Planner planner;
  private final AccessPlan plan;
  private final RowRing ring;
  private final BatchSlot[] slots;
  private final WorkCursor cursor = new WorkCursor();
  private final Quarantine quarantine;
  private final MemoryBudget ringBudget;
  private final MemoryBudget scratchBudget;
  private final MemoryBudget readBudget;
  private final WorkerGroup group;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition work = lock.newCondition();
  private final Condition ready = lock.newCondition();
  private volatile long planned;
  private volatile boolean stopped;
  private boolean isRingClosed;
  private @Nullable Throwable failure;
  private long released;
  private int leased;
  private Progress progress;
  private final Deliveries deliveries = new Deliveries();

  /**
   * Where a run begins.
   *
   * @param epoch 0-based
   * @param position of the global order, see {@link AccessPlan#epoch}
   * @param ahead batches already delivered, relative to the first at {@code position}
   * @param epochEnd the first epoch that will not be asked for
   */
  public record Start(long epoch, long position, List<Long> ahead, long epochEnd) {
    /** Copies the list. */
    public Start {
      ahead = List.copyOf(ahead);
    }
  }

  /** Builds the ring and starts the threads. */
  public Pipeline(PipelineConfig config, AccessPlan plan, Start start) {
    this.config = config;
    this.plan = plan;
    this.ticker = config.ticker();
    this.planner =
        new Planner(plan, start.epoch(), start.position(), start.ahead(), start.epochEnd());
    this.progress = planner.startProgress();
    this.ringBudget = new MemoryBudget("row ring", config.memoryBytesMax());
    this.scratchBudget = new MemoryBudget("worker scratch", config.scratchBytesMax());
    this.readBudget = new MemoryBudget("read-ahead", config.readAheadBytesMax());
    this.quarantine =
        new Quarantine(
            config.quarantine(),
            config.dataset().fingerprint(),
            config.errorPolicy().budget().limit(plan.datasetSize()));
    int slotCount = config.workers() == 0 ? 1 : prefetchBatches(config, plan) + 1;
    this.ring = new RowRing(rowSchema(config), slotCount, plan.batchRowsMax(), ringBudget);
    this.slots = new BatchSlot[slotCount];
    for (int i = 0; i < slotCount; i++) {
      slots[i] = new BatchSlot(i, ring);
    }
    this.group = new WorkerGroup(this, config, ring, quarantine, scratchBudget, readBudget);
    group.start();
  }

  /**
   * As asked for; else so many that a slow sample does not soon stop the other workers and that
   * small batches do not change hands one by one, and so few that the ring takes a quarter of its
   * budget at most, but two in any case.
   */
  static int prefetchBatches(PipelineConfig config, AccessPlan plan) {
    if (config.prefetchBatches() > 0) {
      return config.prefetchBatches();
    }
    long rows = Math.multiplyExact((long) WINDOW_ROWS, config.workers());
    long batchBytes = Math.max(1, RowRing.batchBytes(rowSchema(config), plan.batchRowsMax()));
    long batches = Math.max(Math.ceilDiv(rows, plan.batchRowsMax()), WINDOW_BYTES / batchBytes);
    long wanted = Math.clamp(batches, PREFETCH_MIN, PREFETCH_MAX);
    long affordable = config.memoryBytesMax() / 4 / batchBytes - 1;
    return (int) Math.clamp(affordable, PREFETCH_MIN, wanted);
  }

  /** The schema of a pipeline's batches; throws if dataset and transforms do not fit together. */
  public static Schema rowSchema(PipelineConfig config) {
    Schema schema = SampleWorker.rowSchema(config.dataset(), config.transforms());
    for (BatchTransform transform : config.batchTransforms()) {
      Schema output = transform.output(schema);
      if (!output.equals(schema)) {
        throw new IllegalArgumentException(
            transform.identity() + " needs rows as it leaves them: " + output + ", not " + schema);
      }
    }
    return schema;
  }

  // For the workers and readers.

  /** Claims rows for a worker or reader, waiting until there are some; -1 when the run is over. */
  long claim(int count) throws InterruptedException {
    while (!stopped) {
      long claim = tryClaim(count);
      if (claim >= 0) {
        return claim;
      }
      awaitRows();
    }
    return -1;
  }

  /** Claims rows if there are some; else -1. */
  long tryClaim(int count) {
    return cursor.claim(slots, planned, count);
  }

  /** Waits until there are rows to claim, or the run is over. */
  void awaitRows() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      while (!stopped && cursor.sequence() >= planned && !planNext()) {
        work.await();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Plans one batch if a slot is free and the plan goes on. Under the lock. */
  private boolean planNext() {
    if (failure != null || planned - released >= slots.length) {
      return false;
    }
    BatchSlot slot = slots[(int) (planned % slots.length)];
    if (!planner.plan(slot)) {
      return false;
    }
    slot.startFilling();
    long next = planned + 1;
    planned = next;
    work.signalAll();
    return true;
  }

  /** The batch of a claim. */
  BatchSlot slotOf(long claim) {
    return slots[(int) (WorkCursor.sequenceOf(claim) % slots.length)];
  }

  /** Counts rows as finished; the last one finishes the batch. */
  void finishRows(BatchSlot slot, int lastRow, int count) {
    if (slot.finish(count)) {
      slot.lastRow = lastRow;
      finishBatch(slot);
    }
  }

  private void finishBatch(BatchSlot slot) {
    slot.compact();
    if (slot.rows > 0 && slot.failure() == null) {
      applyBatchTransforms(slot);
    }
    lock.lock();
    try {
      slot.readyAt = ticker.nanos();
      slot.phase = BatchSlot.Phase.READY;
      ready.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void applyBatchTransforms(BatchSlot slot) {
    if (config.batchTransforms().isEmpty() && config.collator() == null) {
      return;
    }
    SlotRows rows = new SlotRows(slot, config.seed());
    String step = "collate";
    try {
      for (int i = 0; i < config.batchTransforms().size(); i++) {
        step = config.batchTransforms().get(i).identity();
        rows.startOperation(i);
        config.batchTransforms().get(i).apply(rows);
      }
      step = "collate";
      if (config.collator() != null) {
        slot.collated = config.collator().collate(rows);
      }
    } catch (RuntimeException cause) {
      throw new LoaderException(
          Advice.FAIL_EPOCH,
          "%s failed on batch %d of epoch %d, whose samples are %s: %s"
              .formatted(step, slot.number, slot.epoch, idsOf(slot), cause),
          cause);
    }
  }

  private static String idsOf(BatchSlot slot) {
    StringBuilder text = new StringBuilder("[");
    for (int row = 0; row < Math.min(slot.rows, 8); row++) {
      text.append(row == 0 ? "" : ", ").append(slot.deliveredIds[row]);
    }
    return text.append(slot.rows > 8 ? ", ...]" : "]").toString();
  }

  /** Ends the run with an error; the first one counts. */
  void fail(Throwable error) {
    lock.lock();
    try {
      if (failure == null) {
        failure = error;
      } else if (!failure.equals(error)) {
        failure.addSuppressed(error);
      }
      ready.signalAll();
    } finally {
      lock.unlock();
    }
  }

  // For the consumer.

  /**
   * The next batch of an epoch, waiting for it; null when the epoch is over. Epochs are asked for
   * one after the other, each until it is over.
   *
   * @throws dev.forebay.error.SampleException if a sample of the batch is bad and the policy is to
   *     fail
   * @throws LoaderException if the run cannot go on, or the timeout has passed
   * @throws InterruptedException if the thread is interrupted while it waits; the batch is not lost
   */
  public @Nullable BatchLease take(long epoch) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      long start = ticker.nanos();
      deliveries.request(start);
      startEpoch(epoch);
      while (!progress.isComplete()) {
        throwIfOver();
        BatchSlot slot = takeable(epoch);
        if (slot == null) {
          slot = config.workers() == 0 ? makeInline() : awaitReady(epoch, start);
        }
        BatchLease lease = deliver(slot);
        if (lease != null) {
          return lease;
        }
      }
      return null;
    } finally {
      lock.unlock();
    }
  }

  private void startEpoch(long epoch) {
    if (epoch == progress.epoch()) {
      return;
    }
    if (!progress.isComplete() || epoch != progress.epoch() + 1) {
      throw new IllegalStateException(
          "epoch=%d asked for, but epoch %d is %s"
              .formatted(epoch, progress.epoch(), progress.isComplete() ? "the last" : "not over"));
    }
    progress = new Progress(epoch, plan.epoch(epoch, 0), List.of());
    deliveries.startEpoch();
  }

  private void throwIfOver() {
    if (failure != null) {
      if (failure instanceof RuntimeException exception) {
        throw exception;
      }
      throw new LoaderException(
          Advice.FATAL, "the loader failed: " + failure + "; build it anew", failure);
    }
    if (stopped) {
      throw new IllegalStateException("the loader is closed");
    }
  }

  private @Nullable BatchSlot takeable(long epoch) {
    for (long sequence = released; sequence < planned; sequence++) {
      BatchSlot slot = slots[(int) (sequence % slots.length)];
      if (slot.epoch != epoch) {
        return null;
      }
      if (slot.phase == BatchSlot.Phase.READY) {
        return slot;
      }
      if (slot.phase == BatchSlot.Phase.FILLING && config.outputOrder() == OutputOrder.INPUT) {
        return null;
      }
    }
    return null;
  }

  private BatchSlot awaitReady(long epoch, long start) throws InterruptedException {
    long reportAt = config.stallReportNanos();
    BatchSlot slot = null;
    while (slot == null) {
      long waited = ticker.nanos() - start;
      if (config.timeoutNanos() > 0 && waited >= config.timeoutNanos()) {
        throw new LoaderException(
            Advice.RETRY,
            "no batch within the timeout of %d ms; %s"
                .formatted(config.timeoutNanos() / 1_000_000, describeStall()),
            null);
      }
      if (reportAt > 0 && waited >= reportAt) {
        config
            .report()
            .accept("waiting for %d s: ".formatted(waited / 1_000_000_000) + describeStall());
        reportAt += config.stallReportNanos();
      }
      work.signalAll(); // release() may have let the workers sleep on
      long left = config.timeoutNanos() > 0 ? config.timeoutNanos() - waited : Long.MAX_VALUE;
      left = reportAt > 0 ? Math.min(left, reportAt - waited) : left;
      ready.await(left, TimeUnit.NANOSECONDS);
      throwIfOver();
      slot = takeable(epoch);
    }
    deliveries.waited(start, ticker.nanos(), slot, slot.lastRow);
    return slot;
  }

  /** Makes the next batch in the consumer's thread; all of that time is waiting. */
  private BatchSlot makeInline() {
    BatchSlot slot = slots[0];
    if (!planNext()) {
      throw new IllegalStateException(
          "batch " + leased + " of " + slots.length + " is not released");
    }
    long since = ticker.nanos();
    for (int row = 0; row < slot.planned; row++) {
      group.produceInline(slot, row);
      long end = slot.workEnd[row];
      slot.readyAt = end;
      deliveries.waited(since, end, slot, row);
      since = Math.max(since, end);
    }
    finishRows(slot, slot.planned - 1, slot.planned);
    deliveries.waitedForBatch(since, ticker.nanos());
    return slot;
  }

  /** Hands a READY batch over; null if all its samples were skipped. */
  private @Nullable BatchLease deliver(BatchSlot slot) {
    RuntimeException error = slot.failure();
    if (error != null) {
      fail(error);
      throw error;
    }
    deliveries.account(slot);
    progress.take(slot.number);
    slot.phase = BatchSlot.Phase.LEASED;
    leased++;
    BatchLease lease = new BatchLease(this, slot);
    if (slot.rows == 0) {
      lease.close();
      return null;
    }
    deliveries.deliver(slot, rowBytes(), ticker.nanos());
    return lease;
  }

  private long rowBytes() {
    long bytes = 0;
    for (int field = 0; field < ring.schema().size(); field++) {
      bytes += ring.rowBytes(field);
    }
    return bytes;
  }

  /** Takes a lease back; true the first time. */
  boolean release(BatchLease lease, BatchSlot slot) {
    lock.lock();
    try {
      if (!lease.markReleased()) {
        return false;
      }
      slot.release(scratchBudget);
      leased--;
      while (released < planned
          && slots[(int) (released % slots.length)].phase == BatchSlot.Phase.FREE) {
        released++;
      }
      if (stopped && leased == 0) {
        closeRing();
      } else if (slots.length <= FEW_SLOTS || planned - released <= slots.length / 2) {
        work.signalAll();
      }
      return true;
    } finally {
      lock.unlock();
    }
  }

  private String describeStall() {
    if (leased == slots.length) {
      return "all %d batches are held by the consumer; close some".formatted(leased);
    }
    int unfinished = 0;
    for (long sequence = released; sequence < planned; sequence++) {
      unfinished += slots[(int) (sequence % slots.length)].remaining();
    }
    return "%d rows are unfinished; %s".formatted(unfinished, group.describe());
  }

  // State and statistics.

  /**
   * Where the consumer is: what a new run has to start from to go on without loss or repetition.
   */
  public Start position() {
    lock.lock();
    try {
      if (progress.isComplete()) {
        return new Start(progress.epoch() + 1, 0, List.of(), Long.MAX_VALUE);
      }
      return new Start(progress.epoch(), progress.position(), progress.ahead(), Long.MAX_VALUE);
    } finally {
      lock.unlock();
    }
  }

  /** What was delivered of the epoch that is consumed, so far. */
  public CoverageCertificate coverage() {
    lock.lock();
    try {
      return deliveries.certificate();
    } finally {
      lock.unlock();
    }
  }

  /** What was done so far. */
  public LoaderStats stats() {
    lock.lock();
    try {
      return deliveries.stats(
          new Deliveries.Rest(
              group.storageBytes(),
              quarantine.all(),
              ring.bytes(),
              scratchBudget.bytesLive() + readBudget.bytesLive()));
    } finally {
      lock.unlock();
    }
  }

  /** The schema of the batches. */
  public Schema schema() {
    return ring.schema();
  }

  /** True once {@link #close} was called. */
  boolean isStopped() {
    return stopped;
  }

  /** Throws if the counts or phases contradict each other; for tests. */
  void checkInvariants() {
    lock.lock();
    try {
      int leases = 0;
      for (BatchSlot slot : slots) {
        leases += slot.phase == BatchSlot.Phase.LEASED ? 1 : 0;
      }
      if (released > planned || planned - released > slots.length || leases != leased) {
        throw new AssertionError(
            "released=%d planned=%d slots=%d leased=%d leases=%d"
                .formatted(released, planned, slots.length, leased, leases));
      }
    } finally {
      lock.unlock();
    }
  }

  private void closeRing() {
    if (!isRingClosed) {
      isRingClosed = true;
      ring.close();
    }
  }

  /**
   * Stops all threads and frees all memory; the ring's when the last lease is released. Waits for
   * workers to finish the sample they are at; a worker that does not is reported, and its memory
   * kept rather than pulled away under it. Does nothing the second time.
   */
  @Override
  public void close() {
    lock.lock();
    try {
      if (stopped) {
        return;
      }
      stopped = true;
      work.signalAll();
      ready.signalAll();
    } finally {
      lock.unlock();
    }
    List<Thread> stuck = new ArrayList<>(group.stop());
    lock.lock();
    try {
      if (!stuck.isEmpty()) {
        config.report().accept(stuck.size() + " threads do not stop: " + group.describe());
        return;
      }
      for (BatchSlot slot : slots) {
        if (slot.phase != BatchSlot.Phase.LEASED) {
          slot.release(scratchBudget);
        }
      }
      if (leased == 0) {
        closeRing();
      }
    } finally {
      lock.unlock();
    }
  }
}
