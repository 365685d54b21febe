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
}
