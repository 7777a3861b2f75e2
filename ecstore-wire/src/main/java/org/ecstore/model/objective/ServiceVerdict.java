package org.ecstore.model.objective;

import java.util.Comparator;
import java.util.Optional;
import org.ecstore.model.objective.OfferedLoad.OperationRate;

/** Whether an objective is kept, by what clients have told lately. */
public enum ServiceVerdict {
  /** No client has told anything: there may be none, or none that reports. */
  UNKNOWN("no report yet"),
  KEPT("kept"),
  /** It is missed, under more load than was stated: nothing is owed then. */
  OVER_LOAD("over its load"),
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
    if (objective.targets().stream().allMatch(target -> part(target, figures) <= 1)) {
      return KEPT;
    }
    return isOverLoad(objective, figures) ? OVER_LOAD : VIOLATED;
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
    return objective
        .workload()
        .load()
        .filter(
            load -> load instanceof OperationRate rate && figures.perSecond() > rate.perSecond())
        .isPresent();
  }
}
