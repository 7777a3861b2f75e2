package org.ecstore.tools.torture.workload;

import java.util.SplittableRandom;

/**
 * The keys in use: a few at a time, each replaced by a new one when it was written often enough, so
 * that clients meet and lists stay short. Safe for use by several threads.
 */
final class KeyPool {
  private final int writesMax;
  private final long[] keys;
  private final int[] writes;
  private long next;
  private long lastValue;

  KeyPool(int active, int writesMax) {
    this.writesMax = writesMax;
    this.keys = new long[active];
    this.writes = new int[active];
    for (int i = 0; i < active; i++) {
      keys[i] = next++;
    }
  }

  /** Some key, to read. */
  synchronized long key(SplittableRandom random) {
    return keys[random.nextInt(keys.length)];
  }

  /** Some key, to write. */
  synchronized long keyToWrite(SplittableRandom random) {
    int slot = random.nextInt(keys.length);
    long key = keys[slot];
    if (++writes[slot] == writesMax) {
      keys[slot] = next++;
      writes[slot] = 0;
    }
    return key;
  }

  /** A value never given before. */
  synchronized long value() {
    return ++lastValue;
  }

  /** How many keys were ever in use: those from zero on. */
  synchronized long used() {
    return next;
  }
}
