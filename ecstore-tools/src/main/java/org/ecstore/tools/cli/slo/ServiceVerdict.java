package org.ecstore.tools.cli.slo;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.ecstore.model.objective.Objective;
import org.ecstore.model.objective.OfferedLoad.OperationRate;
import org.ecstore.model.objective.ResponseTarget;
import org.ecstore.model.objective.ServiceFigures;
import org.ecstore.protocol.ClientReply.ObjectiveLine;
import org.ecstore.txn.qos.objective.ObjectiveText;

/** Whether an objective is kept, by what clients have told lately. */
enum ServiceVerdict {
  /** No client has told anything: there may be none, or none that reports. */
  UNKNOWN("no report yet"),
  KEPT("kept"),
  /** It is missed, under more load than was stated: nothing is owed then. */
  OVER_LOAD("over its load"),
  VIOLATED("violated");

  private static final long NANOS_PER_MICRO = 1_000;

  private final String word;

  ServiceVerdict(String word) {
    this.word = word;
  }

  String word() {
    return word;
  }

  static ServiceVerdict of(ObjectiveLine line) {
    Optional<ServiceFigures> recent = line.recent();
    if (recent.isEmpty()) {
      return UNKNOWN;
    }
    if (line.objective().targets().stream().allMatch(target -> isKept(target, recent.get()))) {
      return KEPT;
    }
    return isOverLoad(line.objective(), recent.get()) ? OVER_LOAD : VIOLATED;
  }

  private static boolean isKept(ResponseTarget target, ServiceFigures figures) {
    return figures.micros(target.statistic()) * NANOS_PER_MICRO <= target.atMost().toNanos();
  }

  private static boolean isOverLoad(Objective objective, ServiceFigures figures) {
    return objective
        .workload()
        .load()
        .filter(
            load -> load instanceof OperationRate(var perSecond) && figures.perSecond() > perSecond)
        .isPresent();
  }

  /** What was measured of what is stated: {@code p99 12.3 ms, 3900/s}. */
  static String measured(ObjectiveLine line) {
    if (line.recent().isEmpty()) {
      return "-";
    }
    ServiceFigures figures = line.recent().get();
    List<String> parts = new ArrayList<>();
    for (ResponseTarget target : line.objective().targets()) {
      parts.add(
          target.statistic().word()
              + " "
              + ObjectiveText.millis(figures.micros(target.statistic()) * NANOS_PER_MICRO));
    }
    if (parts.isEmpty()) {
      parts.add("mean " + ObjectiveText.millis(figures.meanMicros() * NANOS_PER_MICRO));
    }
    parts.add(Math.round(figures.perSecond()) + "/s");
    if (figures.failures() > 0) {
      parts.add(figures.failures() + " failed");
    }
    return String.join(", ", parts);
  }
}
