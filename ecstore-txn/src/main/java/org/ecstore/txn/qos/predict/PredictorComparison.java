package org.ecstore.txn.qos.predict;

import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import org.ecstore.model.objective.Statistic;
import org.ecstore.txn.qos.table.GridPoint;
import org.ecstore.txn.qos.table.PerformanceCell;
import org.ecstore.txn.qos.table.PerformanceTable;

/**
 * Both ways of prediction on cells that were held out of a table: which one errs less there, and by
 * how much. Only cells count for which both have a prediction, so that they answer the same
 * question.
 */
public final class PredictorComparison {
  /** What is left out before a cell is predicted. */
  public enum HeldOut {
    /** The whole row of the cell: a load that was not measured. */
    ROW,
    /** The cell alone, and then its neighbours in its row count too. */
    CELL
  }

  /** So many cells are looked at for all fits together, which bounds what a large table costs. */
  private static final int WORK = 100_000;

  private static final int HELD_OUT_MIN = 8;
  private static final int HELD_OUT_MAX = 256;

  private final List<HeldOutCell> cells;

  private PredictorComparison(List<HeldOutCell> cells) {
    this.cells = cells;
  }

  /** Absent where no cell could be held out that both ways predict. */
  public static Optional<PredictorComparison> of(
      PerformanceTable table, Statistic statistic, HeldOut heldOut) {
    List<HeldOutCell> cells =
        switch (heldOut) {
          case ROW -> byRow(table, statistic);
          case CELL -> byCell(table, statistic);
        };
    return cells.isEmpty() ? Optional.empty() : Optional.of(new PredictorComparison(cells));
  }

  private static List<HeldOutCell> byRow(PerformanceTable table, Statistic statistic) {
    List<HeldOutCell> cells = new ArrayList<>();
    for (int row : chosen(List.copyOf(table.clients()), table.cells().size())) {
      cells.addAll(
          heldOut(
              table,
              statistic,
              table.servers().stream().map(servers -> new GridPoint(row, servers)).toList()));
    }
    return cells;
  }

  private static List<HeldOutCell> byCell(PerformanceTable table, Statistic statistic) {
    List<HeldOutCell> cells = new ArrayList<>();
    for (GridPoint point : chosen(List.copyOf(table.cells().keySet()), table.cells().size())) {
      cells.addAll(heldOut(table, statistic, List.of(point)));
    }
    return cells;
  }

  /** Those of some cells that both ways predict from the others. */
  private static List<HeldOutCell> heldOut(
      PerformanceTable table, Statistic statistic, List<GridPoint> points) {
    NavigableMap<GridPoint, PerformanceCell> left = new TreeMap<>(table.cells());
    points.forEach(left::remove);
    Interpolation interpolation = new Interpolation(left, statistic);
    Optional<QueueingCurve> curve = QueueingCurve.fit(left, statistic);
    List<HeldOutCell> cells = new ArrayList<>();
    for (GridPoint point : points) {
      Optional<Prediction> interpolated = interpolation.at(point);
      Optional<PerformanceCell> cell =
          table.cell(point).filter(measured -> measured.millis(statistic).isPresent());
      if (interpolated.isPresent() && cell.isPresent() && curve.isPresent()) {
        cells.add(
            new HeldOutCell(
                point,
                cell.get().millis(statistic).getAsDouble(),
                cell.get(),
                interpolated.get(),
                curve.get().at(point)));
      }
    }
    return cells;
  }

  /** All of them, or so many that the work stays within its bound, at equal distances. */
  private static <T> List<T> chosen(List<T> all, int cells) {
    int most = Math.max(HELD_OUT_MIN, Math.min(HELD_OUT_MAX, WORK / cells));
    int step = (all.size() + most - 1) / most;
    List<T> chosen = new ArrayList<>();
    for (int i = 0; i < all.size(); i += Math.max(1, step)) {
      chosen.add(all.get(i));
    }
    return chosen;
  }

  /** How far interpolation was off in response time. */
  public PredictionErrors interpolation() {
    return errors(cell -> cell.millisError(cell.interpolated()));
  }

  /** How far the curve was off in response time. */
  public PredictionErrors curve() {
    return errors(cell -> cell.millisError(cell.fitted()));
  }

  /** How far interpolation was off in throughput. */
  public PredictionErrors interpolatedThroughput() {
    return errors(cell -> cell.megabytesError(cell.interpolated()));
  }

  /** How far the curve was off in throughput. */
  public PredictionErrors fittedThroughput() {
    return errors(cell -> cell.megabytesError(cell.fitted()));
  }

  private PredictionErrors errors(ToDoubleFunction<HeldOutCell> error) {
    return PredictionErrors.of(cells.stream().map(cell -> error.applyAsDouble(cell)).toList());
  }

  /** Whether the curve predicts response times better: by the mean error, as few cells decide. */
  public boolean curveIsBetter() {
    return curve().mean() < interpolation().mean();
  }
}
