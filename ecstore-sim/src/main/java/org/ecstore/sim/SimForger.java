package org.ecstore.sim;

import java.util.List;
import java.util.Optional;
import org.ecstore.core.message.Envelope;
import org.ecstore.core.message.NodeMessage;
import org.ecstore.core.port.Event;
import org.ecstore.id.MapVersion;
import org.ecstore.id.Position;
import org.ecstore.id.ReadPoint;
import org.ecstore.replication.message.ReplicationMessage.MapNews;
import org.ecstore.replication.message.ReplicationMessage.MapRequest;
import org.ecstore.sim.node.SimCluster;
import org.ecstore.sim.node.SimHost;
import org.ecstore.sim.world.SimRandom;
import org.ecstore.sim.world.World;
import org.ecstore.txn.node.NodeSettings;

/**
 * One that sends in the name of nodes, as a holder of the cluster's secret could, that the ledger
 * goes far beyond where it is (decision 0035). It lives in some of the seeds.
 */
final class SimForger {
  private static final double SHARE_OF_SEEDS = 0.1;

  private final SimCluster cluster;
  private final SimRandom random;
  private final long unprovenMax;

  SimForger(World world, SimCluster cluster, long unprovenMax) {
    this.cluster = cluster;
    this.unprovenMax = unprovenMax;
    this.random = world.random("forger");
  }

  private static SimRandom draw(long seed) {
    return new SimRandom(seed).fork("forger lives");
  }

  static boolean livesIn(long seed) {
    return draw(seed).chance(SHARE_OF_SEEDS);
  }

  /** So little that the ledger is asked again and again, in the seeds that it lives in. */
  static long unprovenMax(long seed) {
    return livesIn(seed) ? draw(seed).fork("bound").between(4, 400) : NodeSettings.UNPROVEN_MAX;
  }

  /** Sends one message. */
  void forge() {
    List<SimHost> up = cluster.hosts().stream().filter(SimHost::isUp).toList();
    if (up.isEmpty()) {
      return;
    }
    SimHost from = up.get(random.between(0, up.size() - 1));
    SimHost to = up.get(random.between(0, up.size() - 1));
    if (!from.id().equals(to.id())) {
      Envelope envelope = new Envelope(from.id(), from.incarnation(), to.id(), point(), message());
      to.currentLife().post(new Event.Delivered(envelope));
    }
  }

  private ReadPoint point() {
    long far = random.chance(0.5) ? Long.MAX_VALUE - 5 : cluster.ledger().end() + beyond();
    return new ReadPoint(new Position(far), MapVersion.ZERO);
  }

  private long beyond() {
    return random.between(unprovenMax + 1, 1_000_000);
  }

  private NodeMessage message() {
    return random.chance(0.5)
        ? new MapRequest(MapVersion.ZERO)
        : new MapNews(List.of(), Optional.empty());
  }
}
