package org.ecstore.model.objective;

import java.util.Comparator;
import java.util.Optional;
import org.ecstore.model.objective.OfferedLoad.OperationRate;

/** Whether an objective is kept, by what clients have told lately. */
public enum ServiceVerdict {
  /** No client has told anything: there may be none, or none that reports. */
  UNKNOWN("no report yet"),
  KEPT("kept"),
  /** A response time is missed, under more load than was stated: it is not owed then. */
  OVER_LOAD("over its load"),
  /** A response time is missed, or too many operations that are owed have no answer. */
  VIOLATED("violated");

  private static final double NANOS_PER_MICRO = 1_000;

  private final String word;

  ServiceVerdict(String word) {
    this.word = word;
  }

  /** For people: {@code over its load}. */
  public String word() {
    return word;
  }

  /** What figures say of an objective. */
  public static ServiceVerdict of(Objective objective, Optional<ServiceFigures> recent) {
    if (recent.isEmpty()) {
      return UNKNOWN;
    }
    ServiceFigures figures = recent.get();
    if (isUnanswered(objective, figures)) {
      return VIOLATED;
    }
    if (objective.targets().stream().allMatch(target -> part(target, figures) <= 1)) {
      return KEPT;
    }
    return isOverLoad(objective, figures) ? OVER_LOAD : VIOLATED;
  }

  /**
   * Whether too many of the operations that are owed had no answer: more than a percentile that is
   * promised leaves out. What is beyond the stated rate may be refused, and counts for that first.
   */
  public static boolean isUnanswered(Objective objective, ServiceFigures figures) {
    double owed =
        rate(objective)
            .map(
                rate ->
                    Math.min((double) figures.operations(), figures.operationsAt(rate.perSecond())))
            .orElse((double) figures.operations());
    double lacking = figures.failures() - (figures.operations() - owed);
    double most =
        objective.targets().stream()
            .mapToDouble(target -> target.statistic().unanswered())
            .min()
            .orElse(1);
    return lacking > owed * most;
  }

  /** How much of what it may take a response time takes: 1 is all of it. */
  public static double part(ResponseTarget target, ServiceFigures figures) {
    return figures.micros(target.statistic()) * NANOS_PER_MICRO / target.atMost().toNanos();
  }

  /** The response time of an objective that is nearest to what it may take, or furthest above. */
  public static Optional<ResponseTarget> tightest(Objective objective, ServiceFigures figures) {
    return objective.targets().stream()
        .max(Comparator.comparingDouble(target -> part(target, figures)));
  }

  private static boolean isOverLoad(Objective objective, ServiceFigures figures) {
    return rate(objective).filter(rate -> figures.perSecond() > rate.perSecond()).isPresent();
  }

  private static Optional<OperationRate> rate(Objective objective) {
    return objective
        .workload()
        .load()
        .filter(OperationRate.class::isInstance)
        .map(OperationRate.class::cast);
  }
}
