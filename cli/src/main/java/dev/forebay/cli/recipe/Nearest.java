package dev.forebay.cli.recipe;

import java.util.Collection;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Finds the name that somebody probably meant. */
final class Nearest {
  private Nearest() {}

  /** The most similar of the names, or null if none is similar. */
  static @Nullable String of(String typed, Collection<String> names) {
    String best = null;
    int bestDistance = Math.max(2, typed.length() / 3) + 1;
    for (String name : names) {
      int distance = distance(typed.toLowerCase(Locale.ROOT), name.toLowerCase(Locale.ROOT));
      boolean isSimilar = distance < Math.max(typed.length(), name.length());
      if (isSimilar && distance < bestDistance) {
        best = name;
        bestDistance = distance;
      }
    }
    return best;
  }

  /**
   * Insertions, deletions, replacements and exchanges of neighbours that turn one text into the
   * other: the optimal string alignment distance (Damerau, Communications of the ACM 7, 1964).
   */
  static int distance(String from, String to) {
    int[][] cost = new int[from.length() + 1][to.length() + 1];
    for (int i = 0; i <= from.length(); i++) {
      for (int j = 0; j <= to.length(); j++) {
        cost[i][j] = i == 0 ? j : j == 0 ? i : cheapest(from, to, i, j, cost);
      }
    }
    return cost[from.length()][to.length()];
  }

  private static int cheapest(String from, String to, int i, int j, int[][] cost) {
    int replace = cost[i - 1][j - 1] + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
    int best = Math.min(replace, 1 + Math.min(cost[i - 1][j], cost[i][j - 1]));
    boolean isExchange =
        i > 1
            && j > 1
            && from.charAt(i - 1) == to.charAt(j - 2)
            && from.charAt(i - 2) == to.charAt(j - 1);
    return isExchange ? Math.min(best, cost[i - 2][j - 2] + 1) : best;
  }
}
