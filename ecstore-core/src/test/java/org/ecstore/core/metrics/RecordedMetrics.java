package org.ecstore.core.metrics;

import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Keeps what it is told: the sum of a counter, the last value of a gauge, how many values a
 * histogram has had. Safe for use by several threads.
 */
public final class RecordedMetrics implements Metrics {
  private final Map<MetricSeries, Long> values = new HashMap<>();

  @Override
  public synchronized Instrument of(MetricSeries series) {
    values.putIfAbsent(series, 0L);
    return value -> take(series, value);
  }

  private synchronized void take(MetricSeries series, long value) {
    switch (series.metric().kind()) {
      case COUNTER -> values.merge(series, value, Long::sum);
      case GAUGE -> values.put(series, value);
      case HISTOGRAM -> values.merge(series, 1L, Long::sum);
    }
    notifyAll();
  }

  /** What a series is at; 0 also if no code has asked for its instrument. */
  public synchronized long value(Metric metric, Enum<?>... tags) {
    List<String> tagValues = Arrays.stream(tags).map(MetricTag::value).toList();
    return values.getOrDefault(new MetricSeries(metric, tagValues), 0L);
  }

  /** Whether a series has an instrument. */
  public synchronized boolean isAskedFor(MetricSeries series) {
    return values.containsKey(series);
  }

  /** Waits until a series is at a value or above it; fails if that takes too long. */
  public synchronized void await(long least, Duration within, Metric metric, Enum<?>... tags)
      throws InterruptedException {
    long untilNanos = System.nanoTime() + within.toNanos();
    while (value(metric, tags) < least) {
      long millis = Duration.ofNanos(untilNanos - System.nanoTime()).toMillis();
      if (millis <= 0) {
        throw new AssertionError(metric.name() + " is " + value(metric, tags) + ", not " + least);
      }
      wait(millis);
    }
  }
}
