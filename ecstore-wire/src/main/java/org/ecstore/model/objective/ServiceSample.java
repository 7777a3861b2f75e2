package org.ecstore.model.objective;

/**
 * What clients had of a cluster in some time.
 *
 * @param table whose records it was about; empty for operations of no table, or of any
 * @param reads operations that only read, of those that the sketch has
 * @param failures operations that had no answer, of those that the sketch has
 * @param meanNanos the mean of the threads' moving averages of response times, by weights that fall
 *     by an eighth with each later one (Cassandra QoS, §IV: alpha = 0.125)
 * @param times the response times; of an operation without an answer it is endless, and in the last
 *     interval. Clients of earlier releases have it where it came to an end.
 */
public record ServiceSample(
    String table, long reads, long failures, long meanNanos, LatencySketch times) {
  /** How much of a moving average the latest response time makes. Paper: Cassandra QoS, §IV. */
  public static final double ALPHA = 0.125;

  /** More than a client does from one report to the next. */
  private static final long OPERATIONS_MAX = 1_000_000_000L;

  private static final long MEAN_NANOS_MAX = 3_600_000_000_000L;

  /** How many operations there were, those without an answer too. */
  public long operations() {
    return times.count();
  }

  /** How many of them had an answer. */
  public long answers() {
    return Math.max(0, operations() - failures);
  }

  /** The response times of those that had one. */
  public LatencySketch answerTimes() {
    return times.lessOfLast(failures);
  }

  /** The same as of another table, or of none. */
  public ServiceSample ofTable(String otherTable) {
    return new ServiceSample(otherTable, reads, failures, meanNanos, times);
  }

  /** Whether a client can have done so much from one report to the next. */
  public boolean isCredible() {
    return operations() <= OPERATIONS_MAX;
  }

  /** The same with no more reads and failures than operations, and a mean of an hour at most. */
  public ServiceSample bounded() {
    long most = operations();
    return new ServiceSample(
        table,
        Math.min(reads, most),
        Math.min(failures, most),
        Math.min(meanNanos, MEAN_NANOS_MAX),
        times);
  }

  /**
   * This one and another of the same table, both bounded: averages count by the answers that they
   * are of.
   */
  public ServiceSample plus(ServiceSample other) {
    long all = answers() + other.answers();
    double mean =
        all == 0
            ? 0
            : ((double) meanNanos * answers() + (double) other.meanNanos * other.answers()) / all;
    return new ServiceSample(
            table,
            reads + other.reads,
            failures + other.failures,
            Math.round(mean),
            times.plus(other.times))
        .bounded();
  }
}
