package org.ecstore.txn.qos.predict;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import org.ecstore.model.objective.Statistic;
import org.ecstore.txn.qos.predict.Prediction.Basis;
import org.ecstore.txn.qos.table.GridPoint;
import org.ecstore.txn.qos.table.PaperTables;
import org.ecstore.txn.qos.table.PerformanceTable;
import org.ecstore.txn.qos.table.TableReader;
import org.junit.jupiter.api.Test;

/** Paper: Cassandra QoS, Table VI. */
class InterpolationPaperTest {
  private static Interpolation of(PerformanceTable table) {
    return new Interpolation(table.cells(), Statistic.MEAN);
  }

  /** The paper cuts what is behind the second digit: 46.655 is 46.65 there. */
  @Test
  void theRowOf384ClientsIsTableSix() {
    double[] millis = {75.87, 57.03, 46.65, 38.22, 33.20, 26.3};
    double[] megabytes = {5.34, 6.73, 8.25, 9.72, 11.00, 11.67};
    Interpolation interpolation = of(PaperTables.table(2));
    for (int servers = 2; servers <= 7; servers++) {
      Prediction prediction = interpolation.at(new GridPoint(384, servers)).orElseThrow();
      assertEquals(millis[servers - 2], prediction.millis(), 0.01, "servers " + servers);
      assertEquals(
          megabytes[servers - 2], prediction.megabytesPerSecond(), 0.01, "servers " + servers);
      assertEquals(Basis.INTERPOLATED, prediction.basis());
      assertEquals(
          List.of(new GridPoint(256, servers), new GridPoint(512, servers)), prediction.cells());
    }
  }

  @Test
  void aNearerRowWeighsMore() {
    Interpolation interpolation = of(PaperTables.table(2));
    double at = interpolation.at(new GridPoint(320, 5)).orElseThrow().millis();
    assertEquals(25 * 0.75 + 51.45 * 0.25, at, 1e-9);
  }

  @Test
  void whatWasMeasuredIsNotChanged() {
    Interpolation interpolation = of(PaperTables.table(4));
    PaperTables.table(4)
        .cells()
        .forEach(
            (point, cell) -> {
              Prediction prediction = interpolation.at(point).orElseThrow();
              assertEquals(cell.millis(), prediction.millis());
              assertEquals(Basis.MEASURED, prediction.basis());
            });
  }

  @Test
  void aColumnThatWasNotMeasuredIsBetweenItsNeighbours() {
    Interpolation interpolation =
        of(TableReader.read("8,2,20,5\n8,4,10,9\n16,2,40,5\n16,4,20,9\n"));
    Prediction prediction = interpolation.at(new GridPoint(12, 3)).orElseThrow();
    assertEquals(22.5, prediction.millis(), 1e-9);
    assertEquals(7, prediction.megabytesPerSecond(), 1e-9);
    assertEquals(4, prediction.cells().size());
  }

  @Test
  void beyondTheTableThereIsNoPrediction() {
    Interpolation interpolation = of(PaperTables.table(2));
    for (GridPoint point :
        List.of(
            new GridPoint(127, 3),
            new GridPoint(513, 3),
            new GridPoint(256, 1),
            new GridPoint(256, 8))) {
      assertEquals(Optional.empty(), interpolation.at(point), point::toString);
    }
    assertTrue(interpolation.at(new GridPoint(128, 2)).isPresent());
  }
}
