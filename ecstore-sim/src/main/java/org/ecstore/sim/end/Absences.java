package org.ecstore.sim.end;

import java.util.Set;
import java.util.TreeSet;
import org.ecstore.core.map.RangeMap;
import org.ecstore.id.NodeId;
import org.ecstore.sim.node.SimHost;
import org.ecstore.sim.world.World;
import org.ecstore.txn.node.Departure;
import org.ecstore.txn.node.Node;

/** Counts the outages of nodes that lasted long enough to matter, as far as samples show them. */
final class Absences {
  /** Their copies were there when they were last seen to run, and they were to stay. */
  private final Set<NodeId> holding = new TreeSet<>();

  private final Set<NodeId> replaced = new TreeSet<>();

  private final World world;

  Absences(World world) {
    this.world = world;
  }

  /** Looks at a node once. */
  void look(SimHost host, RangeMap map) {
    NodeId node = host.id();
    boolean holds = holds(map, node);
    if (!host.isUp()) {
      if (world.faulty() && !holds && holding.remove(node)) {
        world.happened("copies are made anew while their node is down");
        replaced.add(node);
      }
      return;
    }
    if (replaced.remove(node)) {
      world.happened("a node is back whose copies were made anew");
    }
    if (holds && isToStay(host)) {
      holding.add(node);
    } else {
      holding.remove(node);
    }
  }

  /** The disk of a node is another, empty one. */
  void emptied(NodeId node) {
    replaced.remove(node);
  }

  /** One that was told to leave gives up its copies by itself. */
  private static boolean isToStay(SimHost host) {
    return host.machine() instanceof Node node && node.departure().stage() == Departure.Stage.STAYS;
  }

  private static boolean holds(RangeMap map, NodeId node) {
    return map.ranges().stream()
        .anyMatch(range -> range.primary().equals(node) || range.secondaries().contains(node));
  }
}
