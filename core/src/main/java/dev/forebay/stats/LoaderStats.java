package dev.forebay.stats;

import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What a loader has done since it was built. An immutable snapshot.
 *
 * @param samples rows handed to the consumer
 * @param batches batches handed to the consumer
 * @param bytes bytes of those rows, as laid out in the batch
 * @param firstBatchNanos from the first request for a batch to its delivery; 0 before that
 * @param wallNanos from the first request to the latest delivery
 * @param waitNanos of {@code wallNanos}, how long the consumer waited for a batch
 * @param waitNanosByStage {@code waitNanos} by the stage at fault; sums to it exactly
 * @param storageBytes bytes read from storage
 * @param skipped samples left out because they were bad
 * @param substituted samples replaced because they were bad
 * @param badSamples the distinct bad samples, in the order of their discovery; bounded by the skip
 *     budget
 * @param ringBytes memory of the row ring
 * @param scratchBytes memory of workers and read-ahead, now
 */
public record LoaderStats(
    long samples,
    long batches,
    long bytes,
    long firstBatchNanos,
    long wallNanos,
    long waitNanos,
    Map<Stage, Long> waitNanosByStage,
    long storageBytes,
    long skipped,
    long substituted,
    List<BadSample> badSamples,
    long ringBytes,
    long scratchBytes) {

  /** Copies the collections. */
  public LoaderStats {
    waitNanosByStage = Map.copyOf(waitNanosByStage);
    badSamples = List.copyOf(badSamples);
  }

  /** The share of the wall time for which the consumer waited, 0 to 1. */
  public double stallFraction() {
    return wallNanos == 0 ? 0 : (double) waitNanos / wallNanos;
  }

  /** What two runs of one loader did, one after the other. */
  public LoaderStats plus(LoaderStats later) {
    Map<Stage, Long> waits = new EnumMap<>(Stage.class);
    waits.putAll(waitNanosByStage);
    later.waitNanosByStage.forEach((stage, nanos) -> waits.merge(stage, nanos, Long::sum));
    Set<BadSample> bad = new LinkedHashSet<>(badSamples);
    bad.addAll(later.badSamples);
    return new LoaderStats(
        samples + later.samples,
        batches + later.batches,
        bytes + later.bytes,
        batches == 0 ? later.firstBatchNanos : firstBatchNanos,
        wallNanos + later.wallNanos,
        waitNanos + later.waitNanos,
        waits,
        storageBytes + later.storageBytes,
        skipped + later.skipped,
        substituted + later.substituted,
        List.copyOf(bad),
        later.ringBytes,
        later.scratchBytes);
  }

  /** What a loader that has not begun did. */
  public static LoaderStats none() {
    return new LoaderStats(0, 0, 0, 0, 0, 0, Map.of(), 0, 0, 0, List.of(), 0, 0);
  }

  /**
   * A sample that could not be delivered.
   *
   * @param id its id in the dataset
   * @param location where a person finds it
   * @param stage where it failed
   * @param cause what was wrong
   */
  public record BadSample(long id, String location, Stage stage, String cause) {}
}
