package org.ecstore.tools.plan;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.ecstore.model.objective.OfferedLoad.ClientCount;
import org.ecstore.model.objective.OfferedLoad.OperationRate;
import org.ecstore.model.objective.Statistic;
import org.ecstore.tools.plan.PlanTables.Source;
import org.ecstore.tools.terminal.BadInputException;
import org.ecstore.txn.qos.plan.Demand;
import org.ecstore.txn.qos.plan.Demand.Clients;
import org.ecstore.txn.qos.plan.Demand.Load;
import org.ecstore.txn.qos.plan.Demand.Throughput;
import org.ecstore.txn.qos.predict.Forecast;
import org.ecstore.txn.qos.predict.Forecast.Way;
import org.ecstore.txn.qos.table.TableReader;
import org.ecstore.txn.qos.table.TableSubject;
import org.ecstore.txn.qos.table.WorkloadDifferences;

/** Finds the cheapest plan for an objective among tables. */
public final class TablePlanner {
  private static final double BYTES_PER_MEGABYTE = 1e6;

  /** What makes a table that has all statistics, of the loads and sizes that examples have. */
  private static final String MEASURE =
      "\"ecstore qos measure --clients 8,16,32,64 --nodes 1..4 --out tables\"";

  private final PlannedObjective objective;
  private final TableSubject wanted;
  private final Way way;

  /**
   * A planner.
   *
   * @param wanted what tables have to be of; what is absent is not asked for
   * @param way of prediction
   */
  public TablePlanner(PlannedObjective objective, TableSubject wanted, Way way) {
    this.objective = objective;
    this.wanted = wanted;
    this.way = way;
  }

  /**
   * What tables say.
   *
   * @param best the cheapest plan; none was found if it has none
   * @param others of the other tables, the next best first
   * @param leftOut which tables say nothing, and why, a sentence each
   */
  public record Weighed(TablePlan best, List<TablePlan> others, List<String> leftOut) {
    public Weighed {
      others = List.copyOf(others);
      leftOut = List.copyOf(leftOut);
    }
  }

  /**
   * Weighs tables.
   *
   * @throws BadInputException if one that was chosen does not fit, or all are left out
   */
  public Weighed weigh(PlanTables tables) {
    List<TablePlan> plans = new ArrayList<>();
    List<String> leftOut = new ArrayList<>(tables.leftOut());
    for (Source source : tables.sources()) {
      try {
        mustFit(source);
        plans.add(hardest(source));
      } catch (BadInputException e) {
        if (source.isChosen()) {
          throw e;
        }
        leftOut.add(String.valueOf(e.getMessage()));
      }
    }
    if (plans.isEmpty()) {
      throw new BadInputException("no table can be used: " + String.join("\n  ", leftOut));
    }
    List<TablePlan> sorted = plans.stream().sorted(TablePlan.CHEAPEST).toList();
    return new Weighed(sorted.getFirst(), sorted.subList(1, sorted.size()), leftOut);
  }

  private void mustFit(Source source) {
    TableSubject measured = source.table().subject();
    List<String> differences = new ArrayList<>(measured.differencesFrom(wanted));
    differences.addAll(objective.differences(measured));
    if (!differences.isEmpty()) {
      throw new BadInputException(
          source.name()
              + " does not fit: "
              + String.join("; ", differences)
              + hint(differences.getFirst()));
    }
  }

  private static String hint(String difference) {
    if (difference.startsWith("it was measured on build")) {
      return ": measure it anew, or see qos plan --any-build";
    }
    if (difference.startsWith(WorkloadDifferences.OTHER_RECORDS)) {
      return ": state no record size to plan by it all the same";
    }
    return difference.startsWith("it was measured on a machine")
        ? ": measure it on this machine, or see qos plan --any-machine"
        : "";
  }

  /** Of several response times, the plan of the one that needs most nodes. */
  private TablePlan hardest(Source source) {
    return objective.targets().stream()
        .map(
            target ->
                TablePlan.of(
                    source.name(),
                    forecast(source, target.statistic()),
                    new Demand(load(source), target.statistic(), target.millis())))
        .max(Comparator.comparingInt(TablePlan::nodes))
        .orElseThrow();
  }

  private Forecast forecast(Source source, Statistic statistic) {
    if (!source.table().has(statistic)) {
      throw new BadInputException(withoutStatistic(source.name(), statistic.word()));
    }
    Forecast forecast = new Forecast(source.table(), statistic, way);
    if (way == Way.CURVE && !forecast.byCurve()) {
      throw new BadInputException(
          source.name()
              + " has too few cells for a curve: four, of two numbers of clients, are needed");
    }
    return forecast;
  }

  /** No mean says how long the slowest take. */
  private String withoutStatistic(String table, String statistic) {
    String instead =
        objective
            .source()
            .map(
                source ->
                    "or state mean = \"TIME\" in place of %s in %s"
                        .formatted(statistic, source.file()))
            .orElse("or ask for a mean, by --response-time TIME");
    return "%s does not have the %s of each cell, only means: measure a table that has, by %s, add a column \"%s ms\", %s"
        .formatted(table, statistic, MEASURE, statistic, instead);
  }

  private Load load(Source source) {
    return switch (objective.load()) {
      case ClientCount(var count) -> {
        if (count > TableReader.CLIENTS_MAX) {
          throw new BadInputException(
              "clients are from 1 to %d, not %d".formatted(TableReader.CLIENTS_MAX, count));
        }
        yield new Clients(count);
      }
      case OperationRate(var perSecond) ->
          new Throughput(perSecond * recordBytes(source) / BYTES_PER_MEGABYTE);
    };
  }

  /**
   * What an operation of the table moves. Nodes are kept busy by operations: records that are half
   * as large do not make twice as many of them possible.
   */
  private double recordBytes(Source source) {
    OptionalLong measured = source.table().subject().recordBytes();
    if (measured.isPresent()) {
      return measured.getAsLong();
    }
    OptionalInt said = objective.stated().recordBytes();
    if (said.isEmpty()) {
      String how =
          objective
              .source()
              .map(
                  stated ->
                      "state record-size = \"1KB\" below [%s] in %s"
                          .formatted(stated.application(), stated.file()))
              .orElse("give --record-size, as 1KB");
      throw new BadInputException(
          "%s does not say how large its records are, which a rate needs: %s, or write \"# record-bytes: 1000\" into the table"
              .formatted(source.name(), how));
    }
    return said.getAsInt();
  }
}
