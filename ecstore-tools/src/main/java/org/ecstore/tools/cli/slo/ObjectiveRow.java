package org.ecstore.tools.cli.slo;

import java.util.Optional;
import java.util.stream.Collectors;
import org.ecstore.model.objective.Objective;
import org.ecstore.model.objective.ObjectiveWorkload;
import org.ecstore.model.objective.OfferedLoad.ClientCount;
import org.ecstore.model.objective.OfferedLoad.OperationRate;
import org.ecstore.model.objective.ServiceClass;
import org.ecstore.model.objective.ServiceVerdict;
import org.ecstore.protocol.ClientReply.ObjectiveLine;
import org.ecstore.protocol.ClientReply.QuotaLine;
import org.ecstore.txn.balance.Amounts;
import org.ecstore.txn.qos.objective.ObjectiveText;

/** An objective as a line of a table. */
final class ObjectiveRow {
  static final String[] TITLES = {
    "application",
    "of",
    "class",
    "response time",
    "load",
    "reads",
    "data",
    "holds",
    "measured",
    "is"
  };

  private static final String UNSTATED = "-";
  private static final double HUNDRED = 100;

  private ObjectiveRow() {}

  /**
   * A line.
   *
   * @param quota what it holds; absent if it has no quota, or nodes do not say
   */
  static String[] of(ObjectiveLine line, Optional<QuotaLine> quota) {
    Objective objective = line.objective();
    ObjectiveWorkload workload = objective.workload();
    String targets =
        objective.targets().stream().map(ObjectiveText::of).collect(Collectors.joining(", "));
    return new String[] {
      objective.application(),
      objective.tables().isEmpty() ? "its clients" : String.join(" ", objective.tables()),
      objective.serviceClass() == ServiceClass.GUARANTEED
          ? objective.serviceClass().word()
          : objective.serviceClass().word() + ", weight " + objective.weight(),
      targets.isEmpty() ? UNSTATED : targets,
      load(workload),
      workload.readPercent().isPresent() ? workload.readPercent().getAsInt() + "%" : UNSTATED,
      data(workload),
      holds(objective, quota),
      MeasuredText.of(line),
      ServiceVerdict.of(objective, line.recent()).word()
    };
  }

  private static String holds(Objective objective, Optional<QuotaLine> quota) {
    if (objective.quotaBytes().isEmpty()) {
      return UNSTATED;
    }
    long most = objective.quotaBytes().getAsLong();
    Optional<Long> held = quota.flatMap(QuotaLine::heldBytes);
    String text =
        held.map(
                bytes ->
                    "%s of %s, %d%%"
                        .formatted(Amounts.bytes(bytes), Amounts.bytes(most), percent(bytes, most)))
            .orElse("? of " + Amounts.bytes(most));
    return quota.filter(QuotaLine::isRefused).isPresent() ? text + ", refused" : text;
  }

  /** What a part is of a whole, rounded down. */
  private static long percent(long part, long whole) {
    return (long) (HUNDRED * part / whole);
  }

  private static String load(ObjectiveWorkload workload) {
    return workload
        .load()
        .map(
            load ->
                switch (load) {
                  case OperationRate(var perSecond) -> perSecond + "/s";
                  case ClientCount(var count) -> count + " clients";
                })
        .orElse(UNSTATED);
  }

  private static String data(ObjectiveWorkload workload) {
    String all =
        workload.dataBytes().isPresent()
            ? Amounts.bytes(workload.dataBytes().getAsLong())
            : UNSTATED;
    return workload.recordBytes().isPresent()
        ? all + " of " + Amounts.bytes(workload.recordBytes().getAsInt()) + " each"
        : all;
  }
}
