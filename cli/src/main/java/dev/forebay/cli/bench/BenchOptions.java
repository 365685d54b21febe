package dev.forebay.cli.bench;

import dev.forebay.cli.recipe.Overrides;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a run shall do.
 *
 * @param source the recipe or folder, as it was typed
 * @param overrides of the recipe
 * @param stopAfter the most batches, or {@link Long#MAX_VALUE}
 * @param resume where a saved state is, or null to begin at the beginning
 * @param step how long a device computes on a batch
 * @param isDigestWanted whether all bytes are digested
 */
public record BenchOptions(
    String source,
    Overrides overrides,
    long stopAfter,
    @Nullable Path resume,
    Duration step,
    boolean isDigestWanted) {}
