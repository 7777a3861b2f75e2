package org.ecstore.sim;

import java.util.OptionalLong;
import org.ecstore.sim.world.SimRandom;
import org.ecstore.sim.world.SwarmSettings;
import org.ecstore.sim.world.World;

/**
 * Draws which crashes outlast what the cluster waits for a node: its copies are made anew on
 * others, and it comes back with its old disk. One node at a time, lest a run be mostly downtime.
 * It lives in some of the seeds, with a stream of its own.
 */
final class LongOutages {
  private static final double SHARE_OF_SEEDS = 0.6;

  private final World world;
  private final SimRandom random;
  private final long longFailureNanos;
  private final double share;
  private long untilNanos;

  /**
   * Those of a run.
   *
   * @param longFailureNanos after which copies of a node that is gone are made anew
   */
  LongOutages(World world, SwarmSettings settings, long longFailureNanos) {
    this.world = world;
    this.random = world.random("long outages");
    this.longFailureNanos = longFailureNanos;
    int percent = random.between(10, 30);
    boolean lives = random.chance(SHARE_OF_SEEDS) && settings.nodes() + settings.newcomers() > 1;
    this.share = lives ? percent / 100.0 : 0;
  }

  /** How long a crash lasts, if it is one of these. */
  OptionalLong next() {
    if (world.nowNanos() < untilNanos || !random.chance(share)) {
      return OptionalLong.empty();
    }
    // The node is missed only when its session has ended, and others take their time to build.
    long length = longFailureNanos + random.between(longFailureNanos / 4, longFailureNanos);
    untilNanos = world.nowNanos() + length;
    return OptionalLong.of(length);
  }
}
