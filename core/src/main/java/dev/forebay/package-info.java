/**
 * Forebay's Java API: the {@code DataLoader} and what it hands out.
 *
 * <p>Thin, on top of the rooms below; nothing below uses it.
 */
@NullMarked
package dev.forebay;

import org.jspecify.annotations.NullMarked;
