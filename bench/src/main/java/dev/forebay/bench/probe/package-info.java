/**
 * The programs that are measured: each runs one loader in a fresh JVM and prints one line of JSON.
 */
@NullMarked
package dev.forebay.bench.probe;

import org.jspecify.annotations.NullMarked;
