package org.ecstore.client.report;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import org.ecstore.model.objective.LatencySketch;
import org.ecstore.model.objective.ServiceSample;

/** The response times of one table's operations since the last report. Thread-safe. */
final class TableTimes {
  private final AtomicLongArray counts = new AtomicLongArray(LatencySketch.INTERVALS);
  private final AtomicLong reads = new AtomicLong();
  private final AtomicLong failures = new AtomicLong();

  /** Of two threads that add at the same moment one may be left out of it: it is an average. */
  private volatile double mean;

  void add(boolean isRead, boolean failed, long nanos) {
    double before = mean;
    mean = before == 0 ? nanos : before + ServiceSample.ALPHA * (nanos - before);
    if (isRead) {
      reads.incrementAndGet();
    }
    if (failed) {
      failures.incrementAndGet();
    }
    counts.incrementAndGet(LatencySketch.interval(nanos));
  }

  /** What was added since the last time; the average goes on. */
  ServiceSample take(String table) {
    long[] taken = new long[LatencySketch.INTERVALS];
    for (int i = 0; i < taken.length; i++) {
      taken[i] = counts.getAndSet(i, 0);
    }
    return new ServiceSample(
        table,
        reads.getAndSet(0),
        failures.getAndSet(0),
        Math.round(mean),
        LatencySketch.of(taken));
  }
}
