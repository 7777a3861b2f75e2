package org.ecstore.txn.qos.predict;

import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.ecstore.model.objective.Statistic;
import org.ecstore.txn.qos.predict.Prediction.Basis;
import org.ecstore.txn.qos.table.GridPoint;
import org.ecstore.txn.qos.table.PerformanceCell;

/**
 * Weighted averages of neighbouring cells. Paper: Cassandra QoS, §III and Table VI, where a row is
 * the average of the rows above and below; here a column too is that of its neighbours where it was
 * not measured, which the paper has no need of. Beyond the outermost cells there is no prediction.
 */
final class Interpolation {
  private final NavigableMap<Integer, NavigableMap<Integer, PerformanceCell>> columns =
      new TreeMap<>();
  private final Statistic statistic;

  /** Between the cells that have the statistic; the grid may have gaps. */
  Interpolation(NavigableMap<GridPoint, PerformanceCell> cells, Statistic statistic) {
    this.statistic = statistic;
    cells.forEach(
        (point, cell) ->
            columns
                .computeIfAbsent(point.servers(), _ -> new TreeMap<>())
                .put(point.clients(), cell));
  }

  /** What is between the neighbours; absent where there are none on both sides. */
  Optional<Prediction> at(GridPoint point) {
    return inColumn(point.clients(), point.servers()).or(() -> betweenColumns(point));
  }

  private Optional<Prediction> betweenColumns(GridPoint point) {
    int clients = point.clients();
    NavigableSet<Integer> usable = new TreeSet<>();
    for (int servers : columns.keySet()) {
      if (inColumn(clients, servers).isPresent()) {
        usable.add(servers);
      }
    }
    Integer lower = usable.lower(point.servers());
    Integer higher = usable.higher(point.servers());
    return lower == null || higher == null
        ? Optional.empty()
        : inColumn(clients, lower)
            .flatMap(
                low ->
                    inColumn(clients, higher)
                        .map(high -> between(low, high, weight(lower, point.servers(), higher))));
  }

  private Optional<Prediction> inColumn(int clients, int servers) {
    NavigableMap<Integer, PerformanceCell> column = columns.get(servers);
    if (column == null) {
      return Optional.empty();
    }
    if (column.containsKey(clients)) {
      return measured(column, clients, servers);
    }
    Integer lower = column.lowerKey(clients);
    Integer higher = column.higherKey(clients);
    return lower == null || higher == null
        ? Optional.empty()
        : measured(column, lower, servers)
            .flatMap(
                low ->
                    measured(column, higher, servers)
                        .map(high -> between(low, high, weight(lower, clients, higher))));
  }

  private Optional<Prediction> measured(
      NavigableMap<Integer, PerformanceCell> column, int clients, int servers) {
    PerformanceCell cell = column.get(clients);
    return cell == null || cell.millis(statistic).isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Prediction(
                cell.millis(statistic).getAsDouble(),
                cell.megabytesPerSecond(),
                Basis.MEASURED,
                List.of(new GridPoint(clients, servers))));
  }

  private static double weight(int lower, int at, int higher) {
    return (double) (at - lower) / (higher - lower);
  }

  private static Prediction between(Prediction low, Prediction high, double weight) {
    List<GridPoint> cells = new ArrayList<>(low.cells());
    cells.addAll(high.cells());
    return new Prediction(
        low.millis() * (1 - weight) + high.millis() * weight,
        low.megabytesPerSecond() * (1 - weight) + high.megabytesPerSecond() * weight,
        Basis.INTERPOLATED,
        cells);
  }
}
