package dev.forebay.pipeline;

import dev.forebay.plan.AccessPlan;
import dev.forebay.sampler.EpochBatches;
import java.util.List;

/**
 * Walks along the plan, batch by batch and on into the next epoch, and fills in slots. Guarded by
 * the pipeline's lock, so that samplers which must be asked in order are.
 */
final class Planner {
  private final AccessPlan plan;
  private final long epochEnd;
  private long epoch;
  private EpochBatches batches;
  private Progress done;
  private long number;

  /**
   * Starts at a place of the plan.
   *
   * @param position of the global order
   * @param ahead batches to leave out, relative to the first
   * @param epochEnd the first epoch not to plan
   */
  Planner(AccessPlan plan, long epoch, long position, List<Long> ahead, long epochEnd) {
    this.plan = plan;
    this.epoch = epoch;
    this.epochEnd = epochEnd;
    this.batches = plan.epoch(epoch, position);
    this.done = new Progress(epoch, batches, ahead);
  }

  /** The progress of the epoch at which planning starts. */
  Progress startProgress() {
    return new Progress(epoch, batches, done.ahead());
  }

  /** Plans the next batch into a free slot; false if there is no more. */
  boolean plan(BatchSlot slot) {
    while (true) {
      if (epoch >= epochEnd) {
        return false;
      }
      while (number < batches.count() && done.isTaken(number)) {
        number++;
      }
      if (number < batches.count()) {
        break;
      }
      if (!startNextEpoch()) {
        return false;
      }
    }
    slot.epoch = epoch;
    slot.number = number;
    slot.firstPosition = batches.consumedAfter(number) + plan.world().rank();
    slot.planned = batches.fill(number, slot.ids);
    for (int row = 0; row < slot.planned; row++) {
      slot.padding[row] = batches.isPadding(number, row);
    }
    number++;
    return true;
  }

  /** An epoch without batches ends the plan: what follows would be no different. */
  private boolean startNextEpoch() {
    epoch++;
    if (epoch >= epochEnd) {
      return false;
    }
    batches = plan.epoch(epoch, 0);
    done = new Progress(epoch, batches, List.of());
    number = 0;
    if (batches.count() == 0) {
      epoch = epochEnd;
      return false;
    }
    return true;
  }
}
