package org.ecstore.client.report;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import org.ecstore.model.objective.LatencySketch;
import org.ecstore.model.objective.ServiceSample;

/**
 * The response times of one table's operations since the last report. Thread-safe.
 *
 * <p>Threads have moving averages of their own, of which a report has the mean. Paper: Cassandra
 * QoS, §IV. One for all of them would be of the latest eight operations of the whole process: of a
 * few milliseconds.
 */
final class TableTimes {
  /** Of more threads some share an average. As many as a long has bits. */
  private static final int AVERAGES = Long.SIZE;

  private final AtomicLongArray counts = new AtomicLongArray(LatencySketch.INTERVALS);
  private final AtomicLong reads = new AtomicLong();
  private final AtomicLong failures = new AtomicLong();

  /**
   * Nanoseconds, as bits of doubles; 0 of none yet. Of two threads of one average that add at the
   * same moment one may be left out of it: it is an average.
   */
  private final AtomicLongArray averages = new AtomicLongArray(AVERAGES);

  /** A bit for each average that was added to since the last report. */
  private final AtomicLong added = new AtomicLong();

  void add(boolean isRead, boolean failed, long nanos) {
    average((int) (Thread.currentThread().getId() % AVERAGES), nanos);
    if (isRead) {
      reads.incrementAndGet();
    }
    if (failed) {
      failures.incrementAndGet();
    }
    counts.incrementAndGet(LatencySketch.interval(nanos));
  }

  private void average(int own, long nanos) {
    double before = Double.longBitsToDouble(averages.get(own));
    double now = before == 0 ? nanos : before + ServiceSample.ALPHA * (nanos - before);
    averages.set(own, Double.doubleToLongBits(now));
    long bit = 1L << own;
    if ((added.get() & bit) == 0) {
      added.accumulateAndGet(bit, (all, one) -> all | one);
    }
  }

  /** What was added since the last time; the averages go on. */
  ServiceSample take(String table) {
    long[] taken = new long[LatencySketch.INTERVALS];
    for (int i = 0; i < taken.length; i++) {
      taken[i] = counts.getAndSet(i, 0);
    }
    return new ServiceSample(
        table, reads.getAndSet(0), failures.getAndSet(0), mean(), LatencySketch.of(taken));
  }

  /** Of the averages of threads that added something. */
  private long mean() {
    long since = added.getAndSet(0);
    double sum = 0;
    int threads = 0;
    for (int own = 0; own < AVERAGES; own++) {
      long bits = averages.get(own);
      // What was taken between its average and its count is of none that is known to have added.
      if (since == 0 ? bits != 0 : (since >>> own & 1) == 1) {
        sum += Double.longBitsToDouble(bits);
        threads++;
      }
    }
    return Math.round(sum / Math.max(1, threads));
  }
}
