/**
 * The command {@code forebay demo}: makes pictures, trains a small network on them with synchronous
 * and with asynchronous loading, and compares.
 *
 * <p>Uses {@code dev.forebay.djl} and the command line's way of adding commands; nothing uses it.
 */
@NullMarked
package dev.forebay.djl.demo;

import org.jspecify.annotations.NullMarked;
