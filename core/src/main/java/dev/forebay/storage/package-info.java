/**
 * Where bytes come from: {@link dev.forebay.storage.ObjectStore}s and the ranges read from them.
 *
 * <p>Uses the bottom rooms only.
 */
@NullMarked
package dev.forebay.storage;

import org.jspecify.annotations.NullMarked;
