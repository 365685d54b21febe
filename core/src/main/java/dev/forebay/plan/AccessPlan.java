package dev.forebay.plan;

import dev.forebay.memory.Mix64;
import dev.forebay.sampler.BatchSampler;
import dev.forebay.sampler.EpochBatches;
import dev.forebay.sampler.EpochOrder;
import dev.forebay.sampler.Sampler;
import dev.forebay.sampler.World;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/**
 * The whole order of a training run: for every epoch, its batches for this rank. A pure function of
 * its parameters, computed place by place. Immutable.
 */
public final class AccessPlan {
  private final long datasetSize;
  private final World world;
  private final int batchRowsMax;
  private final Order order;

  private AccessPlan(long datasetSize, World world, int batchRowsMax, Order order) {
    this.datasetSize = datasetSize;
    this.world = Objects.requireNonNull(world, "world");
    this.batchRowsMax = batchRowsMax;
    this.order = order;
  }

  /**
   * Who decides the order: a sampler, whose samples are split, or a batch sampler, whose batches
   * are.
   */
  private sealed interface Order {
    String identity();

    EpochBatches epoch(long epoch, long start);

    record Samples(
        Sampler sampler,
        long datasetSize,
        World world,
        World.Tail tail,
        int batchSize,
        boolean dropLast)
        implements Order {
      @Override
      public String identity() {
        return sampler.identity();
      }

      @Override
      public EpochBatches epoch(long epoch, long start) {
        EpochOrder global = sampler.order(datasetSize, epoch);
        return EpochBatches.of(world.split(global, tail, start), batchSize, dropLast);
      }
    }

    record Batches(BatchSampler sampler, long datasetSize, World world, World.Tail tail)
        implements Order {
      @Override
      public String identity() {
        return "batches " + sampler.identity();
      }

      @Override
      public EpochBatches epoch(long epoch, long start) {
        EpochBatches global = sampler.batches(datasetSize, epoch);
        EpochBatches checked = EpochBatches.checked(global, sampler.batchSizeMax(), datasetSize);
        return world.split(checked, tail, start);
      }
    }
  }

  /**
   * Batches of equal size out of a sampler's order, which is split over the ranks by stride.
   *
   * @param batchSize at least 1
   * @param dropLast whether a last batch that is not full is left out
   */
  public static AccessPlan of(
      long datasetSize,
      Sampler sampler,
      World world,
      World.Tail tail,
      int batchSize,
      boolean dropLast) {
    if (batchSize < 1) {
      throw new IllegalArgumentException("batchSize=" + batchSize + " must be >= 1");
    }
    Order order = new Order.Samples(sampler, datasetSize, world, tail, batchSize, dropLast);
    return new AccessPlan(datasetSize, world, batchSize, order);
  }

  /** Batches as a user decides; whole batches are dealt out to the ranks in turn. */
  public static AccessPlan of(
      long datasetSize, BatchSampler batchSampler, World world, World.Tail tail) {
    Order order = new Order.Batches(batchSampler, datasetSize, world, tail);
    return new AccessPlan(datasetSize, world, batchSampler.batchSizeMax(), order);
  }

  /** The most samples in a batch, at least 1. */
  public int batchRowsMax() {
    return batchRowsMax;
  }

  /** The place of this process. */
  public World world() {
    return world;
  }

  /** The size of the dataset. */
  public long datasetSize() {
    return datasetSize;
  }

  /**
   * Identifies the global order: plans with the same id put the same samples in the same places,
   * whatever the world and the batch size. 16 hexadecimal digits.
   */
  public String id() {
    long hash = Mix64.mix(datasetSize + Mix64.GOLDEN_GAMMA);
    for (byte b : order.identity().getBytes(StandardCharsets.UTF_8)) {
      hash = Mix64.mix(hash ^ (b & 0xFF)) + Mix64.GOLDEN_GAMMA;
    }
    return "%016x".formatted(hash);
  }

  /**
   * One epoch of this rank, from a position of the global order on.
   *
   * @param epoch 0-based
   * @param start what all ranks together have consumed already, see {@link
   *     EpochBatches#consumedAfter}; 0 for the whole epoch
   */
  public EpochBatches epoch(long epoch, long start) {
    return order.epoch(epoch, start);
  }
}
