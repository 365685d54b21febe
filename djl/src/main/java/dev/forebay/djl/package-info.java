/**
 * Forebay for Deep Java Library: {@link dev.forebay.djl.LoaderDataset} gives the batches of a
 * loader to DJL's training loops.
 *
 * <p>Uses the facade {@code dev.forebay} and DJL's API; nothing else uses this package.
 */
@NullMarked
package dev.forebay.djl;

import org.jspecify.annotations.NullMarked;
