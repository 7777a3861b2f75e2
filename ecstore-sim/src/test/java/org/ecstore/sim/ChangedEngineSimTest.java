package org.ecstore.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.ecstore.core.overlay.ClusterState;
import org.ecstore.core.overlay.ClusterStateCodec;
import org.ecstore.core.overlay.Place;
import org.ecstore.id.NodeId;
import org.ecstore.model.AdminRequest;
import org.ecstore.model.EngineTraits;
import org.ecstore.model.NodeTraits;
import org.ecstore.replication.copy.Copy;
import org.ecstore.sim.node.KindsOfNodes;
import org.ecstore.sim.node.NodeMutation;
import org.ecstore.sim.node.SimCluster;
import org.ecstore.sim.node.SimHost;
import org.ecstore.sim.world.SwarmSettings;
import org.ecstore.sim.world.Trace;
import org.ecstore.sim.world.World;
import org.ecstore.txn.node.Node;
import org.ecstore.txn.node.NodeInspection.CopyView;
import org.ecstore.txn.node.NodeSettings;
import org.ecstore.txn.steward.Steward;
import org.ecstore.txn.steward.decision.Decision;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A node comes back with an engine that holds secondary copies only, while its neighbour leaves:
 * the neighbour has no other (rule 23, decision 0107).
 */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
final class ChangedEngineSimTest {
  private static final long MILLI = SwarmSettings.MILLI;
  private static final long SECOND = SwarmSettings.SECOND;
  private static final int NODES = 5;
  private static final int COPIES = 3;

  private final World world = new World(1, new Trace(null));

  /** Of those that are not good at both. */
  private final Map<NodeId, EngineTraits> engines = new TreeMap<>();

  private SimCluster started(NodeMutation variant) {
    SimCluster cluster =
        new SimCluster(
            world,
            CalmCluster.settings(NODES, MILLI),
            variant,
            node ->
                NodeSettings.defaults("sim", "")
                    .withCopies(COPIES)
                    .withTimeout(3_600 * SECOND, SECOND)
                    .withTraits(
                        NodeTraits.UNKNOWN.with(
                            "", engines.getOrDefault(node, KindsOfNodes.BOTH))));
    cluster.hosts().forEach(SimHost::start);
    CalmCluster.run(world, 60 * SECOND);
    return cluster;
  }

  private static ClusterState state(SimCluster cluster) {
    return cluster.coordination().value(Steward.KEY).map(ClusterStateCodec::decode).orElseThrow();
  }

  /** In the order of their keys. */
  private static List<NodeId> places(SimCluster cluster) {
    return state(cluster).tree().inOrder().stream().map(Place::node).toList();
  }

  private static boolean serves(SimCluster cluster, NodeId node) {
    return state(cluster).ranges().ranges().stream()
        .anyMatch(range -> range.primary().equals(node));
  }

  /** Its process ends, and starts again with another engine, which is empty. */
  private void change(SimCluster cluster, NodeId node, EngineTraits engine) {
    SimHost host = cluster.hosts().get((int) node.value() - 1);
    host.crash();
    engines.put(node, engine);
    cluster.replaceDisk(host);
    CalmCluster.run(world, 20 * SECOND);
    assertFalse(serves(cluster, node), () -> FailOverSimTest.all(cluster));
    host.start();
  }

  private static List<CopyView> copies(SimCluster cluster, NodeId node) {
    SimHost host = cluster.hosts().get((int) node.value() - 1);
    return ((Node) Objects.requireNonNull(host.machine())).inspect().copies();
  }

  private static Decision.Outcome asked(SimCluster cluster, AdminRequest drain) {
    return CalmCluster.leading(cluster).adminRequest(drain, 1).outcome();
  }

  @ParameterizedTest
  @CsvSource({"false, false", "true, false", "false, true"})
  void itLeavesTheTreeAndTakesOverNothing(boolean persists, boolean isPlanted) {
    SimCluster cluster =
        started(isPlanted ? Plants.named("unfit-node-keeps-its-place") : NodeMutation.RIGHT);
    NodeId leaver = places(cluster).get(0);
    NodeId changed = places(cluster).get(1);
    change(cluster, changed, persists ? KindsOfNodes.READ : KindsOfNodes.MEMORY);
    AdminRequest drain = new AdminRequest.Drain(leaver);
    boolean served = false;
    for (int i = 0; i < 60_000 && asked(cluster, drain) == Decision.Outcome.UNDER_WAY; i++) {
      CalmCluster.run(world, 10 * MILLI);
      served |= serves(cluster, changed);
    }
    assertEquals(Decision.Outcome.DONE, asked(cluster, drain), () -> FailOverSimTest.all(cluster));
    CalmCluster.run(world, 60 * SECOND);
    assertEquals(isPlanted, served, "it was given ranges to serve");
    assertEquals(isPlanted, places(cluster).contains(changed), "it has a place");
    List<Copy.State> states = copies(cluster, changed).stream().map(CopyView::state).toList();
    assertEquals(
        List.of(Copy.State.FOLLOWING),
        states.stream().distinct().toList(),
        () -> FailOverSimTest.all(cluster));
    assertEquals(List.of(), world.violations());
  }
}
