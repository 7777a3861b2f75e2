package org.ecstore.tools.plan;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import org.ecstore.model.objective.Objective;
import org.ecstore.model.objective.ObjectiveWorkload;
import org.ecstore.model.objective.OfferedLoad;
import org.ecstore.model.objective.OfferedLoad.ClientCount;
import org.ecstore.model.objective.OfferedLoad.OperationRate;
import org.ecstore.model.objective.Statistic;
import org.ecstore.tools.objective.Amount;
import org.ecstore.tools.objective.ObjectiveFile;
import org.ecstore.tools.terminal.BadInputException;
import org.ecstore.txn.qos.table.TableReader;
import org.ecstore.txn.qos.table.TableSubject;
import org.ecstore.txn.qos.table.WorkloadDifferences;
import org.ecstore.wire.Limits;
import org.jspecify.annotations.Nullable;

/**
 * What a plan is made for.
 *
 * @param targets one at least
 * @param stated what the application says of itself
 * @param source the file that states it; absent if options did
 */
public record PlannedObjective(
    OfferedLoad load, List<Target> targets, ObjectiveWorkload stated, Optional<Source> source) {
  private static final double NANOS_PER_MILLI = 1e6;

  public PlannedObjective {
    targets = List.copyOf(targets);
  }

  /** A response time of a statistic in milliseconds, at most. */
  public record Target(Statistic statistic, double millis) {}

  /** A file of objectives, and which of them is meant. */
  public record Source(Path file, String application) {}

  /** As options say it. */
  public static PlannedObjective ofOptions(
      @Nullable Integer clients,
      @Nullable BigDecimal rate,
      @Nullable String recordSize,
      @Nullable String mean,
      @Nullable String p95,
      @Nullable String p99) {
    return new PlannedObjective(
        load(clients, rate),
        List.of(target(mean, p95, p99)),
        records(recordSize),
        Optional.empty());
  }

  private static ObjectiveWorkload records(@Nullable String recordSize) {
    if (recordSize == null) {
      return ObjectiveWorkload.UNSTATED;
    }
    long bytes = Amount.bytes("--record-size", recordSize);
    if (bytes > Limits.VALUE_BYTES_MAX) {
      throw new BadInputException(
          "--record-size must be from 1 to %d bytes, not %d"
              .formatted(Limits.VALUE_BYTES_MAX, bytes));
    }
    return new ObjectiveWorkload(
        OptionalLong.empty(),
        OptionalInt.of((int) bytes),
        OptionalInt.empty(),
        Optional.empty(),
        Optional.empty());
  }

  private static Target target(@Nullable String mean, @Nullable String p95, @Nullable String p99) {
    List<Target> targets = new ArrayList<>();
    add(targets, Statistic.MEAN, "--response-time", mean);
    add(targets, Statistic.P95, "--p95", p95);
    add(targets, Statistic.P99, "--p99", p99);
    if (targets.size() != 1) {
      throw new BadInputException(
          "give one of --response-time, --p95 and --p99: --response-time 40ms");
    }
    return targets.getFirst();
  }

  private static void add(
      List<Target> targets, Statistic statistic, String option, @Nullable String text) {
    if (text != null) {
      targets.add(new Target(statistic, Amount.millis(option, text)));
    }
  }

  private static OfferedLoad load(@Nullable Integer clients, @Nullable BigDecimal rate) {
    if ((clients == null) == (rate == null)) {
      throw new BadInputException("give the load, by either --clients or --rate: --clients 384");
    }
    if (clients != null) {
      if (clients < 1 || clients > TableReader.CLIENTS_MAX) {
        throw new BadInputException(
            "--clients must be from 1 to %d, not %d".formatted(TableReader.CLIENTS_MAX, clients));
      }
      return new ClientCount(clients);
    }
    double operations = rate == null ? 0 : rate.doubleValue();
    if (operations < 1 || operations > OfferedLoad.RATE_MAX) {
      throw new BadInputException(
          "--rate must be from 1 to %d, not %s".formatted(OfferedLoad.RATE_MAX, rate));
    }
    return new OperationRate(Math.round(operations));
  }

  /**
   * An objective of a file: the one of that name, or the only one that states a response time and a
   * load.
   *
   * @throws BadInputException if there is none, or more than one
   */
  public static PlannedObjective ofFile(Path file, @Nullable String application)
      throws IOException {
    List<Objective> all = ObjectiveFile.read(file);
    List<Objective> named =
        all.stream()
            .filter(one -> application == null || one.application().equals(application))
            .toList();
    if (named.isEmpty()) {
      throw new BadInputException(
          "%s has objectives of %s, and none of %s"
              .formatted(file, names(all), String.valueOf(application)));
    }
    List<Objective> planned = named.stream().filter(PlannedObjective::isPlannable).toList();
    if (planned.isEmpty()) {
      throw new BadInputException(
          "there is no plan for %s: state a response time (mean, p95 or p99) and a load (rate or clients) in %s"
              .formatted(names(named), file));
    }
    if (planned.size() > 1) {
      throw new BadInputException(
          "%s has objectives of %s: say which one by --application"
              .formatted(file, names(planned)));
    }
    return of(file, planned.getFirst());
  }

  private static String names(List<Objective> objectives) {
    return objectives.stream().map(Objective::application).collect(Collectors.joining(", "));
  }

  /** Whether there is a plan for it at all. */
  public static boolean isPlannable(Objective objective) {
    return !objective.targets().isEmpty() && objective.workload().load().isPresent();
  }

  private static PlannedObjective of(Path file, Objective objective) {
    ObjectiveWorkload workload = objective.workload();
    return new PlannedObjective(
        workload.load().orElseThrow(),
        objective.targets().stream()
            .map(
                target ->
                    new Target(target.statistic(), target.atMost().toNanos() / NANOS_PER_MILLI))
            .toList(),
        workload,
        Optional.of(new Source(file, objective.application())));
  }

  /** What of a table's workload is another than stated, a sentence each. */
  List<String> differences(TableSubject measured) {
    return WorkloadDifferences.of(measured, stated);
  }
}
