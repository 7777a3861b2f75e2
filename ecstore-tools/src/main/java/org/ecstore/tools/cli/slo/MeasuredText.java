package org.ecstore.tools.cli.slo;

import java.util.ArrayList;
import java.util.List;
import org.ecstore.model.objective.Objective;
import org.ecstore.model.objective.ResponseTarget;
import org.ecstore.model.objective.ServiceFigures;
import org.ecstore.model.objective.Statistic;
import org.ecstore.protocol.ClientReply.ObjectiveLine;
import org.ecstore.txn.qos.objective.ObjectiveText;

/** What clients have told of an objective, in words. */
final class MeasuredText {
  private static final long NANOS_PER_MICRO = 1_000;

  private MeasuredText() {}

  /** What was measured of what is stated: {@code p99 12.3 ms, 3900/s}. */
  static String of(ObjectiveLine line) {
    if (line.recent().isEmpty()) {
      return "-";
    }
    ServiceFigures figures = line.recent().get();
    List<String> parts = new ArrayList<>(times(line.objective(), figures));
    parts.add(Math.round(figures.perSecond()) + "/s");
    if (figures.failures() > 0) {
      parts.add(figures.failures() + " failed");
    }
    return String.join(", ", parts);
  }

  private static List<String> times(Objective objective, ServiceFigures figures) {
    if (figures.answers() == 0) {
      return List.of("no answer");
    }
    List<ResponseTarget> targets = objective.targets();
    return targets.isEmpty()
        ? List.of(time(figures, Statistic.MEAN))
        : targets.stream().map(target -> time(figures, target.statistic())).toList();
  }

  private static String time(ServiceFigures figures, Statistic statistic) {
    return statistic.word()
        + " "
        + ObjectiveText.millis(figures.micros(statistic) * NANOS_PER_MICRO);
  }
}
