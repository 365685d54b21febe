/**
 * {@code forebay bench}: drains a loader, as a training loop would, and reports what that took and
 * what came out.
 */
@NullMarked
package dev.forebay.cli.bench;

import org.jspecify.annotations.NullMarked;
