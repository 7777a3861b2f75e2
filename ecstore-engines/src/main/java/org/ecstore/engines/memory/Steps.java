package org.ecstore.engines.memory;

import java.util.random.RandomGenerator;

/**
 * Which calls of a {@link MemoryEngine} go in steps, how long the steps are, and how long the
 * pauses between them, in which other calls go on: drawn from a generator of its own.
 */
public final class Steps {
  private static final int LENGTH_MAX = 3;

  private final RandomGenerator random;
  private final double share;
  private final Completions pauses;

  /**
   * Steps of some calls.
   *
   * @param share of the calls that go in steps, from 0 to 1
   * @param pauses runs each next step, after a pause
   */
  public Steps(RandomGenerator random, double share, Completions pauses) {
    this.random = random;
    this.share = share;
    this.pauses = pauses;
  }

  /** Whether the next call goes in steps. */
  boolean next() {
    return share > 0 && random.nextDouble() < share;
  }

  /** How many keys or rows the next step looks at. */
  int length() {
    return 1 + random.nextInt(LENGTH_MAX);
  }

  /** How many of so many things the next step does, at least one. */
  int of(int count) {
    return 1 + random.nextInt(count);
  }

  /** Runs the next step after a pause. */
  void afterPause(Runnable step) {
    pauses.later(step);
  }

  /** The generator, for what else is left to chance within a step. */
  RandomGenerator random() {
    return random;
  }
}
