package dev.forebay.cli.recipe;

import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A line of a table: what has this name in a recipe.
 *
 * @param keys its settings
 * @param make makes it of them; an {@link IllegalArgumentException} says what does not fit together
 */
record Entry<T>(List<Key> keys, Function<Settings, T> make) {
  Entry {
    keys = List.copyOf(keys);
  }

  /** The settings of all lines of a table. */
  static <T> Map<String, List<Key>> keys(Map<String, Entry<T>> table) {
    return table.entrySet().stream()
        .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, line -> line.getValue().keys()));
  }

  /** Makes what a recipe names; throws {@link RecipeProblem} if it cannot be. */
  T make(Variant variant) {
    try {
      return make.apply(variant.settings());
    } catch (IllegalArgumentException e) {
      throw variant.settings().problem("", String.valueOf(e.getMessage()));
    }
  }
}
