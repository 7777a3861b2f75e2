package org.ecstore.cluster.config;

import java.util.Collection;
import java.util.Optional;

/** What a user may have meant by a name that does not exist. */
final class Nearest {
  private Nearest() {}

  /** The candidate with the fewest letters to change, if they are few for its length. */
  static Optional<String> to(String written, Collection<String> candidates) {
    String best = "";
    int least = Integer.MAX_VALUE;
    for (String candidate : candidates) {
      int distance = distance(written, candidate);
      if (distance < least) {
        least = distance;
        best = candidate;
      }
    }
    return least <= Math.max(1, best.length() / 3) ? Optional.of(best) : Optional.empty();
  }

  /** Letters to insert, delete, replace, or swap with the next. */
  static int distance(String from, String to) {
    int[][] steps = new int[from.length() + 1][to.length() + 1];
    for (int i = 0; i <= from.length(); i++) {
      for (int j = 0; j <= to.length(); j++) {
        steps[i][j] = i == 0 || j == 0 ? i + j : least(steps, i, j, from, to);
      }
    }
    return steps[from.length()][to.length()];
  }

  private static int least(int[][] steps, int i, int j, String from, String to) {
    int change = from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1;
    int least =
        Math.min(Math.min(steps[i - 1][j] + 1, steps[i][j - 1] + 1), steps[i - 1][j - 1] + change);
    boolean swapped =
        i > 1
            && j > 1
            && from.charAt(i - 1) == to.charAt(j - 2)
            && from.charAt(i - 2) == to.charAt(j - 1);
    return swapped ? Math.min(least, steps[i - 2][j - 2] + 1) : least;
  }
}
