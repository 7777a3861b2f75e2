package org.ecstore.sim.end;

import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.ecstore.id.NodeId;
import org.ecstore.sim.node.SimCluster;
import org.ecstore.sim.node.SimHost;
import org.ecstore.sim.world.Promises;
import org.ecstore.sim.world.SimRandom;
import org.ecstore.sim.world.SwarmSettings;
import org.ecstore.sim.world.World;
import org.ecstore.txn.node.NodeSettings;

/**
 * The node that leads is frozen at the end of a run. Its session lives and its connections stand,
 * so that only a standby can find out; then another is to lead (rule 6).
 */
final class FrozenLeader {
  private static final long SECOND = SwarmSettings.SECOND;

  /** Longer than a standby bears any silence. */
  private static final long FROZEN_NANOS = 20 * SECOND;

  /** A standby that looks less often takes itself for one that was late (LeaderWatch). */
  private static final long TICK_NANOS_MAX = 120 * SwarmSettings.MILLI;

  /** What the old leader says when it thaws, one of them may have been told otherwise. */
  private static final int BUSY_CLIENTS = 2;

  /** With two nodes neither can tell which of them is cut off. */
  private static final int NODES_MIN = 3;

  private final World world;
  private final SimCluster cluster;
  private final NodeSettings settings;
  private final SimRandom random;

  FrozenLeader(World world, SimCluster cluster, NodeSettings settings) {
    this.world = world;
    this.cluster = cluster;
    this.settings = settings;
    this.random = world.random("frozen leader");
  }

  /** Whether it is asked about in this run. */
  boolean isAsked() {
    List<SimHost> up = cluster.hosts().stream().filter(SimHost::isUp).toList();
    return up.size() >= NODES_MIN && settings.tickNanos() <= TICK_NANOS_MAX && random.chance(0.4);
  }

  /** Freezes who leads, and thaws it when another does; clients go on all the time. */
  void isReplaced(LastClients clients) {
    Optional<NodeId> leader = cluster.coordination().leader();
    Optional<SimHost> frozen =
        cluster.hosts().stream().filter(host -> leader.equals(Optional.of(host.id()))).findFirst();
    if (frozen.isEmpty()) {
      return;
    }
    world.happened("the leader is frozen in the end");
    LastClients.Busy busy = clients.new Busy(BUSY_CLIENTS);
    frozen.get().pause(FROZEN_NANOS);
    long until = world.nowNanos() + FROZEN_NANOS;
    BooleanSupplier replaced =
        () -> cluster.coordination().leader().filter(now -> !leader.get().equals(now)).isPresent();
    boolean sound = world.runUntil(until - SECOND, replaced);
    if (sound && !replaced.getAsBoolean()) {
      world.violated(
          Promises.LEADERS_REPLACED,
          "%s was frozen for %d s".formatted(frozen.get().id(), FROZEN_NANOS / SECOND - 1));
    }
    world.runUntil(until + SECOND, () -> false);
    // Only now may it have heard that it was started elsewhere, and have ended.
    frozen.get().start();
    busy.end();
  }
}
