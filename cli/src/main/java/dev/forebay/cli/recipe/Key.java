package dev.forebay.cli.recipe;

import org.jspecify.annotations.Nullable;

/**
 * A name that may stand in a map of a recipe.
 *
 * @param name as it is written
 * @param type what its value may be
 * @param fallback the value where the name is left out; null if that leaves the loader's own
 * @param isRequired whether it must be there
 */
record Key(String name, Type type, @Nullable Object fallback, boolean isRequired) {
  /** A name that must be there. */
  static Key required(String name, Type type) {
    return new Key(name, type, null, true);
  }

  /** A name that may be left out. */
  static Key optional(String name, Type type, @Nullable Object fallback) {
    return new Key(name, type, fallback, false);
  }
}
