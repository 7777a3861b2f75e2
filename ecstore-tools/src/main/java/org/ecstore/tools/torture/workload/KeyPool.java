package org.ecstore.tools.torture.workload;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.LongFunction;
import org.ecstore.verify.history.MicroOp;

/**
 * The keys in use: a few at a time, each replaced by a new one when it was written often enough, so
 * that clients meet and lists stay short. Safe for use by several threads.
 */
final class KeyPool {
  private static final int ACTIVE = 24;
  private static final int STEPS_MAX = 4;

  private final int writesMax;
  private final long[] keys = new long[ACTIVE];
  private final int[] writes = new int[ACTIVE];
  private long next;
  private long lastValue;

  /** A step that writes a value never given before. */
  interface WritingStep {
    MicroOp of(long key, long value);
  }

  /**
   * Of new keys.
   *
   * @param writesMax after which a key is replaced
   */
  KeyPool(int writesMax) {
    this.writesMax = writesMax;
    for (int i = 0; i < ACTIVE; i++) {
      keys[i] = next++;
    }
  }

  /** A transaction of one to four steps, of which half write. */
  List<MicroOp> steps(SplittableRandom random, WritingStep write, LongFunction<MicroOp> read) {
    List<MicroOp> steps = new ArrayList<>();
    int count = 1 + random.nextInt(STEPS_MAX);
    for (int i = 0; i < count; i++) {
      steps.add(
          random.nextBoolean() ? write.of(keyToWrite(random), value()) : read.apply(key(random)));
    }
    return steps;
  }

  /** Some key, to read. */
  private synchronized long key(SplittableRandom random) {
    return keys[random.nextInt(keys.length)];
  }

  /** Some key, to write. */
  private synchronized long keyToWrite(SplittableRandom random) {
    int slot = random.nextInt(keys.length);
    long key = keys[slot];
    if (++writes[slot] == writesMax) {
      keys[slot] = next++;
      writes[slot] = 0;
    }
    return key;
  }

  /** A value never given before. */
  private synchronized long value() {
    return ++lastValue;
  }

  /** How many keys were ever in use: those from zero on. */
  synchronized long used() {
    return next;
  }
}
