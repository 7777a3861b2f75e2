package org.ecstore.tools.torture;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;
import org.ecstore.client.copies.AnsweredBy;
import org.ecstore.model.CopyRole;

/** Counts and times what clients got. Safe for use by several threads. */
final class TortureTally {
  private static final long MICROS_MAX = TimeUnit.MINUTES.toMicros(10);
  private static final int MISBEHAVIOURS_MAX = 20;

  private final LongAdder ok = new LongAdder();
  private final LongAdder fail = new LongAdder();
  private final LongAdder info = new LongAdder();
  private final Map<String, AtomicLong> errors = new ConcurrentSkipListMap<>();
  private final Map<CopyRole, AtomicLong> answered = new ConcurrentSkipListMap<>();
  private final Histogram micros = new ConcurrentHistogram(MICROS_MAX, 3);
  private final Queue<String> misbehaviours = new ConcurrentLinkedQueue<>();

  void ok(long invokedNanos, long completedNanos) {
    ok.increment();
    long took = TimeUnit.NANOSECONDS.toMicros(completedNanos - invokedNanos);
    micros.recordValue(Math.min(MICROS_MAX, took));
  }

  void fail(String error) {
    fail.increment();
    count(error);
  }

  void info(String error) {
    info.increment();
    count(error);
  }

  private void count(String error) {
    errors.computeIfAbsent(error, _ -> new AtomicLong()).incrementAndGet();
  }

  /** Which kind of copy answered the last read of a snapshot. */
  void answered(AnsweredBy by) {
    answered.computeIfAbsent(by.role(), _ -> new AtomicLong()).incrementAndGet();
  }

  /** How many snapshots' reads which kind of copy answered. */
  Map<CopyRole, Long> answered() {
    Map<CopyRole, Long> counts = new EnumMap<>(CopyRole.class);
    answered.forEach((role, count) -> counts.put(role, count.get()));
    return counts;
  }

  /** A client got what no client should, whatever happens to nodes. */
  void misbehaviour(String text) {
    if (misbehaviours.size() < MISBEHAVIOURS_MAX) {
      misbehaviours.add(text);
    }
  }

  long okCount() {
    return ok.sum();
  }

  long failCount() {
    return fail.sum();
  }

  long infoCount() {
    return info.sum();
  }

  /** Why transactions did not commit, and how many. */
  Map<String, Long> errors() {
    Map<String, Long> counts = new TreeMap<>();
    errors.forEach((error, count) -> counts.put(error, count.get()));
    return counts;
  }

  /** How long those that committed took, in microseconds. */
  Histogram micros() {
    return micros.copy();
  }

  List<String> misbehaviours() {
    return List.copyOf(misbehaviours);
  }
}
