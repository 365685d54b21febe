/**
 * The order of samples, and nothing else: {@link dev.forebay.sampler.Sampler}s are pure functions
 * of (seed, epoch, position), split over ranks by {@link dev.forebay.sampler.World}.
 *
 * <p>Uses the bottom rooms only.
 */
@NullMarked
package dev.forebay.sampler;

import org.jspecify.annotations.NullMarked;
