package org.ecstore.client;

import java.security.SecureRandom;
import java.util.UUID;
import java.util.function.LongSupplier;

/**
 * Ids that need no store: UUIDs of version 7, which begin with the time, so that records with such
 * keys lie together as they came. Those of one process ascend; of two they do as far as the clocks
 * of their machines agree, to the millisecond.
 *
 * <p>Source: RFC 9562, sections 5.7 and 6.2 (method 1: a counter of 12 bits within a millisecond).
 */
public final class TimeOrderedIds {
  private static final TimeOrderedIds OF_THIS_PROCESS =
      new TimeOrderedIds(System::currentTimeMillis);

  private static final int COUNTER_BITS = 12;
  private static final int COUNTER_MAX = (1 << COUNTER_BITS) - 1;

  /** A counter begins in the lower half: there is room to count on within the millisecond. */
  private static final int COUNTER_FIRST_MAX = COUNTER_MAX / 2;

  private static final long VERSION_7 = 7L << COUNTER_BITS;
  private static final long VARIANT = 1L << 63;
  private static final long RANDOM_MASK = (1L << 62) - 1;

  private final LongSupplier clock;
  private final SecureRandom random = new SecureRandom();

  /** Guarded by this. */
  private long millis;

  /** Guarded by this. */
  private int counter;

  TimeOrderedIds(LongSupplier clock) {
    this.clock = clock;
  }

  /** An id that comes after all that this process made before, also if the clock was put back. */
  public static UUID next() {
    return OF_THIS_PROCESS.made();
  }

  UUID made() {
    long low = VARIANT | (random.nextLong() & RANDOM_MASK);
    int first = random.nextInt(COUNTER_FIRST_MAX + 1);
    long high;
    synchronized (this) {
      long now = clock.getAsLong();
      if (now > millis) {
        millis = now;
        counter = first;
      } else if (counter < COUNTER_MAX) {
        counter++;
      } else {
        millis++;
        counter = first;
      }
      high = millis << 16 | VERSION_7 | counter;
    }
    return new UUID(high, low);
  }
}
