package org.ecstore.sim;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.ecstore.core.map.MapChange;
import org.ecstore.core.map.RangeDescriptor;
import org.ecstore.id.NodeId;
import org.ecstore.replication.copy.Copy;
import org.ecstore.sim.node.SimCluster;
import org.ecstore.sim.node.SimHost;
import org.ecstore.sim.node.SimNetwork;
import org.ecstore.sim.world.SimRandom;
import org.ecstore.sim.world.SwarmSettings;
import org.ecstore.sim.world.World;
import org.ecstore.txn.node.Node;
import org.ecstore.txn.node.NodeInspection.CopyView;

/**
 * Cuts nodes with copies of a range off from all others, for long enough that the range gets other
 * copies, or just before they hear that it has; clients reach them as before. So they answer from
 * copies that have been taken out, and do not know it (rule 13). It lives in some of the seeds.
 */
final class CopiesCutOff {
  private static final double SHARE_OF_SEEDS = 0.3;
  private static final double SHARE_OF_CHANGES = 0.4;
  private static final long LENGTH_NANOS_MAX = 60 * SwarmSettings.SECOND;

  private final World world;
  private final SimCluster cluster;
  private final Consumer<String> note;
  private final Consumer<NodeId> passers;
  private final SimRandom random;
  private final long safetyNanos;

  /**
   * That of a run.
   *
   * @param safetyNanos when all is healed
   * @param passers reads, at a node, by clients who have seen nothing before
   */
  CopiesCutOff(
      World world,
      SimCluster cluster,
      long safetyNanos,
      Consumer<String> note,
      Consumer<NodeId> passers) {
    this.world = world;
    this.cluster = cluster;
    this.safetyNanos = safetyNanos;
    this.note = note;
    this.passers = passers;
    this.random = world.random("copies cut off");
  }

  private static SimRandom draw(long seed) {
    return new SimRandom(seed).fork("copies cut off");
  }

  static boolean livesIn(long seed) {
    return draw(seed).chance(SHARE_OF_SEEDS);
  }

  /** Of a seed that it lives in: the mean time between two. */
  static long everyNanos(long seed) {
    return draw(seed).fork("every").between(15, 60) * SwarmSettings.SECOND;
  }

  /** Cuts some off. */
  void cut() {
    cut("copies cut off", withCopiesOf(random.pick(cluster.hosts())));
  }

  /** A change of the map is recorded; whose copies it takes out may not hear of it. */
  void changed(MapChange change) {
    if (random.chance(SHARE_OF_CHANGES)) {
      cut("copies cut off as they are taken out", takenOut(change));
    }
  }

  private List<SimHost> takenOut(MapChange change) {
    Set<NodeId> stay = new TreeSet<>();
    for (RangeDescriptor range : change.placed()) {
      stay.add(range.primary());
      stay.addAll(range.secondaries());
    }
    return cluster.hosts().stream()
        .filter(host -> !stay.contains(host.id()))
        .filter(
            host -> copies(host).stream().anyMatch(copy -> change.retired().contains(copy.id())))
        .toList();
  }

  /** All is mended after a while. */
  private void cut(String what, List<SimHost> apart) {
    // What was on its way to a service arrives when the cut was to end: before all is healed.
    long left = safetyNanos - world.nowNanos();
    long length = Math.min(random.between(SwarmSettings.SECOND, LENGTH_NANOS_MAX), left);
    if (apart.isEmpty() || length <= 0) {
      return;
    }
    note.accept(what);
    SimNetwork.Partition cuts = cluster.network().partition();
    for (SimHost node : apart) {
      for (SimHost other : cluster.hosts()) {
        if (!apart.contains(other)) {
          cuts.cut(node.id().value(), other.id().value());
          cuts.cut(other.id().value(), node.id().value());
        }
      }
      cluster.coordination().cutOff(node.id(), length);
      cluster.ledger().cutOff(node.id(), length);
    }
    if (random.chance(0.3)) {
      cluster.network().favour(random.pick(apart).id(), length);
    }
    passBy(apart, world.nowNanos() + length);
    world.scheduler().after(length, cuts::mend);
  }

  private void passBy(List<SimHost> apart, long untilNanos) {
    world
        .scheduler()
        .after(
            random.between(100, 1_500) * SwarmSettings.MILLI,
            () -> {
              if (world.faulty() && world.nowNanos() < untilNanos) {
                // Those who read elsewhere have seen what those who read here may miss.
                List<SimHost> where = random.chance(0.5) ? apart : cluster.hosts();
                passers.accept(random.pick(where).id());
                passBy(apart, untilNanos);
              }
            });
  }

  /**
   * The primary of a range, and some of the others that have a copy of it: what only a secondary
   * has it does not know to be on W copies.
   */
  private List<SimHost> withCopiesOf(SimHost one) {
    List<CopyView> copies =
        copies(one).stream().filter(copy -> copy.state() == Copy.State.SERVING).toList();
    if (copies.isEmpty()) {
      return List.of();
    }
    CopyView copy = random.pick(copies);
    List<SimHost> nodes = new ArrayList<>(List.of(one));
    for (SimHost other : cluster.hosts()) {
      boolean has = copies(other).stream().anyMatch(its -> its.id().equals(copy.id()));
      if (other != one && has && random.chance(0.2)) {
        nodes.add(other);
      }
    }
    return nodes;
  }

  private static List<CopyView> copies(SimHost host) {
    return host.machine() instanceof Node node ? node.inspect().copies() : List.of();
  }
}
