package org.ecstore.model.objective;

/**
 * What clients had of a cluster in some time.
 *
 * @param table whose records it was about; empty for operations of no table, or of any
 * @param reads operations that only read, of those that the sketch has
 * @param failures operations that failed, of those that the sketch has
 * @param meanNanos the mean of the threads' moving averages of response times, by weights that fall
 *     by an eighth with each later one (Cassandra QoS, §IV: alpha = 0.125)
 * @param times the response times, of operations that failed too
 */
public record ServiceSample(
    String table, long reads, long failures, long meanNanos, LatencySketch times) {
  /** How much of a moving average the latest response time makes. Paper: Cassandra QoS, §IV. */
  public static final double ALPHA = 0.125;

  /** How many operations there were. */
  public long operations() {
    return times.count();
  }

  /** This one and another of the same table: averages count by their operations. */
  public ServiceSample plus(ServiceSample other) {
    long all = operations() + other.operations();
    double mean =
        all == 0
            ? 0
            : ((double) meanNanos * operations() + (double) other.meanNanos * other.operations())
                / all;
    return new ServiceSample(
        table,
        reads + other.reads,
        failures + other.failures,
        Math.round(mean),
        times.plus(other.times));
  }
}
