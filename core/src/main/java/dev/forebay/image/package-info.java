/**
 * Pixels: decoding and the transforms of images.
 *
 * <p>Uses {@code transform} and the bottom rooms.
 */
@NullMarked
package dev.forebay.image;

import org.jspecify.annotations.NullMarked;
