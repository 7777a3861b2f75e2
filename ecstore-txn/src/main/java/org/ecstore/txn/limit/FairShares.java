package org.ecstore.txn.limit;

import java.util.Comparator;
import java.util.List;
import org.ecstore.model.objective.OfferedLoad;

/**
 * How applications of best effort share what they may have together (decision 0088): each has so
 * many operations a second for each unit of its weight, the level, and no more than it asks for;
 * what one leaves the others have, by their weights. That is max-min fairness with weights.
 */
public final class FairShares {
  private FairShares() {}

  /**
   * An application.
   *
   * @param weight 1 at least
   * @param perSecond operations a second that it asks for, 0 at least
   */
  public record Sharer(int weight, double perSecond) {
    private double ofWeight() {
      return perSecond / weight;
    }
  }

  /**
   * The level, in operations a second for a unit of weight, at which all together have so many
   * operations a second; infinite if they ask for no more than that.
   */
  public static double level(List<Sharer> all, double perSecond) {
    double left = perSecond;
    double weights = all.stream().mapToDouble(Sharer::weight).sum();
    List<Sharer> modestFirst =
        all.stream().sorted(Comparator.comparingDouble(Sharer::ofWeight)).toList();
    for (Sharer next : modestFirst) {
      if (next.ofWeight() * weights > left) {
        return left / weights;
      }
      left -= next.perSecond();
      weights -= next.weight();
    }
    return Double.POSITIVE_INFINITY;
  }

  /** Operations a second of a weight at a level: 1 at least, as 0 is no limit. */
  public static long share(double level, int weight) {
    return Math.clamp(Math.round(level * weight), 1, OfferedLoad.RATE_MAX);
  }
}
