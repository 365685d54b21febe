package dev.forebay.pipeline;

import dev.forebay.sampler.EpochBatches;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/**
 * Which batches of an epoch the consumer has taken: all below a lowest one, and some ahead of it if
 * batches are delivered as they are finished. Guarded by the pipeline's lock. Bounded by the ring.
 */
final class Progress {
  private final long epoch;
  private final EpochBatches batches;
  private final TreeSet<Long> ahead = new TreeSet<>();
  private long lowest;

  Progress(long epoch, EpochBatches batches, List<Long> ahead) {
    this.epoch = epoch;
    this.batches = batches;
    ahead.forEach(this::take);
  }

  long epoch() {
    return epoch;
  }

  /** Marks a batch as taken. */
  void take(long number) {
    ahead.add(number);
    while (ahead.remove(lowest)) {
      lowest++;
    }
  }

  boolean isTaken(long number) {
    return number < lowest || ahead.contains(number);
  }

  boolean isComplete() {
    return lowest == batches.count();
  }

  /** Where in the global order the lowest batch that is not taken begins. */
  long position() {
    return batches.consumedAfter(lowest);
  }

  /** The batches taken ahead of the lowest, relative to it; ascending. */
  List<Long> ahead() {
    List<Long> result = new ArrayList<>();
    ahead.forEach(number -> result.add(number - lowest));
    return result;
  }
}
