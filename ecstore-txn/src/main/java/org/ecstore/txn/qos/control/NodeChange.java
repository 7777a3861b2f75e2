package org.ecstore.txn.qos.control;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.ecstore.model.objective.Objective;
import org.ecstore.model.objective.ServiceFigures;
import org.ecstore.model.objective.Statistic;
import org.ecstore.txn.qos.measured.KnownTable;
import org.ecstore.txn.qos.measured.TableChoice;
import org.ecstore.txn.qos.objective.ObjectiveText;

/**
 * Foretells a response time on another number of nodes: by a measured table, if one fits, else by
 * the formula of a queue ({@link LoadModel}). Of a table only the change is taken, from the place
 * where the cluster is now to the one where it would be: what is measured now is multiplied by it,
 * so that a cluster that is slower than the table was is foretold slower (decision 0079).
 */
final class NodeChange {
  /** So often a place is looked for; each time is nearer to it. */
  private static final int ROUNDS = 500;

  private static final double NEAR = 1e-4;
  private static final double NANOS_PER_MILLI = 1e6;
  private static final double MICROS_PER_MILLI = 1e3;

  private final Situation now;
  private final KnownTable table;
  private final Statistic statistic;
  private final InFlight load;

  private NodeChange(Situation now, KnownTable table, Statistic statistic) {
    this.now = now;
    this.table = table;
    this.statistic = statistic;
    this.load = InFlight.of(now);
  }

  /**
   * What a statistic of an application's response time becomes.
   *
   * @param nodes with places, then
   */
  static Foretold of(
      Situation now, Objective objective, ServiceFigures figures, Statistic statistic, int nodes) {
    TableChoice choice = now.tables().choose(objective, Optional.of(figures), statistic);
    return choice
        .table()
        .flatMap(table -> new NodeChange(now, table, statistic).foretold(figures, nodes))
        .orElseGet(() -> byQueue(now, nodes, choice));
  }

  private static Foretold byQueue(Situation now, int nodes, TableChoice choice) {
    double then = now.busy() * now.nodes() / nodes;
    return new Foretold(
        LoadModel.response(1, now.busy(), then),
        "by the formula of a queue, as "
            + choice
                .table()
                .map(
                    table ->
                        "table %s has %s, and %s are under way on %d, then on %d"
                            .formatted(
                                table.name(),
                                table.size(),
                                amount(InFlight.of(now).all()),
                                now.nodes(),
                                nodes))
                .orElse(choice.why()),
        OptionalDouble.empty());
  }

  /** Absent where the table does not have the place where the cluster is, or so many nodes. */
  private Optional<Foretold> foretold(ServiceFigures figures, int nodes) {
    Optional<KnownTable.Place> mean = table.at(Statistic.MEAN, load.all(), now.nodes());
    Optional<KnownTable.Place> from = table.at(statistic, load.all(), now.nodes());
    boolean has = nodes >= table.nodesFewest() && nodes <= table.nodesMost();
    if (mean.isEmpty() || from.isEmpty() || !has) {
      return Optional.empty();
    }
    double slower = figures.micros(statistic) / MICROS_PER_MILLI / from.get().millis();
    double clients = clientsThen(mean.get().millis(), nodes);
    Optional<KnownTable.Place> to = table.at(statistic, clients, nodes);
    return Optional.of(
        to.map(
                place ->
                    new Foretold(
                        place.millis() / from.get().millis(),
                        "by table %s: %s under way on %d nodes %s, %s on %d nodes %s (%s)"
                            .formatted(
                                table.name(),
                                amount(load.all()),
                                now.nodes(),
                                millis(from.get()),
                                amount(clients),
                                nodes,
                                millis(place),
                                KnownTable.cells(List.of(from.get(), place))),
                        OptionalDouble.of(slower)))
            .orElseGet(
                () ->
                    new Foretold(
                        Double.POSITIVE_INFINITY,
                        "by table %s: on %d nodes more would wait than its %s"
                            .formatted(table.name(), nodes, table.size()),
                        OptionalDouble.of(slower))));
  }

  /**
   * How many are under way then: with other response times operations that come at a rate are more
   * or fewer at once, and these are what response times follow from. From the fewest upwards it is
   * the first number that agrees with itself; infinite where none within the table does.
   *
   * @param millis the mean response time of the table now
   */
  private double clientsThen(double millis, int nodes) {
    double times = 0;
    for (int round = 0; round < ROUNDS; round++) {
      Optional<KnownTable.Place> then = table.at(Statistic.MEAN, load.when(times), nodes);
      if (then.isEmpty()) {
        return Double.POSITIVE_INFINITY;
      }
      double next = then.get().millis() / millis;
      if (Math.abs(next - times) <= NEAR * next) {
        return load.when(next);
      }
      times = next;
    }
    return Double.POSITIVE_INFINITY;
  }

  static String amount(double count) {
    return BigDecimal.valueOf(count)
        .setScale(1, RoundingMode.HALF_UP)
        .stripTrailingZeros()
        .toPlainString();
  }

  static String millis(KnownTable.Place place) {
    return ObjectiveText.millis(Math.round(place.millis() * NANOS_PER_MILLI));
  }
}
