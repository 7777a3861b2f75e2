package org.ecstore.bench.load;

import java.time.Duration;

/**
 * How many clients there are, how fast they go, and for how long.
 *
 * @param clients threads, each with one operation at a time
 * @param rate operations per second that are to begin, evenly, whether earlier ones are done or
 *     not; 0 for a closed loop, in which each client begins the next when one is done
 * @param warmUp before anything counts
 * @param measured after it
 */
public record Pace(int clients, double rate, Duration warmUp, Duration measured) {
  public Pace {
    if (clients < 1 || rate < 0 || warmUp.isNegative() || measured.toNanos() <= 0) {
      throw new IllegalArgumentException(
          "a pace of %d clients, %s per second, %s and %s"
              .formatted(clients, rate, warmUp, measured));
    }
  }

  /** Whether operations begin at their time, and not when a client is free. */
  public boolean isOpen() {
    return rate > 0;
  }
}
