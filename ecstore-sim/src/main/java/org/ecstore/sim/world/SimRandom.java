package org.ecstore.sim.world;

import java.util.List;
import java.util.random.RandomGenerator;

/**
 * The simulator's only source of chance: SplitMix64, written out so that a seed means the same on
 * every JDK. Each subsystem forks its own by name, so that one more draw in one of them does not
 * change the others. Paper: Steele, Lea, Flood, "Fast splittable pseudorandom number generators".
 */
public final class SimRandom implements RandomGenerator {
  private static final long GAMMA = 0x9e3779b97f4a7c15L;
  private static final long NANOS_PER_MICRO = 1_000L;
  private static final long NANOS_PER_MILLI = 1_000_000L;

  private long state;

  public SimRandom(long seed) {
    this.state = mix(seed + GAMMA);
  }

  /** A generator of its own for a subsystem: the same for the same seed and name. */
  public SimRandom fork(String name) {
    long hash = 0xcbf29ce484222325L;
    for (int i = 0; i < name.length(); i++) {
      hash = (hash ^ name.charAt(i)) * 0x100000001b3L;
    }
    return new SimRandom(state ^ mix(hash));
  }

  public static long mix(long z) {
    long a = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
    long b = (a ^ (a >>> 27)) * 0x94d049bb133111ebL;
    return b ^ (b >>> 31);
  }

  @Override
  public long nextLong() {
    state += GAMMA;
    return mix(state);
  }

  /** Whether something of a probability happens. */
  public boolean chance(double probability) {
    return probability > 0 && (nextLong() >>> 11) * 0x1.0p-53 < probability;
  }

  /** A number from low to high, both inclusive. */
  public long between(long low, long high) {
    return high <= low ? low : low + Math.floorMod(nextLong(), high - low + 1);
  }

  /** An int from low to high, both inclusive. */
  public int between(int low, int high) {
    return (int) between((long) low, (long) high);
  }

  /** Mostly small numbers up to a maximum: each size of number is about equally likely. */
  public long skewed(long low, long high) {
    if (high <= low) {
      return low;
    }
    int bits = 64 - Long.numberOfLeadingZeros(high - low);
    return low + Math.min(high - low, between(0L, (1L << between(0, bits)) - 1));
  }

  /**
   * A span of time in nanoseconds, mostly a short one: each size of number is about equally likely,
   * counted in milliseconds, or in microseconds where the least is below a millisecond. Counted in
   * nanoseconds nearly all sizes would be next to the least.
   */
  public long skewedNanos(long low, long high) {
    if (high <= low) {
      return low;
    }
    long unit = low < NANOS_PER_MILLI ? NANOS_PER_MICRO : NANOS_PER_MILLI;
    long whole = low + unit * skewed(0, (high - low) / unit);
    return Math.min(high, whole + between(0, unit - 1));
  }

  /** One of a list. */
  public <T> T pick(List<T> values) {
    return values.get(between(0, values.size() - 1));
  }
}
