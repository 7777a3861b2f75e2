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
    double owed = owed(objective, figures);
    double most =
        objective.targets().stream()
            .mapToDouble(target -> target.statistic().unanswered())
            .min()
            .orElse(1);
    return lacking(figures, owed) > owed * most;
  }

  /** How many of the operations are owed. */
  private static double owed(Objective objective, ServiceFigures figures) {
    return rate(objective)
        .map(
            rate -> Math.min((double) figures.operations(), figures.operationsAt(rate.perSecond())))
        .orElse((double) figures.operations());
  }

  /** How many of those that are owed had no answer; none if that is not above 0. */
  private static double lacking(ServiceFigures figures, double owed) {
    return figures.failures() - (figures.operations() - owed);
  }

  /**
   * Which part of the answers a percentile of an objective is of: that which leaves out so few that
   * they, together with what is owed and had no answer, are as many as the percentile leaves out of
   * what is owed. Where these alone are more than that, the objective is violated whatever the
   * answers took, and the percentile is of the answers; so it is if nothing is promised of it.
   *
   * @param statistic a percentile
   */
  public static double answersWithin(
      Objective objective, ServiceFigures figures, Statistic statistic) {
    double within = 1 - statistic.unanswered();
    double owed = owed(objective, figures);
    double lacking = lacking(figures, owed);
    boolean isPromised =
        objective.targets().stream().anyMatch(target -> target.statistic() == statistic);
    return isPromised && lacking > 0 && lacking <= owed * statistic.unanswered()
        ? Math.min(1, within * owed / (owed - lacking))
        : within;
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
