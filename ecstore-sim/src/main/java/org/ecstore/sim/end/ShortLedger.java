package org.ecstore.sim.end;

import java.util.List;
import java.util.Optional;
import org.ecstore.engines.store.StoreBatch;
import org.ecstore.id.Position;
import org.ecstore.replication.copy.Holdings;
import org.ecstore.sim.node.SimCluster;
import org.ecstore.sim.node.SimHost;
import org.ecstore.sim.world.Promises;
import org.ecstore.sim.world.SimRandom;
import org.ecstore.sim.world.SwarmSettings;
import org.ecstore.sim.world.World;

/**
 * After all else a machine is started on a disk that has more than the ledger: of another cluster,
 * or the ledger has lost its end. The node ends, lest positions are used again (rule 6).
 */
final class ShortLedger {
  private static final long TIMEOUT_NANOS = 30 * SwarmSettings.SECOND;
  private static final long BEYOND = 1_000_000;

  private final World world;
  private final SimCluster cluster;
  private final SimRandom random;

  ShortLedger(World world, SimCluster cluster) {
    this.world = world;
    this.cluster = cluster;
    this.random = world.random("short ledger");
  }

  /** Whether it is asked about in this run. */
  boolean isAsked() {
    return random.chance(0.4);
  }

  /** Starts one of the nodes that do not lead on such a disk. */
  void isRefused() {
    List<SimHost> followers =
        cluster.hosts().stream()
            .filter(SimHost::isUp)
            .filter(host -> !cluster.disk(host).isLost() && !cluster.forgets(host))
            .filter(host -> !cluster.coordination().leader().equals(Optional.of(host.id())))
            .toList();
    if (followers.isEmpty() || cluster.coordination().leader().isEmpty()) {
      return;
    }
    SimHost host = random.pick(followers);
    world.happened("a disk has more than the ledger");
    host.crash();
    Position beyond = new Position(cluster.ledger().end() + BEYOND);
    cluster
        .disk(host)
        .write(new StoreBatch(List.of(), List.of(), List.of(Holdings.writtenEntry(beyond))));
    cluster.disk(host).sync();
    host.mayRefuse();
    host.start();
    if (world.runUntil(world.nowNanos() + TIMEOUT_NANOS, () -> !host.isUp()) && host.isUp()) {
      world.violated(
          Promises.REFUSES_A_SHORT_LEDGER,
          "%s has %s, the ledger ends at %d".formatted(host.id(), beyond, cluster.ledger().end()));
    }
  }
}
