package org.ecstore.bench.control;

import java.time.Duration;

/**
 * A part of a run with one load.
 *
 * @param name of it: one word
 * @param lasts as long, the time in which nothing is counted too
 * @param rate operations that the shop's clients begin each second
 * @param floodClients of the reports, each of which waits for an answer before it asks again; 0 for
 *     none
 */
record QosPhase(String name, Duration lasts, double rate, int floodClients) {
  /** The first: what the first nodes do with ease. */
  static final String CALM = "calm";

  /** The second, of twice the rate. */
  static final String DOUBLED = "doubled";

  /** The second, with another application beside the shop. */
  static final String FLOODED = "flooded";

  /** The last: hardly any load is left. */
  static final String GONE = "gone";

  private static final double WARM_UP_MAX = 5;
  private static final double WARM_UP_PART = 0.1;
  private static final double MILLIS = 1e3;

  /** Seconds at its beginning in which clients run and nothing is counted. */
  double warmUpSeconds() {
    return Math.min(WARM_UP_MAX, seconds() * WARM_UP_PART);
  }

  double seconds() {
    return lasts.toMillis() / MILLIS;
  }
}
