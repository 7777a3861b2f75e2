package org.ecstore.txn.qos.predict;

import org.ecstore.txn.qos.table.GridPoint;
import org.ecstore.txn.qos.table.PerformanceCell;

/** A cell, and what both ways predict for it from the cells that were left. */
record HeldOutCell(
    GridPoint point,
    double measuredMillis,
    PerformanceCell measured,
    Prediction interpolated,
    Prediction fitted) {
  double millisError(Prediction prediction) {
    return Math.abs(prediction.millis() / measuredMillis - 1);
  }

  double megabytesError(Prediction prediction) {
    return Math.abs(prediction.megabytesPerSecond() / measured.megabytesPerSecond() - 1);
  }
}
