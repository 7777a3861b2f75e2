package org.ecstore.txn.qos.objective;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import org.ecstore.model.AdminRequest;
import org.ecstore.model.objective.Objective;
import org.ecstore.model.objective.OfferedLoad.ClientCount;
import org.ecstore.model.objective.OfferedLoad.OperationRate;
import org.ecstore.model.objective.ResponseTarget;
import org.ecstore.model.objective.ServiceClass;
import org.ecstore.txn.balance.Amounts;

/** Objectives in words, for people. */
public final class ObjectiveText {
  private ObjectiveText() {}

  /** What is asked for. */
  public static String of(AdminRequest.OfObjectives request) {
    return switch (request) {
      case AdminRequest.SetObjective(var objective, _) ->
          "set the objective of " + objective.application() + ": " + of(objective);
      case AdminRequest.RemoveObjective(var application, _) ->
          "remove the objective of " + application;
    };
  }

  /** Without its application: {@code p99 20 ms at 4000/s, guaranteed, tables orders and users}. */
  public static String of(Objective objective) {
    List<String> parts = new ArrayList<>();
    String targets =
        String.join(", ", objective.targets().stream().map(ObjectiveText::of).toList());
    String load =
        objective
            .workload()
            .load()
            .map(
                offered ->
                    switch (offered) {
                      case OperationRate(var perSecond) -> " at " + perSecond + "/s";
                      case ClientCount(var count) -> " for " + count + " clients";
                    })
            .orElse("");
    parts.add((targets.isEmpty() ? "no response time" : targets) + load);
    parts.add(
        objective.serviceClass() == ServiceClass.GUARANTEED
            ? ServiceClass.GUARANTEED.word()
            : "best effort of weight " + objective.weight());
    parts.add(
        objective.tables().isEmpty()
            ? "clients of that name"
            : "tables " + String.join(" ", objective.tables()));
    objective
        .quotaBytes()
        .ifPresent(bytes -> parts.add("which hold " + Amounts.bytes(bytes) + " at most"));
    return String.join(", ", parts);
  }

  /** {@code p99 20 ms}. */
  public static String of(ResponseTarget target) {
    return target.statistic().word() + " " + millis(target.atMost().toNanos());
  }

  /**
   * A time with three digits at most behind the point: {@code 1.5 ms}. One that these would make 0
   * is whole: {@code 0.0004 ms}.
   */
  public static String millis(long nanos) {
    BigDecimal exact = new BigDecimal(nanos).movePointLeft(6);
    BigDecimal rounded = exact.setScale(3, RoundingMode.HALF_UP);
    BigDecimal shown = rounded.signum() == 0 ? exact : rounded;
    return shown.stripTrailingZeros().toPlainString() + " ms";
  }
}
