/**
 * How samples become batches: the fetcher, the workers, the row ring, ordering, leases and the
 * policies for bad samples.
 *
 * <p>Entry point: {@link dev.forebay.pipeline.Pipeline}. Used by {@code dev.forebay} only.
 */
@NullMarked
package dev.forebay.pipeline;

import org.jspecify.annotations.NullMarked;
