/**
 * Compares Forebay with other loaders: each in processes of its own, in turn, on the same data.
 * Entry point: {@link dev.forebay.bench.CompareCommand}. Nothing may depend on this package.
 */
@NullMarked
package dev.forebay.bench;

import org.jspecify.annotations.NullMarked;
