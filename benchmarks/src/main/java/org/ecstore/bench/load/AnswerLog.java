package org.ecstore.bench.load;

import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;

/**
 * What clients had in each second since it began. Response times and failures are noted in the
 * second in which an operation was to begin, answers and pauses between them in the one in which
 * they came. What was to begin before it began is not noted. Safe for use by several threads.
 */
public final class AnswerLog {
  /** Each second takes some kilobytes: more of them are not to be noted. */
  public static final int SECONDS_MAX = 7_200;

  private static final long SECOND = 1_000_000_000L;
  private static final double SECONDS = 1e9;
  private static final long MICRO = 1_000;
  private static final double MILLI_MICROS = 1e3;

  /** Within a hundredth, so that a histogram of each second takes little. */
  private static final int DIGITS = 2;

  private static final double MEDIAN = 50;
  private static final double P99 = 99;

  /** Guarded by this. */
  private long begun;

  /** Guarded by this. */
  private final List<Slot> slots = new ArrayList<>();

  /** When the last answer came; guarded by this. */
  private long lastAnswer;

  /**
   * Begins.
   *
   * @param begun when, in nanoseconds
   */
  public AnswerLog(long begun) {
    this.begun = begun;
    this.lastAnswer = begun;
  }

  /** Forgets all, and begins anew at a time, in nanoseconds. */
  synchronized void begin(long at) {
    begun = at;
    lastAnswer = at;
    slots.clear();
  }

  /** A second. */
  private static final class Slot {
    private final Histogram micros = new Histogram(DIGITS);
    private long answers;
    private long failed;
    private long pauseNanos;
  }

  /**
   * What clients had in some seconds.
   *
   * @param seconds how many these are
   * @param due operations that were to begin
   * @param answers that came
   * @param meanMillis of what was to begin and was answered; 0 if nothing was
   * @param failed of what was to begin: not done, or not begun any more
   * @param longestPauseSeconds the longest time between two answers, of which the second came
   */
  public record Had(
      int seconds,
      long due,
      long answers,
      double meanMillis,
      double p50Millis,
      double p99Millis,
      long failed,
      double longestPauseSeconds) {
    /** Answers a second. */
    public double perSecond() {
      return seconds == 0 ? 0 : (double) answers / seconds;
    }
  }

  /** The same load, of which every operation is noted here. */
  public Load watched(Load load) {
    return (number, clients) -> new WatchedClient(load.client(number, clients));
  }

  /** As {@link #watched}, and it begins anew when the load's operations begin to count. */
  public Load counted(Load load) {
    return new Load() {
      @Override
      public Load.Client client(int number, int clients) throws Exception {
        return new WatchedClient(load.client(number, clients));
      }

      @Override
      public void counts(long fromNanos) {
        begin(fromNanos);
        load.counts(fromNanos);
      }
    };
  }

  private final class WatchedClient implements Load.Client {
    private final Load.Client client;

    WatchedClient(Load.Client client) {
      this.client = client;
    }

    @Override
    public LoadOutcome next() throws Exception {
      return client.next();
    }

    @Override
    public long restNanos() {
      return client.restNanos();
    }

    @Override
    public void ended(LoadOutcome outcome, long begin, long end) {
      if (outcome.error().isEmpty()) {
        answered(begin, end);
      } else {
        failed(begin);
      }
    }

    @Override
    public void leftOut(long begin) {
      failed(begin);
    }

    @Override
    public void close() {
      client.close();
    }
  }

  /** An operation that was to begin at a time was answered at another. */
  synchronized void answered(long begin, long end) {
    if (begin - begun < 0) {
      return;
    }
    slot(begin).micros.recordValue(Math.max(0, end - begin) / MICRO);
    Slot came = slot(end);
    came.answers++;
    came.pauseNanos = Math.max(came.pauseNanos, end - lastAnswer);
    // They are told in about the order in which they came.
    lastAnswer = Math.max(lastAnswer, end);
  }

  /** An operation that was to begin at a time was not done. */
  synchronized void failed(long begin) {
    if (begin - begun >= 0) {
      slot(begin).failed++;
    }
  }

  /** No more comes: what has passed since the last answer is a pause too. */
  public synchronized void close(long now) {
    Slot last = slot(now);
    last.pauseNanos = Math.max(last.pauseNanos, now - lastAnswer);
  }

  private Slot slot(long nanos) {
    int second = (int) Math.max(0, (nanos - begun) / SECOND);
    while (slots.size() <= second) {
      slots.add(new Slot());
    }
    return slots.get(second);
  }

  /** Seconds since it began. */
  public synchronized double seconds(long now) {
    return (now - begun) / SECONDS;
  }

  /** What clients had from one second, inclusive, to another, exclusive. */
  public synchronized Had had(int from, int to) {
    Histogram micros = new Histogram(DIGITS);
    long answers = 0;
    long failed = 0;
    long pauseNanos = 0;
    for (int second = from; second < Math.min(to, slots.size()); second++) {
      Slot slot = slots.get(second);
      micros.add(slot.micros);
      answers += slot.answers;
      failed += slot.failed;
      pauseNanos = Math.max(pauseNanos, slot.pauseNanos);
    }
    return new Had(
        Math.max(0, to - from),
        micros.getTotalCount() + failed,
        answers,
        micros.getTotalCount() == 0 ? 0 : micros.getMean() / MILLI_MICROS,
        micros.getValueAtPercentile(MEDIAN) / MILLI_MICROS,
        micros.getValueAtPercentile(P99) / MILLI_MICROS,
        failed,
        pauseNanos / SECONDS);
  }

  /** Seconds of which something is known. */
  public synchronized int length() {
    return slots.size();
  }
}
