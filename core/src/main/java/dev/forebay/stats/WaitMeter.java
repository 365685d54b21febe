package dev.forebay.stats;

import java.util.EnumMap;
import java.util.Map;

/**
 * Attributes each nanosecond for which the consumer waited to exactly one stage.
 *
 * <p>A wait ends when the last row of the wanted batch is done; that row's life is therefore what
 * the consumer waited for. The wait is laid over the row's timeline: before and while its bytes
 * were read the storage was at fault, while it queued for a worker or was worked on the CPU stages
 * were, in proportion to what the worker spent on each, and from the row's end to the batch's
 * arrival the hand-off was.
 *
 * <p>Confined to the consumer (guarded by the pipeline's lock).
 */
public final class WaitMeter {
  private final Map<Stage, Sum> sums = new EnumMap<>(Stage.class);
  private long totalNanos;

  /** A sum that grows in place, where a boxed one would be a new object for each sample. */
  private static final class Sum {
    long nanos;
  }

  /**
   * The life of the row for which the consumer waited, in ticker nanoseconds, ascending.
   *
   * @param readStart when its bytes were asked for; equal to {@code readEnd} if nothing is read
   * @param readEnd when they were there
   * @param workEnd when the last transform had finished
   * @param readyAt when the whole batch was finished, its batch transforms included
   * @param decodeNanos what the worker spent on decoding this row
   * @param transformNanos what the worker spent on transforming it
   * @param isReadBound whether the row waited for storage, rather than for workers, before it was
   *     read
   */
  public record RowTimeline(
      long readStart,
      long readEnd,
      long workEnd,
      long readyAt,
      long decodeNanos,
      long transformNanos,
      boolean isReadBound) {}

  /** Counts the wait from {@code start} to {@code end} for the batch that {@code row} completed. */
  public void add(long start, long end, RowTimeline row) {
    long from = start;
    if (row.isReadBound()) {
      from = take(from, Math.min(row.readEnd(), end), Stage.STORAGE);
    } else {
      from = takeWork(from, Math.min(row.readStart(), end), row);
      from = take(from, Math.min(row.readEnd(), end), Stage.STORAGE);
    }
    from = takeWork(from, Math.min(row.workEnd(), end), row);
    from = take(from, Math.min(row.readyAt(), end), Stage.TRANSFORM);
    take(from, end, Stage.HAND_OFF);
  }

  /** Counts the whole wait from {@code start} to {@code end} towards one stage. */
  public void add(long start, long end, Stage stage) {
    take(start, end, stage);
  }

  private long take(long from, long to, Stage stage) {
    if (to <= from) {
      return from;
    }
    Sum sum = sums.get(stage);
    if (sum == null) {
      sum = new Sum();
      sums.put(stage, sum);
    }
    sum.nanos += to - from;
    totalNanos += to - from;
    return to;
  }

  private long takeWork(long from, long to, RowTimeline row) {
    if (to <= from) {
      return from;
    }
    double worked = Math.max(1, row.decodeNanos() + row.transformNanos());
    long decode = Math.round((to - from) * (row.decodeNanos() / worked));
    take(from, from + decode, Stage.DECODE);
    take(from + decode, to, Stage.TRANSFORM);
    return to;
  }

  /** All waits so far, in nanoseconds; the sum of {@link #byStage()}. */
  public long totalNanos() {
    return totalNanos;
  }

  /** The waits so far by stage, in nanoseconds; every stage is present. */
  public Map<Stage, Long> byStage() {
    Map<Stage, Long> result = new EnumMap<>(Stage.class);
    for (Stage stage : Stage.values()) {
      Sum sum = sums.get(stage);
      result.put(stage, sum == null ? 0 : sum.nanos);
    }
    return result;
  }
}
