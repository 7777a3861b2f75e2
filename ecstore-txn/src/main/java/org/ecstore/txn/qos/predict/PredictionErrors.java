package org.ecstore.txn.qos.predict;

import java.util.List;
import org.ecstore.check.Check;

/**
 * How far predictions were off on cells that were held out, as shares of what was measured there.
 *
 * @param cells how many cells
 * @param mean of all
 * @param median of all
 * @param most what nine of ten were off at most
 * @param largest the largest
 */
public record PredictionErrors(int cells, double mean, double median, double most, double largest) {
  private static final double MOST = 0.9;

  static PredictionErrors of(List<Double> shares) {
    Check.that(!shares.isEmpty(), "errors of some cells");
    List<Double> sorted = shares.stream().sorted().toList();
    int count = sorted.size();
    double median = (sorted.get((count - 1) / 2) + sorted.get(count / 2)) / 2;
    int rank = (int) Math.ceil(MOST * count);
    double mean = sorted.stream().mapToDouble(Double::doubleValue).average().orElse(0);
    return new PredictionErrors(count, mean, median, sorted.get(rank - 1), sorted.getLast());
  }
}
