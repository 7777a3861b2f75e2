package org.ecstore.client.retry;

import org.ecstore.client.error.OverloadedException;

/**
 * How often in a row nodes said that they are overloaded, and what that means for the next try:
 * pauses longer than those after other failures, and an end after a few, so that what nodes cannot
 * do is not asked of them over and over (docs/decisions/0027). One instance serves one request. Not
 * safe for use by several threads.
 */
public final class Overloads {
  private static final int TRIES_MAX = 6;
  private static final Backoff PAUSES = new Backoff(100_000_000L, 2_000_000_000L);

  /** No node is believed that asks for more patience. */
  private static final long AGAIN_NANOS_MAX = 2_000_000_000L;

  private int times;
  private long againNanos;
  private boolean heard;
  private String last = "";

  /** A node said so; however many do within one try, it counts once. */
  public void heard(String detail) {
    heard(detail, 0);
  }

  /** The same, when the node said too when another try is worth it. */
  public void heard(String detail, int afterMillis) {
    againNanos = heard ? Math.max(againNanos, nanos(afterMillis)) : nanos(afterMillis);
    heard = true;
    last = detail;
  }

  private static long nanos(int millis) {
    return Math.min(AGAIN_NANOS_MAX, millis * 1_000_000L);
  }

  /** A try is over that was not enough. Returns whether a node said so, which else begins anew. */
  public boolean tried() {
    boolean overloaded = heard;
    heard = false;
    times = overloaded ? times + 1 : 0;
    return overloaded;
  }

  /** Some of what is asked for has come: what is not yet is asked for as if for the first time. */
  public void progressed() {
    times = 0;
  }

  /** Whether enough was asked of them. */
  public boolean isEnough() {
    return times >= TRIES_MAX;
  }

  /**
   * The pause before the next try after one in which a node said so, in nanoseconds.
   *
   * @param random uniform in [0, 1)
   */
  public long delayNanos(double random) {
    return Math.max(againNanos, PAUSES.delayNanos(times, random));
  }

  /**
   * What the application is told.
   *
   * @param purpose what could not be done: "the commit was not taken"
   */
  public OverloadedException exception(String purpose) {
    return new OverloadedException(
        purpose + ": the store is overloaded; do less at a time, or try later",
        null,
        "node",
        last,
        "tries",
        times);
  }
}
