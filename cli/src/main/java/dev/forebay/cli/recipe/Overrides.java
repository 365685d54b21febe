package dev.forebay.cli.recipe;

import dev.forebay.sampler.World;
import org.jspecify.annotations.Nullable;

/**
 * What a command line says instead of a recipe; null where it says nothing.
 *
 * @param workers threads, or {@code DataLoader.AUTO}
 * @param batchSize samples in a batch
 * @param seed of order and transforms
 * @param shuffle whether the order is random
 * @param world the place of this process
 * @param epochs how many will be asked for
 */
public record Overrides(
    @Nullable Integer workers,
    @Nullable Integer batchSize,
    @Nullable Long seed,
    @Nullable Boolean shuffle,
    World world,
    long epochs) {
  /** The recipe as it is, in a world of one. */
  public static final Overrides NONE =
      new Overrides(null, null, null, null, World.SINGLE, Long.MAX_VALUE);
}
