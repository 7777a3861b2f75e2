package org.ecstore.txn.qos.predict;

import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import org.ecstore.model.objective.Statistic;
import org.ecstore.txn.qos.predict.Prediction.Basis;
import org.ecstore.txn.qos.table.GridPoint;
import org.ecstore.txn.qos.table.PerformanceCell;

/**
 * A curve through all cells: response times by {@link ResponseCurve}, throughput from the mean ones
 * by Little's law, {@code clients / response time}, times what an operation was measured to move.
 * It says something of any place, also of those beyond the table.
 */
final class QueueingCurve {
  private final ResponseCurve response;
  private final ResponseCurve mean;
  private final double megabytesFactor;

  private QueueingCurve(ResponseCurve response, ResponseCurve mean, double megabytesFactor) {
    this.response = response;
    this.mean = mean;
    this.megabytesFactor = megabytesFactor;
  }

  /** The curve of the cells that have the statistic; absent where they are too few. */
  static Optional<QueueingCurve> fit(
      NavigableMap<GridPoint, PerformanceCell> cells, Statistic statistic) {
    double factors = 0;
    for (Map.Entry<GridPoint, PerformanceCell> each : cells.entrySet()) {
      PerformanceCell cell = each.getValue();
      factors += cell.megabytesPerSecond() * cell.millis() / each.getKey().clients();
    }
    double factor = factors / Math.max(1, cells.size());
    return ResponseCurve.fit(millis(cells, statistic))
        .flatMap(
            response ->
                ResponseCurve.fit(millis(cells, Statistic.MEAN))
                    .map(mean -> new QueueingCurve(response, mean, factor)));
  }

  private static Map<GridPoint, Double> millis(
      NavigableMap<GridPoint, PerformanceCell> cells, Statistic statistic) {
    Map<GridPoint, Double> millis = new TreeMap<>();
    cells.forEach(
        (point, cell) -> cell.millis(statistic).ifPresent(measured -> millis.put(point, measured)));
    return millis;
  }

  Prediction at(GridPoint point) {
    return new Prediction(
        response.at(point),
        megabytesFactor * point.clients() / mean.at(point),
        Basis.FITTED,
        List.of());
  }
}
