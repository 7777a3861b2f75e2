package org.ecstore.txn.qos.predict;

import java.util.List;
import java.util.OptionalDouble;
import org.ecstore.txn.qos.table.GridPoint;

/**
 * What a cluster is expected to do.
 *
 * @param millis the response time, in milliseconds
 * @param megabytesPerSecond throughput, in 10^6 bytes per second
 * @param basis where they come from
 * @param cells the cells that decided; empty where all did
 * @param millisError by which share of it the response time may be off, either way; empty if that
 *     is not known
 * @param megabytesError the same of throughput
 */
public record Prediction(
    double millis,
    double megabytesPerSecond,
    Basis basis,
    List<GridPoint> cells,
    OptionalDouble millisError,
    OptionalDouble megabytesError) {
  /** Where a prediction comes from. */
  public enum Basis {
    /** It was measured so. */
    MEASURED,
    /** The weighted average of measured neighbours. */
    INTERPOLATED,
    /** The curve that was fitted to all cells. */
    FITTED
  }

  Prediction(double millis, double megabytesPerSecond, Basis basis, List<GridPoint> cells) {
    this(
        millis,
        megabytesPerSecond,
        basis,
        List.copyOf(cells),
        OptionalDouble.empty(),
        OptionalDouble.empty());
  }

  Prediction within(double millisShare, double megabytesShare) {
    return new Prediction(
        millis,
        megabytesPerSecond,
        basis,
        cells,
        OptionalDouble.of(millisShare),
        OptionalDouble.of(megabytesShare));
  }

  /** The upper end of the interval; the prediction itself if that is not known. */
  public double millisAtMost() {
    return millis * (1 + millisError.orElse(0));
  }
}
