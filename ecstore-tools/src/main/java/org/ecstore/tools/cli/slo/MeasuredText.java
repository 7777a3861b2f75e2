package org.ecstore.tools.cli.slo;

import java.util.ArrayList;
import java.util.List;
import org.ecstore.model.objective.ResponseTarget;
import org.ecstore.model.objective.ServiceFigures;
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
