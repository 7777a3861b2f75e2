package org.ecstore.txn.qos.predict;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.IntStream;
import org.ecstore.model.objective.Statistic;
import org.ecstore.txn.qos.predict.Prediction.Basis;
import org.ecstore.txn.qos.predict.PredictorComparison.HeldOut;
import org.ecstore.txn.qos.table.GridPoint;
import org.ecstore.txn.qos.table.PerformanceCell;
import org.ecstore.txn.qos.table.PerformanceTable;

/**
 * What a table says of places: what was measured there, or within it what the better way predicts.
 * Which is better is measured on the rows of the table itself, held out one after the other; where
 * it has fewer than three, on its cells; where neither can be, interpolation is taken, as in the
 * paper.
 */
public final class Forecast {
  /** Which way of prediction is taken. */
  public enum Way {
    /** The one that errs less on what is held out of the table. */
    BETTER,
    INTERPOLATION,
    CURVE
  }

  private final PerformanceTable table;
  private final Statistic statistic;
  private final Interpolation interpolation;
  private final Optional<QueueingCurve> curve;
  private final Optional<PredictorComparison> comparison;
  private final boolean byCurve;

  /** The forecast of a table that has the statistic. */
  public Forecast(PerformanceTable table, Statistic statistic, Way way) {
    this.table = table;
    this.statistic = statistic;
    this.interpolation = new Interpolation(table.cells(), statistic);
    this.curve = QueueingCurve.fit(table.cells(), statistic);
    this.comparison =
        PredictorComparison.of(table, statistic, HeldOut.ROW)
            .or(() -> PredictorComparison.of(table, statistic, HeldOut.CELL));
    this.byCurve =
        curve.isPresent()
            && switch (way) {
              case BETTER -> comparison.filter(PredictorComparison::curveIsBetter).isPresent();
              case INTERPOLATION -> false;
              case CURVE -> true;
            };
  }

  public PerformanceTable table() {
    return table;
  }

  /** Which response time is meant. */
  public Statistic statistic() {
    return statistic;
  }

  /** How both ways do on what is held out; absent where nothing could be. */
  public Optional<PredictorComparison> comparison() {
    return comparison;
  }

  /** Whether what was not measured is predicted by the curve. */
  public boolean byCurve() {
    return byCurve;
  }

  /** What is expected of a place of the table; absent beyond its outermost cells. */
  public Optional<Prediction> at(GridPoint point) {
    return interpolation
        .at(point)
        .map(
            between ->
                switch (between.basis()) {
                  case MEASURED ->
                      table.cell(point).map(cell -> spread(between, cell)).orElse(between);
                  case INTERPOLATED, FITTED ->
                      byCurve
                          ? withErrors(curve.map(fitted -> fitted.at(point)).orElse(between))
                          : withErrors(between);
                });
  }

  /** What the curve says of any place; a hint where nothing was measured nearby. */
  public Optional<Prediction> beyond(GridPoint point) {
    return curve.map(fitted -> fitted.at(point));
  }

  /** Between runs a measured mean spreads so; of percentiles that is not known. */
  private Prediction spread(Prediction measured, PerformanceCell cell) {
    OptionalDouble millis = cell.millisSpread();
    OptionalDouble megabytes = cell.megabytesSpread();
    return statistic == Statistic.MEAN && millis.isPresent() && megabytes.isPresent()
        ? measured.within(
            millis.getAsDouble() / measured.millis(),
            megabytes.getAsDouble() / measured.megabytesPerSecond())
        : measured;
  }

  private Prediction withErrors(Prediction prediction) {
    return comparison
        .map(
            held ->
                prediction.basis() == Basis.FITTED
                    ? prediction.within(held.curve().most(), held.fittedThroughput().most())
                    : prediction.within(
                        held.interpolation().most(), held.interpolatedThroughput().most()))
        .orElse(prediction);
  }

  /** The numbers of servers for which there may be a prediction, ascending. */
  public List<Integer> servers() {
    int first = table.servers().first();
    int last = table.servers().last();
    return IntStream.rangeClosed(first, last).boxed().toList();
  }
}
