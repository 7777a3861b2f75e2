package org.ecstore.txn.qos.predict;

import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import org.ecstore.txn.qos.table.GridPoint;

/**
 * The response time of a closed network: {@code r(n, s) = fixed + demand * s^-gain * (n + s - 1) /
 * s}. Of {@code n} clients that ask without a pause, each of {@code s} equal servers has on average
 * {@code (n - 1) / s} others waiting as a request comes, so that it takes {@code demand * (1 + (n -
 * 1) / s)}: the mean value analysis of balanced queues, exact for service times that are
 * exponential. {@code fixed} is what does not queue, as the network. {@code gain} is by how much a
 * server has less to do for a request as there are more of them, through more cache, or more to do
 * where it is negative.
 *
 * <p>Fitted by the least squares of relative errors: for a gain the other two follow from linear
 * equations, and the gain is the best of a grid.
 *
 * @param fixed milliseconds, not below 0
 * @param demand milliseconds
 */
record ResponseCurve(double fixed, double demand, double gain) {
  private static final int GAIN_STEPS = 150;
  private static final double GAIN_STEP = 0.01;

  /** With fewer cells there would be nothing to fit. */
  private static final int CELLS_MIN = 4;

  private record Fit(ResponseCurve curve, double error) {}

  /** The curve nearest to response times above 0; absent where they are too few for one. */
  static Optional<ResponseCurve> fit(Map<GridPoint, Double> millis) {
    long rows = millis.keySet().stream().map(GridPoint::clients).distinct().count();
    if (millis.size() < CELLS_MIN || rows < 2) {
      return Optional.empty();
    }
    int count = millis.size();
    double[] measured = new double[count];
    double[] customers = new double[count];
    int[] columns = new int[count];
    int[] servers =
        millis.keySet().stream().mapToInt(GridPoint::servers).distinct().sorted().toArray();
    int at = 0;
    for (Map.Entry<GridPoint, Double> each : millis.entrySet()) {
      measured[at] = each.getValue();
      customers[at] = customers(each.getKey());
      columns[at] = Arrays.binarySearch(servers, each.getKey().servers());
      at++;
    }
    Optional<Fit> best = Optional.empty();
    // From the middle outwards, so that a gain that makes no difference is none.
    for (int step = 0; step <= GAIN_STEPS; step++) {
      for (int sign = 1; sign >= -1; sign -= 2) {
        double gain = sign * step * GAIN_STEP;
        Optional<Fit> fit = fit(measured, queues(customers, columns, powers(servers, gain)), gain);
        if (fit.isPresent() && (best.isEmpty() || fit.get().error < best.get().error)) {
          best = fit;
        }
      }
    }
    return best.map(Fit::curve);
  }

  /** Of each number of servers that there is. */
  private static double[] powers(int[] servers, double gain) {
    return Arrays.stream(servers).mapToDouble(each -> Math.pow(each, -gain)).toArray();
  }

  /** By which a demand of 1 is multiplied in each cell. */
  private static double[] queues(double[] customers, int[] columns, double[] powers) {
    double[] queues = new double[customers.length];
    for (int i = 0; i < queues.length; i++) {
      queues[i] = customers[i] * powers[columns[i]];
    }
    return queues;
  }

  private static Optional<Fit> fit(double[] measured, double[] queues, double gain) {
    double xx = 0;
    double xy = 0;
    double yy = 0;
    double x1 = 0;
    double y1 = 0;
    for (int i = 0; i < measured.length; i++) {
      double x = 1 / measured[i];
      double y = queues[i] / measured[i];
      xx += x * x;
      xy += x * y;
      yy += y * y;
      x1 += x;
      y1 += y;
    }
    double determinant = xx * yy - xy * xy;
    double fixed = (x1 * yy - y1 * xy) / determinant;
    double demand = (xx * y1 - xy * x1) / determinant;
    if (!(fixed >= 0)) {
      fixed = 0;
      demand = y1 / yy;
    }
    if (!(demand > 0) || !Double.isFinite(demand)) {
      return Optional.empty();
    }
    double error = 0;
    for (int i = 0; i < measured.length; i++) {
      double off = (fixed + demand * queues[i]) / measured[i] - 1;
      error += off * off;
    }
    return Optional.of(new Fit(new ResponseCurve(fixed, demand, gain), error));
  }

  private static double customers(GridPoint point) {
    return (double) (point.clients() + point.servers() - 1) / point.servers();
  }

  /** The response time there, in milliseconds. */
  double at(GridPoint point) {
    return fixed + demand * Math.pow(point.servers(), -gain) * customers(point);
  }
}
