package org.ecstore.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.ecstore.core.map.RangeDescriptor;
import org.ecstore.id.NodeId;
import org.ecstore.model.AdminRequest;
import org.ecstore.sim.check.LedgerModel;
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
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A node is drained while another that is there has no place in the tree at the moment, as one that
 * leaves its place to join beside a loaded node (rule 21): the copies of the one that is drained
 * stay until the other has them, though without it there are no more nodes than copies (adapter
 * seed 971618).
 */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
final class DrainBesideAJoinSimTest {
  private static final long MILLI = SwarmSettings.MILLI;
  private static final long SECOND = SwarmSettings.SECOND;
  private static final int COPIES = 3;

  private final World world = new World(1, new Trace(null));
  private final LedgerModel model = new LedgerModel();
  private final SimCluster cluster =
      new SimCluster(
          world,
          CalmCluster.settings(COPIES + 1, MILLI),
          NodeMutation.RIGHT,
          id -> NodeSettings.defaults("sim", "n" + id + ":1").withCopies(COPIES));

  private void run(long nanos) {
    CalmCluster.run(world, nanos);
    model.catchUp(cluster.ledger().durable());
  }

  private Node leader() {
    return CalmCluster.leading(cluster);
  }

  /** How long after the other's start the drain is asked for: before it joins, amid that, after. */
  @ParameterizedTest
  @ValueSource(longs = {4, 8, 12, 16, 20, 30, 50, 100, 400, 1_500})
  void copiesStayUntilTheOtherHasThem(long millis) {
    List<SimHost> hosts = cluster.hosts();
    SimHost late = hosts.getLast();
    hosts.stream().filter(host -> host != late).forEach(SimHost::start);
    run(60 * SECOND);
    NodeId drained =
        model.map().ranges().getFirst().secondaries().stream()
            .filter(node -> !node.equals(CalmCluster.leader(cluster).id()))
            .findFirst()
            .orElseThrow();
    late.start();
    run(millis * MILLI);
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
    assertEquals(List.of(), world.violations());
  }
}
