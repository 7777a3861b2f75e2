package org.ecstore.bench.load;

import java.util.Map;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;

/** What some clients have done while it counted. Read when they have ended. */
final class Tally {
  /** Longer ones count as this long: ten minutes. */
  private static final long NANOS_MAX = 600_000_000_000L;

  private static final int DIGITS = 3;

  final Map<String, Histogram> latencies = new TreeMap<>();
  final Map<String, Long> errors = new TreeMap<>();
  final Histogram undone = histogram();
  long due;
  long ended;
  long records;
  long aborts;

  static Histogram histogram() {
    return new Histogram(NANOS_MAX, DIGITS);
  }

  /** What was done while it counted, whether its latency counts or not. */
  synchronized void ended(LoadOutcome outcome) {
    if (outcome.error().isEmpty()) {
      ended++;
      records += outcome.records();
    }
  }

  /** One that was to begin while it counted. */
  synchronized void due() {
    due++;
  }

  /** One that was not begun, after so long. */
  synchronized void undone(long nanos) {
    undone.recordValue(Math.clamp(nanos, 0, NANOS_MAX));
  }

  /** One that failed while it counted, or later, whenever it was due; nothing if it did not. */
  synchronized void failed(LoadOutcome outcome) {
    outcome.error().ifPresent(why -> errors.merge(outcome.kind() + ": " + why, 1L, Long::sum));
  }

  /** One whose latency counts. */
  synchronized void add(LoadOutcome outcome, long nanos) {
    aborts += outcome.aborts();
    if (outcome.error().isPresent()) {
      failed(outcome);
      return;
    }
    latencies
        .computeIfAbsent(outcome.kind(), absent -> histogram())
        .recordValue(Math.clamp(nanos, 0, NANOS_MAX));
  }

  void add(Tally other) {
    undone.add(other.undone);
    due += other.due;
    ended += other.ended;
    records += other.records;
    aborts += other.aborts;
    other.errors.forEach((error, count) -> errors.merge(error, count, Long::sum));
    other.latencies.forEach(
        (kind, all) -> latencies.computeIfAbsent(kind, absent -> histogram()).add(all));
  }

  Histogram all() {
    Histogram all = histogram();
    latencies.values().forEach(all::add);
    return all;
  }
}
