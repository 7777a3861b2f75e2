package org.ecstore.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.ecstore.id.NodeId;
import org.ecstore.id.Position;
import org.ecstore.key.Bytes;
import org.ecstore.model.RefusalCode;
import org.ecstore.protocol.ClientReply;
import org.ecstore.protocol.ClientRequest;
import org.ecstore.sim.node.NodeMutation;
import org.ecstore.sim.node.SimCluster;
import org.ecstore.sim.node.SimHost;
import org.ecstore.sim.world.SwarmSettings;
import org.ecstore.sim.world.Trace;
import org.ecstore.sim.world.World;
import org.ecstore.txn.node.Node;
import org.ecstore.txn.node.NodeSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A snapshot below the version floor: nothing of it can be read, so that it gets no lease, which
 * would hold the floor where it is (rule 14).
 */
@Timeout(value = 1, unit = TimeUnit.MINUTES)
final class BelowTheFloorSimTest {
  private static final long MILLI = SwarmSettings.MILLI;
  private static final long SECOND = SwarmSettings.SECOND;
  private static final int NODES = 3;

  private final World world = new World(1, new Trace(null));
  private final SimCluster cluster =
      new SimCluster(
          world,
          CalmCluster.settings(NODES, 20 * MILLI),
          new NodeMutation(
              "moves the floor",
              (self, settings, ports) -> new Node(self, settings, new FloorAtEachPosition(), ports),
              NodeMutation.ClientBehaviour.RIGHT),
          id ->
              NodeSettings.defaults("sim", ClientInSim.address(id))
                  .withCopies(NODES)
                  .withRetention(SECOND));
  private final CalmClient client = new CalmClient(world, cluster);
  private final NodeId node = cluster.hosts().getFirst().id();

  private void write() {
    for (int i = 0; i < 20; i++) {
      client.write(node, Bytes.utf8("k"), Bytes.utf8("v" + i));
      CalmCluster.run(world, SECOND / 2);
    }
  }

  @Test
  void aSnapshotBelowTheFloorIsRefusedAndTheFloorGoesOn() {
    cluster.hosts().forEach(SimHost::start);
    CalmCluster.run(world, 60 * SECOND);
    write();
    Position floor = cluster.floor().now();
    assertTrue(floor.isAfter(new Position(10)), floor::toString);
    for (SimHost host : cluster.hosts()) {
      ClientReply below = client.ask(host.id(), new ClientRequest.BeginAt(new Position(1)));
      assertEquals(
          RefusalCode.SNAPSHOT_TOO_OLD, assertInstanceOf(ClientReply.Refused.class, below).code());
    }
    ClientReply now =
        client.ask(node, new ClientRequest.BeginAt(new Position(cluster.ledger().end())));
    assertInstanceOf(ClientReply.Begun.class, now);
    write();
    assertTrue(cluster.floor().now().isAfter(floor), "the floor moves on");
    assertEquals(List.of(), world.violations());
  }
}
