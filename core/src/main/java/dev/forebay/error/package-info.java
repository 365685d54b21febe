/**
 * The exception family of Forebay: every error names the sample, the object, the stage, the cause
 * and what to do.
 *
 * <p>A bottom room: any other room may use it; it uses only {@code stats} (for {@link
 * dev.forebay.stats.Stage}).
 */
@NullMarked
package dev.forebay.error;

import org.jspecify.annotations.NullMarked;
