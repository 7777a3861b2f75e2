package org.ecstore.model.objective;

import java.time.Duration;
import java.time.temporal.ChronoUnit;

/**
 * What the operations of an application took in some time, as its clients measured it. Response
 * times are of the operations that had an answer, and 0 if none had; a percentile that is promised
 * counts those that had none, and are owed, as endless, as long as these are no more than it leaves
 * out.
 *
 * @param agoMillis how long ago that time ended
 * @param spanMillis how long it was, 1 at least: as long as the reports are about which came in it
 * @param operations that were asked for, those without an answer too
 * @param reads of the operations, that only read
 * @param failures of the operations, that had no answer
 * @param meanMicros the mean of the clients' moving averages
 */
public record ServiceFigures(
    long agoMillis,
    long spanMillis,
    long operations,
    long reads,
    long failures,
    long meanMicros,
    long p95Micros,
    long p99Micros) {
  private static final double MILLIS = 1_000;

  public ServiceFigures {
    spanMillis = Math.max(1, spanMillis);
  }

  /** The same with other percentiles. */
  public ServiceFigures withPercentiles(long p95, long p99) {
    return new ServiceFigures(
        agoMillis, spanMillis, operations, reads, failures, meanMicros, p95, p99);
  }

  /** Operations a second. */
  public double perSecond() {
    return operations * MILLIS / spanMillis;
  }

  /** How many of the operations had an answer. */
  public long answers() {
    return Math.max(0, operations - failures);
  }

  /** How many operations so many a second are in that time. */
  double operationsAt(long perSecond) {
    return perSecond * (spanMillis / MILLIS);
  }

  /** A statistic of the response times. */
  public Duration time(Statistic statistic) {
    return Duration.of(micros(statistic), ChronoUnit.MICROS);
  }

  /** A statistic of the response times in microseconds. */
  public long micros(Statistic statistic) {
    return switch (statistic) {
      case MEAN -> meanMicros;
      case P95 -> p95Micros;
      case P99 -> p99Micros;
    };
  }
}
