package dev.forebay.pipeline;

import dev.forebay.sampler.Coverage;
import dev.forebay.sampler.CoverageCertificate;
import dev.forebay.stats.LoaderStats;
import dev.forebay.stats.Stage;
import dev.forebay.stats.WaitMeter;
import dev.forebay.stats.WaitMeter.RowTimeline;
import java.util.List;

/** What the consumer got so far and how long it waited. Guarded by the pipeline's lock. */
final class Deliveries {
  private static final long NEVER = Long.MIN_VALUE;

  private final WaitMeter meter = new WaitMeter();
  private Coverage coverage = new Coverage();
  private long samples;
  private long batches;
  private long bytes;
  private long skipped;
  private long substituted;
  private long firstRequest = NEVER;
  private long firstDelivery = NEVER;
  private long lastDelivery = NEVER;

  /** The consumer asks for a batch. */
  void request(long nanos) {
    if (firstRequest == NEVER) {
      firstRequest = nanos;
    }
  }

  /** The certificate begins anew; all other counts go on. */
  void startEpoch() {
    coverage = new Coverage();
  }

  /** Explains a wait by the row that ended it. */
  void waited(long startNanos, long endNanos, BatchSlot slot, int row) {
    RowTimeline timeline =
        new RowTimeline(
            slot.readStart[row],
            slot.readEnd[row],
            slot.workEnd[row],
            slot.readyAt,
            slot.decodeNanos[row],
            slot.transformNanos[row],
            slot.isReadBound[row]);
    meter.add(startNanos, endNanos, timeline);
  }

  /** A wait for the finishing of a whole batch. */
  void waitedForBatch(long startNanos, long endNanos) {
    meter.add(startNanos, endNanos, Stage.TRANSFORM);
  }

  /** Counts what became of each of the batch's planned rows. */
  void account(BatchSlot slot) {
    for (int row = 0; row < slot.planned; row++) {
      long id = slot.ids[row];
      switch (slot.outcomes[row]) {
        case DELIVERED -> {
          if (slot.padding[row]) {
            coverage.addPadding(id);
          } else {
            coverage.add(id);
          }
        }
        case SUBSTITUTED -> {
          substituted++;
          coverage.addSubstituted(id, slot.deliveredIds[row]);
        }
        case SKIPPED -> {
          skipped++;
          coverage.addSkipped(id);
        }
        case PENDING, FAILED ->
            throw new AssertionError("row " + row + " delivered as " + slot.outcomes[row]);
      }
    }
  }

  /** Counts a batch that the consumer takes. */
  void deliver(BatchSlot slot, long rowBytes, long nanos) {
    batches++;
    samples += slot.rows;
    bytes += slot.rows * rowBytes;
    lastDelivery = nanos;
    if (firstDelivery == NEVER) {
      firstDelivery = nanos;
    }
  }

  CoverageCertificate certificate() {
    return coverage.certificate();
  }

  /** The statistics, with what only the rest of the pipeline knows taken from {@code rest}. */
  LoaderStats stats(Rest rest) {
    boolean delivered = batches > 0;
    return new LoaderStats(
        samples,
        batches,
        bytes,
        delivered ? firstDelivery - firstRequest : 0,
        delivered ? lastDelivery - firstRequest : 0,
        meter.totalNanos(),
        meter.byStage(),
        rest.storageBytes(),
        skipped,
        substituted,
        rest.badSamples(),
        rest.ringBytes(),
        rest.scratchBytes());
  }

  /** The figures of {@link LoaderStats} that others keep. */
  record Rest(
      long storageBytes,
      List<LoaderStats.BadSample> badSamples,
      long ringBytes,
      long scratchBytes) {}
}
