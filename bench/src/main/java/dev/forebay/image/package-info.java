/** Benchmarks of single kernels, which only their own package can reach. */
@NullMarked
package dev.forebay.image;

import org.jspecify.annotations.NullMarked;
