package org.ecstore.bench.figure;

import java.util.Comparator;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * Something the paper says of a figure, and what repeated runs say of it.
 *
 * @param paper what it says
 * @param found the medians of what was found
 * @param decided the point that decides, with what its repetitions say: the one that comes nearest
 *     to contradicting the claim
 */
public record Claim(String paper, Verdict verdict, String found, String decided) {
  /** Fewer repetitions show nothing: that all of five agree by chance has a chance of 1 in 32. */
  public static final int REPETITIONS_MIN = 5;

  /**
   * Judges a claim. It holds if it does at every point in every repetition, and does not if there
   * is a point where every repetition contradicts it. Where repetitions of a point disagree, what
   * is claimed is less than what chance does, and nothing is shown.
   *
   * @param margins by how much it is right at each point
   */
  public static Claim of(String paper, String found, List<Margin> margins) {
    Margin worst = least(margins, margin -> margin.by().most());
    if (worst.by().count() >= REPETITIONS_MIN && worst.by().most() <= 0) {
      return new Claim(paper, Verdict.DOES_NOT_HOLD, found, worst.toString());
    }
    Margin nearest = least(margins, margin -> margin.by().least());
    boolean shown = nearest.by().count() >= REPETITIONS_MIN && nearest.by().least() > 0;
    return new Claim(paper, shown ? Verdict.HOLDS : Verdict.NOT_SHOWN, found, nearest.toString());
  }

  private static Margin least(List<Margin> margins, ToDoubleFunction<Margin> by) {
    return margins.stream()
        .min(Comparator.comparingDouble(by))
        .orElseThrow(() -> new IllegalArgumentException("a claim about no point"));
  }

  /** Whether every repetition agrees with it at every point. */
  public boolean holds() {
    return verdict == Verdict.HOLDS;
  }
}
