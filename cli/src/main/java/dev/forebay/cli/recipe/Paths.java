package dev.forebay.cli.recipe;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/**
 * How the paths in a recipe are understood: {@code ~} is the user's home, and what is relative
 * begins at the recipe's own folder.
 */
record Paths(Path folder, Path home) {
  /**
   * The path that a text means.
   *
   * @throws IllegalArgumentException if it is none
   */
  Path resolve(String text) {
    try {
      if (text.equals("~") || text.startsWith("~/")) {
        return home.resolve(text.substring(Math.min(2, text.length()))).normalize();
      }
      return folder.resolve(text).normalize();
    } catch (InvalidPathException e) {
      throw new IllegalArgumentException("'" + text + "' is no path: " + e.getReason(), e);
    }
  }
}
