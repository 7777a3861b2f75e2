package org.ecstore.txn.qos.predict;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import org.ecstore.model.objective.Statistic;
import org.ecstore.txn.qos.predict.Forecast.Way;
import org.ecstore.txn.qos.predict.Prediction.Basis;
import org.ecstore.txn.qos.predict.PredictorComparison.HeldOut;
import org.ecstore.txn.qos.table.GridPoint;
import org.ecstore.txn.qos.table.PaperTables;
import org.ecstore.txn.qos.table.PerformanceCell;
import org.ecstore.txn.qos.table.PerformanceTable;
import org.ecstore.txn.qos.table.TableReader;
import org.ecstore.txn.qos.table.TableSubject;
import org.junit.jupiter.api.Test;

/** Both ways of prediction on Tables II to V of the Cassandra QoS paper. */
class ComparisonPaperTest {
  private static PredictorComparison rows(PerformanceTable table) {
    return PredictorComparison.of(table, Statistic.MEAN, HeldOut.ROW).orElseThrow();
  }

  private static String percent(double share) {
    return String.format(Locale.ROOT, "%.1f", 100 * share);
  }

  /**
   * Cells, mean and largest error of interpolation and of the curve: the figures of
   * docs/planning.md.
   */
  @Test
  void whichOneErrsLessIsMeasuredOnEachTable() {
    List<String> lines = new ArrayList<>();
    for (int number = 2; number <= 5; number++) {
      PerformanceTable table = PaperTables.table(number);
      for (HeldOut heldOut : HeldOut.values()) {
        PredictorComparison comparison =
            PredictorComparison.of(table, Statistic.MEAN, heldOut).orElseThrow();
        PredictionErrors interpolation = comparison.interpolation();
        PredictionErrors curve = comparison.curve();
        lines.add(
            String.join(
                " ",
                String.valueOf(number),
                heldOut.name(),
                String.valueOf(interpolation.cells()),
                percent(interpolation.mean()),
                percent(interpolation.largest()),
                percent(curve.mean()),
                percent(curve.largest())));
      }
    }
    assertEquals(
        List.of(
            "2 ROW 6 3.0 5.9 4.0 11.0",
            "2 CELL 14 3.2 7.8 4.1 11.3",
            "3 ROW 4 8.9 15.6 8.5 15.2",
            "3 CELL 8 5.9 15.6 10.2 15.6",
            "4 ROW 6 11.2 16.9 11.2 19.4",
            "4 CELL 14 8.7 16.9 7.9 19.0",
            "5 ROW 4 6.1 14.0 6.6 10.9",
            "5 CELL 8 8.0 16.0 8.7 22.1"),
        lines);
  }

  @Test
  void interpolationIsUsedOnTableTwo() {
    Forecast forecast = new Forecast(PaperTables.table(2), Statistic.MEAN, Way.BETTER);
    assertFalse(forecast.byCurve());
    Prediction prediction = forecast.at(new GridPoint(384, 5)).orElseThrow();
    assertEquals(38.22, prediction.millis(), 0.01);
    assertEquals(
        rows(PaperTables.table(2)).interpolation().most(), prediction.millisError().orElseThrow());
  }

  /** The paper measured 37.3 ms there. */
  @Test
  void whatThePaperMeasuredLaterIsWithinTheInterval() {
    Forecast forecast = new Forecast(PaperTables.table(2), Statistic.MEAN, Way.BETTER);
    Prediction prediction = forecast.at(new GridPoint(384, 5)).orElseThrow();
    double off = Math.abs(37.3 / prediction.millis() - 1);
    assertTrue(off <= prediction.millisError().orElseThrow(), prediction::toString);
  }

