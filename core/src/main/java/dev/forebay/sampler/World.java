package dev.forebay.sampler;

/**
 * The place of this process among all that train together, as in {@code torch.distributed}.
 *
 * @param rank 0 to {@code worldSize - 1}
 * @param worldSize the number of ranks, at least 1
 */
public record World(int rank, int worldSize) {
  /** A world of one. */
  public static final World SINGLE = new World(0, 1);

  /** Checks the range. */
  public World {
    if (worldSize < 1 || rank < 0 || rank >= worldSize) {
      throw new IllegalArgumentException(
          "rank=%d worldSize=%d: the rank must be 0 to worldSize - 1, the world at least 1"
              .formatted(rank, worldSize));
    }
  }

  /** What becomes of the tail of an epoch that does not divide by the number of ranks. */
  public enum Tail {
    /** Every rank gets the same count: the order's beginning is repeated at its end. */
    PAD,
    /** Every rank gets the same count: the last samples are left out of this epoch. */
    DROP,
    /** Each sample goes to exactly one rank; the first ranks may get one sample more. */
    UNEVEN
  }

  /** This rank's part of an order, from its beginning. */
  public Partition split(EpochOrder global, Tail tail) {
    return split(global, tail, 0);
  }

  /**
   * This rank's part of what is left of an order.
   *
   * @param start how many positions of the global order are already used up, by a world of whatever
   *     size; see {@link EpochOrder#consumedAfter}
   */
  public Partition split(EpochOrder global, Tail tail, long start) {
    return Partition.of(global, this, tail, start);
  }

  /** This rank's part of an epoch's batches, from the first on. */
  public EpochBatches split(EpochBatches global, Tail tail) {
    return split(global, tail, 0);
  }

  /**
   * This rank's part of what is left of an epoch's batches: whole batches are dealt out in turn.
   *
   * @param start how many batches are already used up, by a world of whatever size; see {@link
   *     EpochBatches#consumedAfter}
   */
  public EpochBatches split(EpochBatches global, Tail tail, long start) {
    return new SplitBatches(global, split(new SequentialOrder(global.count()), tail, start));
  }
}
