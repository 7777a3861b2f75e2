package org.ecstore.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.ecstore.core.port.Event;
import org.ecstore.core.port.NodeEndsException.PartFailedException;
import org.ecstore.sim.node.NodeMutation;
import org.ecstore.sim.node.SimCluster;
import org.ecstore.sim.node.SimHost;
import org.ecstore.sim.world.SwarmSettings;
import org.ecstore.sim.world.Trace;
import org.ecstore.sim.world.World;
import org.ecstore.txn.node.Node;
import org.ecstore.txn.node.NodeSettings;
import org.junit.jupiter.api.Test;

/** What a node uses of its process does nothing any more (decision 0115). */
final class FailedPartSimTest {
  @Test
  void nodeEndsAndSaysWhichPartItWas() {
    World world = new World(1, new Trace(null));
    SimCluster cluster =
        new SimCluster(
            world,
            CalmCluster.settings(1, SwarmSettings.MILLI),
            NodeMutation.RIGHT,
            id -> NodeSettings.defaults("sim", "n" + id + ":1"));
    cluster.hosts().forEach(SimHost::start);
    CalmCluster.run(world, 5 * SwarmSettings.SECOND);
    Node node = CalmCluster.leading(cluster);
    Event failed = new Event.PartFailed("the ledger client", "a class is missing");
    PartFailedException end = assertThrows(PartFailedException.class, () -> node.on(failed));
    assertEquals(
        "the ledger client of n1 has failed (a class is missing): the node ends, and goes on when"
            + " it is started again",
        end.getMessage());
  }
}
