package dev.forebay.sampler;

import java.util.Objects;

/**
 * The part of a global order that falls to one rank: every {@code worldSize}-th position from a
 * start on. Counts and padding are those of PyTorch's {@code DistributedSampler}. Immutable, and
 * thread-safe if the global order is.
 *
 * <p>Because the ranks take turns, {@code k} positions of every rank are together a prefix of the
 * global order. Another world can therefore take over at any such point, by a split that starts
 * where the prefix ends.
 */
public final class Partition implements EpochOrder {
  private final EpochOrder global;
  private final World world;
  private final long start;
  private final long size;

  private Partition(EpochOrder global, World world, long start, long size) {
    this.global = global;
    this.world = world;
    this.start = start;
    this.size = size;
  }

  /**
   * Splits an order.
   *
   * @param global the order over all ranks, at most 2^62 positions
   * @param start how many positions of the global order are already used up, by whatever world; 0
   *     to {@code global.size()}
   */
  static Partition of(EpochOrder global, World world, World.Tail tail, long start) {
    long globalSize = global.size();
    if (start < 0 || start > globalSize) {
      throw new IllegalArgumentException(
          "start=" + start + " must be 0 to the size of the order, " + globalSize);
    }
    if (globalSize > FeistelPermutation.SIZE_MAX) {
      throw new IllegalArgumentException("size=" + globalSize + " exceeds 2^62");
    }
    long remaining = globalSize - start;
    long size =
        switch (tail) {
          case PAD -> Math.ceilDiv(remaining, world.worldSize());
          case DROP -> remaining / world.worldSize();
          case UNEVEN ->
              Math.ceilDiv(Math.max(0, remaining - world.rank()), (long) world.worldSize());
        };
    return new Partition(global, world, start, size);
  }

  /** The number of positions of this rank. */
  @Override
  public long size() {
    return size;
  }

  @Override
  public long at(long position) {
    long globalPosition = globalPosition(position);
    long globalSize = global.size();
    return global.at(
        globalPosition < globalSize ? globalPosition : (globalPosition - globalSize) % globalSize);
  }

  /** True for at most one position of each rank, its last. */
  @Override
  public boolean isPadding(long position) {
    return globalPosition(position) >= global.size();
  }

  @Override
  public long consumedAfter(long count) {
    Objects.checkIndex(count, size + 1);
    return Math.min(global.size(), start + count * world.worldSize());
  }

  @Override
  public boolean isInvertible() {
    return global.isInvertible();
  }

  /**
   * The position at which this rank uses a sample, be it as padding. There is one at most: padding
   * repeats what another rank or an earlier split has used.
   */
  @Override
  public long positionOf(long sample) {
    long globalPosition = global.positionOf(sample);
    if (globalPosition == NOT_USED) {
      return NOT_USED;
    }
    long behindStart = globalPosition - start;
    if (behindStart >= 0 && behindStart % world.worldSize() == world.rank()) {
      long position = behindStart / world.worldSize();
      return position < size ? position : NOT_USED;
    }
    return size > 0 && isPadding(size - 1) && at(size - 1) == sample ? size - 1 : NOT_USED;
  }

  /** Where a position of this rank lies in the global order; beyond its end if it is padding. */
  private long globalPosition(long position) {
    return start + Objects.checkIndex(position, size) * world.worldSize() + world.rank();
  }

  @Override
  public String toString() {
    return "Partition[rank=%d worldSize=%d start=%d size=%d]"
        .formatted(world.rank(), world.worldSize(), start, size);
  }
}
