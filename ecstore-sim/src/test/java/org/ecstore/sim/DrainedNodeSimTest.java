package org.ecstore.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.ecstore.core.map.RangeDescriptor;
import org.ecstore.id.NodeId;
import org.ecstore.model.AdminRequest;
import org.ecstore.sim.check.LedgerModel;
import org.ecstore.sim.history.SimKeys;
import org.ecstore.sim.node.NodeMutation;
import org.ecstore.sim.node.SimCluster;
import org.ecstore.sim.node.SimHost;
import org.ecstore.sim.world.SwarmSettings;
import org.ecstore.sim.world.Trace;
import org.ecstore.sim.world.World;
import org.ecstore.txn.node.Node;
import org.ecstore.txn.node.NodeSettings;
import org.ecstore.txn.steward.decision.Decision;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;

/**
 * A live node that is drained is primary of ranges whose heir has a copy already. It keeps its own
 * as a secondary until another node has one: at no moment are there fewer copies (rule 19).
 */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
final class DrainedNodeSimTest {
  private static final long MILLI = SwarmSettings.MILLI;
  private static final long SECOND = SwarmSettings.SECOND;
  private static final int COPIES = 2;

  private final World world = new World(1, new Trace(null));
  private final LedgerModel model = new LedgerModel();
  private final SimCluster cluster =
      new SimCluster(
          world,
          CalmCluster.settings(3, 20 * MILLI),
          NodeMutation.RIGHT,
          id ->
              NodeSettings.defaults("sim", "n" + id + ":1")
                  .withCopies(COPIES)
                  .withSplitHints(
                      List.of(SimKeys.bound(50), SimKeys.bound(100), SimKeys.bound(150))));

  private void run(long nanos) {
    CalmCluster.run(world, nanos);
    model.catchUp(cluster.ledger().durable());
  }

  private Node leader() {
    return CalmCluster.leading(cluster);
  }

  private static boolean holds(RangeDescriptor range, NodeId node) {
    return range.primary().equals(node) || range.secondaries().contains(node);
  }

  @ParameterizedTest
  @Seeds(few = 1, many = 3)
  void eachRangeHasItsCopiesAllTheWhile(long number) {
    NodeId drained = new NodeId(number);
    cluster.hosts().forEach(SimHost::start);
    run(60 * SECOND);
    assertTrue(
        model.map().ranges().stream().anyMatch(range -> range.primary().equals(drained)),
        model.map()::toString);
    AdminRequest drain = new AdminRequest.Drain(drained);
    for (int i = 0;
        i < 60_000 && leader().adminRequest(drain, 1).outcome() == Decision.Outcome.UNDER_WAY;
        i++) {
      run(MILLI);
      for (RangeDescriptor range : model.map().ranges()) {
        assertEquals(COPIES, Math.min(COPIES, 1 + range.secondaries().size()), range::toString);
      }
    }
    assertEquals(Decision.Outcome.DONE, leader().adminRequest(drain, 1).outcome());
    assertTrue(
        model.map().ranges().stream().noneMatch(range -> holds(range, drained)),
        model.map()::toString);
    assertEquals(List.of(), world.violations());
  }
}
