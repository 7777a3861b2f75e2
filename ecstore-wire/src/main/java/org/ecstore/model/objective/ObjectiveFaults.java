package org.ecstore.model.objective;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.ecstore.check.PlainText;
import org.ecstore.model.objective.OfferedLoad.ClientCount;
import org.ecstore.model.objective.OfferedLoad.OperationRate;
import org.ecstore.wire.Limits;

/** What is wrong with an objective by itself, whatever the cluster. */
final class ObjectiveFaults {
  private static final Duration TIME_MAX = Duration.ofHours(1);
  private static final String UNSHOWN =
      " bytes, without control characters and such as turn the direction of text";

  private final Objective of;
  private final List<String> faults = new ArrayList<>();

  private ObjectiveFaults(Objective of) {
    this.of = of;
  }

  static List<String> of(Objective objective) {
    ObjectiveFaults found = new ObjectiveFaults(objective);
    found.names();
    found.targets();
    found.workload();
    found.load();
    found.promise();
    found.quota();
    return List.copyOf(found.faults);
  }

  private void unless(boolean good, String fault) {
    if (!good) {
      faults.add(fault);
    }
  }

  private void names() {
    unless(
        isName(of.application(), Limits.APPLICATION_BYTES_MAX),
        "the name of an application is of 1 to " + Limits.APPLICATION_BYTES_MAX + UNSHOWN);
    unless(
        of.tables().size() <= Objective.TABLES_MAX,
        "an objective is about "
            + Objective.TABLES_MAX
            + " tables at most, not "
            + of.tables().size());
    unless(
        of.tables().stream().allMatch(table -> isName(table, Objective.TABLE_BYTES_MAX)),
        "the name of a table is of 1 to " + Objective.TABLE_BYTES_MAX + UNSHOWN);
    unless(
        of.weight() >= 1 && of.weight() <= Objective.WEIGHT_MAX,
        "a weight is from 1 to " + Objective.WEIGHT_MAX + ", not " + of.weight());
  }

  private static boolean isName(String name, int bytesMax) {
    int bytes = name.getBytes(StandardCharsets.UTF_8).length;
    return bytes > 0 && bytes <= bytesMax && PlainText.is(name);
  }

  /** Times rise with their statistics: most answers cannot be slower than nearly all. */
  private void targets() {
    for (int i = 0; i < of.targets().size(); i++) {
      ResponseTarget target = of.targets().get(i);
      unless(
          target.atMost().compareTo(Duration.ZERO) > 0 && target.atMost().compareTo(TIME_MAX) <= 0,
          "a response time is above 0 and an hour at most");
      for (ResponseTarget later : of.targets().subList(i + 1, of.targets().size())) {
        if (later.statistic() == target.statistic()) {
          faults.add("there is one " + target.statistic().word() + ", not two");
        } else {
          unless(
              target.atMost().compareTo(later.atMost()) <= 0,
              "%s of %s contradicts %s of %s: give the lesser one alone"
                  .formatted(
                      target.statistic().word(),
                      millis(target.atMost()),
                      later.statistic().word(),
                      millis(later.atMost())));
        }
      }
    }
  }

  private static String millis(Duration time) {
    boolean isOutOfBounds = time.isNegative() || time.compareTo(TIME_MAX) > 0;
    return isOutOfBounds
        ? time.toString()
        : BigDecimal.valueOf(time.toNanos(), 6).stripTrailingZeros().toPlainString() + " ms";
  }

  private void workload() {
    ObjectiveWorkload stated = of.workload();
    stated
        .recordBytes()
        .ifPresent(
            bytes ->
                unless(
                    bytes >= 1 && bytes <= Limits.VALUE_BYTES_MAX,
                    "a record has 1 to " + Limits.VALUE_BYTES_MAX + " bytes"));
    stated
        .readPercent()
        .ifPresent(
            percent ->
                unless(
                    percent >= 0 && percent <= 100,
                    "of 100 operations 0 to 100 read, not " + percent));
    stated
        .dataBytes()
        .ifPresent(
            bytes -> {
              unless(bytes >= 1, "data have 1 byte at least, not " + bytes);
              unless(
                  stated.recordBytes().isEmpty() || stated.recordBytes().getAsInt() <= bytes,
                  "a record cannot be larger than all data");
            });
  }

  private void load() {
    of.workload()
        .load()
        .ifPresent(
            load -> {
              if (load instanceof OperationRate rate) {
                unless(
                    rate.perSecond() >= 1 && rate.perSecond() <= OfferedLoad.RATE_MAX,
                    "a rate is from 1 to " + OfferedLoad.RATE_MAX + " operations a second");
              } else if (load instanceof ClientCount clients) {
                unless(
                    clients.count() >= 1 && clients.count() <= OfferedLoad.CLIENTS_MAX,
                    "clients are from 1 to " + OfferedLoad.CLIENTS_MAX);
              }
            });
  }

  /** What is owed has to be known. */
  private void promise() {
    if (of.serviceClass() == ServiceClass.GUARANTEED) {
      unless(
          !of.targets().isEmpty(),
          "a guarantee needs a response time: say a mean, p95 or p99, or best-effort");
      unless(
          of.workload().load().isPresent(),
          "a guarantee is for a load: say a rate or a number of clients, or best-effort");
    }
  }

  /** What clients hold that say a name is not known, for keys are of tables. */
  private void quota() {
    of.quotaBytes()
        .ifPresent(
            bytes -> {
              unless(
                  bytes >= 1 && bytes <= Objective.QUOTA_BYTES_MAX,
                  "a quota is from 1 to " + Objective.QUOTA_BYTES_MAX + " bytes, not " + bytes);
              unless(!of.tables().isEmpty(), "a quota is of tables: name those that it is about");
              unless(
                  !of.tables().contains(Objective.OWN_TABLE),
                  "the table %s is the store's own: a quota cannot be about it"
                      .formatted(Objective.OWN_TABLE));
              unless(
                  of.workload().dataBytes().orElse(0) <= bytes,
                  "data of %d bytes contradict a quota of %d: raise the quota, or state less data"
                      .formatted(of.workload().dataBytes().orElse(0), bytes));
            });
  }
}
