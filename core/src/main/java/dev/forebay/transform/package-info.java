/**
 * The contract between a dataset's sample and a batch's row: the {@link
 * dev.forebay.transform.Sample} under construction, the {@link dev.forebay.transform.Transform}s
 * that change it, and counter-based {@link dev.forebay.transform.Randomness}.
 *
 * <p>Uses {@code memory}, {@code stats} and {@code error}; every room above may use it.
 */
@NullMarked
package dev.forebay.transform;

import org.jspecify.annotations.NullMarked;
