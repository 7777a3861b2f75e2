package org.ecstore.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.ecstore.sim.node.NodeMutation;
import org.ecstore.sim.node.SimCluster;
import org.ecstore.sim.node.SimHost;
import org.ecstore.sim.world.SwarmSettings;
import org.ecstore.sim.world.Trace;
import org.ecstore.sim.world.World;
import org.ecstore.txn.node.Node;
import org.ecstore.txn.node.NodeInspection.CopyView;
import org.ecstore.txn.node.NodeSettings;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;

/** A node that is told to stop folds all it has first (rule W11). */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
final class CleanStopSimTest {
  private static final long SECOND = SwarmSettings.SECOND;

  private static SimCluster start(World world) {
    SimCluster cluster =
        new SimCluster(
            world,
            CalmCluster.settings(3, 20 * SwarmSettings.MILLI),
            NodeMutation.RIGHT,
            id -> NodeSettings.defaults("sim", "n" + id + ":1").withCopies(3));
    cluster.hosts().forEach(SimHost::start);
    CalmCluster.run(world, 60 * SECOND);
    CalmCluster.keepAsking(world, CalmCluster.client(world, cluster), cluster.hosts());
    CalmCluster.run(world, 5 * SECOND);
    return cluster;
  }

  private static List<CopyView> copies(SimHost host) {
    return host.machine() instanceof Node node ? node.inspect().copies() : List.of();
  }

  @ParameterizedTest
  @Seeds(few = 1, many = 3)
  void allThatANodeHadIsInItsStoreAndNotedBeforeItStops(long seed) {
    World world = new World(seed, new Trace(null));
    SimCluster cluster = start(world);
    SimHost host = cluster.hosts().getFirst();
    List<CopyView> before = copies(host);
    assertFalse(before.isEmpty());
    assertTrue(
        before.stream().anyMatch(copy -> copy.durableFolded().value() < copy.closed().value()),
        () -> "rounds alone have folded all: " + before);
    AtomicBoolean folded = new AtomicBoolean();
    if (host.machine() instanceof Node node) {
      node.fold(() -> folded.set(true));
    }
    CalmCluster.run(world, 5 * SECOND);
    assertTrue(folded.get());
    host.crash();
    host.start();
    // Shorter than until the next round.
    CalmCluster.run(world, 3 * SECOND);
    for (CopyView then : before) {
      CopyView now =
          copies(host).stream()
              .filter(copy -> copy.id().equals(then.id()))
              .findFirst()
              .orElseThrow();
      assertTrue(
          now.base().value() >= then.closed().value()
              && now.durableFolded().value() >= then.closed().value(),
          () -> "was " + then + ", is " + now);
    }
    assertEquals(List.of(), world.violations());
  }
}
