/**
 * What there is to load: {@link dev.forebay.dataset.Dataset}s are immutable, sized, random-access
 * descriptions of samples. They read nothing ahead and transform nothing.
 *
 * <p>Uses {@code storage}, {@code sampler}, {@code transform} and the bottom rooms.
 */
@NullMarked
package dev.forebay.dataset;

import org.jspecify.annotations.NullMarked;