  @Test
  void theCurveIsUsedWhereItErrsLess() {
    PerformanceTable table = queues(5, 40, 0.3);
    Forecast forecast = new Forecast(table, Statistic.MEAN, Way.BETTER);
    assertTrue(forecast.byCurve());
    Prediction prediction = forecast.at(new GridPoint(20, 3)).orElseThrow();
    assertEquals(Basis.FITTED, prediction.basis());
    assertEquals(millis(20, 3, 5, 40, 0.3), prediction.millis(), 0.02 * prediction.millis());
    assertEquals(
        Basis.INTERPOLATED,
        new Forecast(table, Statistic.MEAN, Way.INTERPOLATION)
            .at(new GridPoint(20, 3))
            .orElseThrow()
            .basis());
  }

  /** Clients that are far apart, on which a straight line between columns errs. */
  private static PerformanceTable queues(double fixed, double demand, double gain) {
    TreeMap<GridPoint, PerformanceCell> cells = new TreeMap<>();
    for (int clients : List.of(8, 64)) {
      for (int servers : List.of(1, 2, 4, 8)) {
        double millis = millis(clients, servers, fixed, demand, gain);
        cells.put(new GridPoint(clients, servers), new PerformanceCell(millis, clients / millis));
      }
    }
    return new PerformanceTable(TableSubject.UNKNOWN, cells);
  }

  private static double millis(int clients, int servers, double fixed, double demand, double gain) {
    return fixed + demand * Math.pow(servers, -gain) * (clients + servers - 1) / servers;
  }

  @Test
  void theCurveFindsTheQueuesThatMadeATable() {
    TreeMap<GridPoint, Double> millis = new TreeMap<>();
    queues(5, 40, 0.3).cells().forEach((point, cell) -> millis.put(point, cell.millis()));
    ResponseCurve curve = ResponseCurve.fit(millis).orElseThrow();
    assertEquals(5, curve.fixed(), 1e-6);
    assertEquals(40, curve.demand(), 1e-6);
    assertEquals(0.3, curve.gain(), 1e-9);
  }

  @Test
  void fewCellsHaveNoCurveAndInterpolationIsTaken() {
    PerformanceTable table = TableReader.read("8,1,10,1\n16,1,20,1\n");
    Forecast forecast = new Forecast(table, Statistic.MEAN, Way.CURVE);
    assertFalse(forecast.byCurve());
    assertTrue(forecast.comparison().isEmpty());
    Prediction prediction = forecast.at(new GridPoint(12, 1)).orElseThrow();
    assertEquals(15, prediction.millis(), 1e-9);
    assertTrue(prediction.millisError().isEmpty());
  }

  @Test
  void whatWasMeasuredIsAsUncertainAsItsRunsWere() {
    PerformanceTable table =
        TableReader.read("clients,servers,ms,MB/s,ms spread,MB/s spread\n8,1,10,4,1,0.2\n");
    Prediction prediction =
        new Forecast(table, Statistic.MEAN, Way.BETTER).at(new GridPoint(8, 1)).orElseThrow();
    assertEquals(0.1, prediction.millisError().orElseThrow(), 1e-9);
    assertEquals(0.05, prediction.megabytesError().orElseThrow(), 1e-9);
    assertEquals(11, prediction.millisAtMost(), 1e-9);
  }

  @Test
  void aLargeTableIsComparedWithinItsBound() {
    TreeMap<GridPoint, PerformanceCell> cells = new TreeMap<>();
    for (int clients = 1; clients <= 100; clients++) {
      for (int servers = 1; servers <= 100; servers++) {
        double millis = millis(clients, servers, 1, 1, 0);
        cells.put(new GridPoint(clients, servers), new PerformanceCell(millis, clients / millis));
      }
    }
    PredictorComparison comparison = rows(new PerformanceTable(TableSubject.UNKNOWN, cells));
    // 8 to 10 rows at equal distances, without the outermost, which nothing is below.
    assertTrue(comparison.curve().cells() <= 10 * 100, comparison.curve()::toString);
    assertTrue(comparison.curve().cells() >= 7 * 100, comparison.curve()::toString);
  }
}
