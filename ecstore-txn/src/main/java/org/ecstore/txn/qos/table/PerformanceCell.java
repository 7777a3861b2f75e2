package org.ecstore.txn.qos.table;

import java.util.OptionalDouble;
import org.ecstore.model.objective.Statistic;

/**
 * What was measured with so many clients on so many servers. Paper: Cassandra QoS, Table I, which
 * has the first two; the others are of ecStore's own tables.
 *
 * @param millis the mean response time, in milliseconds
 * @param megabytesPerSecond throughput, in 10^6 bytes per second
 * @param millisSpread the standard deviation of {@code millis} between runs
 * @param megabytesSpread the same of throughput
 * @param p95Millis what 95 of 100 requests took at most
 * @param p99Millis what 99 of 100 took at most
 * @param runs how often it was measured; 0 if that is not known
 */
public record PerformanceCell(
    double millis,
    double megabytesPerSecond,
    OptionalDouble millisSpread,
    OptionalDouble megabytesSpread,
    OptionalDouble p95Millis,
    OptionalDouble p99Millis,
    int runs) {
  /** As Table I has it. */
  public PerformanceCell(double millis, double megabytesPerSecond) {
    this(
        millis,
        megabytesPerSecond,
        OptionalDouble.empty(),
        OptionalDouble.empty(),
        OptionalDouble.empty(),
        OptionalDouble.empty(),
        0);
  }

  /** The response time meant; empty if it was not measured. */
  public OptionalDouble millis(Statistic statistic) {
    return switch (statistic) {
      case MEAN -> OptionalDouble.of(millis);
      case P95 -> p95Millis;
      case P99 -> p99Millis;
    };
  }
}
