/**
 * What tests are made of: seeds and generators, a manual clock, a simulated scheduler, leak checks.
 * Knows nothing of Forebay, so that every module's tests can use it.
 */
@NullMarked
package dev.forebay.testing;

import org.jspecify.annotations.NullMarked;
