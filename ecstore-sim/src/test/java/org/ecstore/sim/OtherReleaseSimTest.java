package org.ecstore.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.ecstore.id.NodeId;
import org.ecstore.model.AdminRequest;
import org.ecstore.model.NodeTraits;
import org.ecstore.model.RefusalCode;
import org.ecstore.model.control.ControlChange;
import org.ecstore.model.control.ControlMode;
import org.ecstore.protocol.ClientReply;
import org.ecstore.protocol.ClientRequest;
import org.ecstore.sim.client.SimClient;
import org.ecstore.sim.node.KindsOfNodes;
import org.ecstore.sim.node.NodeMutation;
import org.ecstore.sim.node.SimCluster;
import org.ecstore.sim.node.SimHost;
import org.ecstore.sim.world.SwarmSettings;
import org.ecstore.sim.world.Trace;
import org.ecstore.sim.world.World;
import org.ecstore.txn.node.NodeSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Operators ask a node while another one leads, of another release, which may not know what they
 * ask for, and would cut the connection.
 */
@Timeout(value = 1, unit = TimeUnit.MINUTES)
final class OtherReleaseSimTest {
  private static final long MILLI = SwarmSettings.MILLI;
  private static final long SECOND = SwarmSettings.SECOND;
  private static final int NODES = 3;
  private static final AdminRequest CHANGE =
      new AdminRequest.ChangeControl(
          new ControlChange(
              Optional.of(ControlMode.FREEZE), OptionalInt.empty(), OptionalLong.empty()));
  private static final AdminRequest REMOVE = new AdminRequest.RemoveTable("none", 1);

  private final World world = new World(1, new Trace(null));
  private final Map<NodeId, ClientReply> replies = new TreeMap<>();

  private SimCluster started(Function<NodeId, String> releases) {
    SimCluster cluster =
        new SimCluster(
            world,
            CalmCluster.settings(NODES, 20 * MILLI),
            NodeMutation.RIGHT,
            id ->
                NodeSettings.defaults("sim", ClientInSim.address(id))
                    .withTraits(NodeTraits.UNKNOWN.with(releases.apply(id), KindsOfNodes.BOTH)));
    cluster.hosts().forEach(SimHost::start);
    CalmCluster.run(world, 60 * SECOND);
    return cluster;
  }

  /** What each node replies. */
  private void ask(SimCluster cluster, AdminRequest request) {
    replies.clear();
    SimClient client = CalmCluster.client(world, cluster);
    for (SimHost host : cluster.hosts()) {
      client.call(
          host.id(),
          new ClientRequest.Administer(request, host.id().value()),
          10 * SECOND,
          reply -> reply.ifPresent(one -> replies.put(host.id(), one)));
    }
    CalmCluster.run(world, 20 * SECOND);
    assertEquals(NODES, replies.size(), replies::toString);
  }

  private void assertOnlyTheLeaderDecides(SimCluster cluster) {
    NodeId leader = CalmCluster.leader(cluster).id();
    assertInstanceOf(ClientReply.Decided.class, replies.remove(leader));
    for (ClientReply reply : replies.values()) {
      ClientReply.Refused refused = assertInstanceOf(ClientReply.Refused.class, reply);
      assertEquals(RefusalCode.BAD_REQUEST, refused.code());
      assertTrue(
          refused.detail().contains(leader + ", which leads, is of release \"1." + leader.value()),
          refused::detail);
    }
  }

  @Test
  void itIsNotSentWhatItMayNotKnow() {
    SimCluster cluster = started(id -> "1." + id.value());
    ask(cluster, CHANGE);
    assertOnlyTheLeaderDecides(cluster);
    ask(cluster, REMOVE);
    assertOnlyTheLeaderDecides(cluster);
  }

  @Test
  void whereAllAreOfOneReleaseEachNodeTakesIt() {
    SimCluster cluster = started(_ -> "1");
    ask(cluster, CHANGE);
    replies.values().forEach(reply -> assertInstanceOf(ClientReply.Decided.class, reply));
    ask(cluster, REMOVE);
    replies.values().forEach(reply -> assertInstanceOf(ClientReply.Decided.class, reply));
  }
}
