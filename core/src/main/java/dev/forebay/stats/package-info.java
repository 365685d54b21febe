/**
 * Counters, histograms and the attribution of the consumer's waits to stages.
 *
 * <p>A bottom room: it uses no other room.
 */
@NullMarked
package dev.forebay.stats;

import org.jspecify.annotations.NullMarked;
