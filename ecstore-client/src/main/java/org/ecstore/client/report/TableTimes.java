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
 * few milliseconds. Here each counts by the operations that its thread has done since the last
 * report: one scan of two seconds is not a half of what two threads had to wait.
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

  /** Operations of each average since the last report. */
  private final AtomicLongArray added = new AtomicLongArray(AVERAGES);

  /** What the last report had, in nanoseconds. */
  private volatile long last;

  /**
   * An operation is over.
   *
   * @param answered whether the store answered it; else it takes endlessly, however fast it failed
   */
  void add(boolean isRead, boolean answered, long nanos) {
    if (isRead) {
      reads.incrementAndGet();
    }
    if (answered) {
      average((int) (Thread.currentThread().getId() % AVERAGES), nanos);
      counts.incrementAndGet(LatencySketch.interval(nanos));
    } else {
      failures.incrementAndGet();
      counts.incrementAndGet(LatencySketch.INTERVALS - 1);
    }
  }

  private void average(int own, long nanos) {
    double before = Double.longBitsToDouble(averages.get(own));
    double now = before == 0 ? nanos : before + ServiceSample.ALPHA * (nanos - before);
    averages.set(own, Double.doubleToLongBits(now));
    added.incrementAndGet(own);
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

  /** Of the averages, by operations since the last report. */
  private long mean() {
    double sum = 0;
    long operations = 0;
    for (int own = 0; own < AVERAGES; own++) {
      long since = added.getAndSet(own, 0);
      sum += since * Double.longBitsToDouble(averages.get(own));
      operations += since;
    }
    // What was taken between its average and its count has no more to say than the report before.
    last = operations == 0 ? last : Math.round(sum / operations);
    return last;
  }
}
