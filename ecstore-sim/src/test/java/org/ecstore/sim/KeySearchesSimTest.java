package org.ecstore.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.ecstore.id.NodeId;
import org.ecstore.key.Bytes;
import org.ecstore.model.RefusalCode;
import org.ecstore.protocol.ClientReply;
import org.ecstore.protocol.ClientRequest;
import org.ecstore.sim.client.SimClient;
import org.ecstore.sim.node.NodeMutation;
import org.ecstore.sim.node.SimCluster;
import org.ecstore.sim.node.SimHost;
import org.ecstore.sim.world.SwarmSettings;
import org.ecstore.sim.world.Trace;
import org.ecstore.sim.world.World;
import org.ecstore.txn.node.NodeSettings;
import org.junit.jupiter.api.Test;

/** Searches for the owner of a key from link to link, while the owner does not answer. */
final class KeySearchesSimTest {
  private static final long MILLI = SwarmSettings.MILLI;
  private static final long SECOND = SwarmSettings.SECOND;
  private static final int SEARCHES_MAX = 5_000;

  private final World world = new World(1, new Trace(null));
  private final SimCluster cluster =
      new SimCluster(
          world,
          CalmCluster.settings(2, 20 * MILLI),
          NodeMutation.RIGHT,
          id -> NodeSettings.defaults("sim", ClientInSim.address(id)).withColdRouting(true));
  private final List<ClientReply> replies = new ArrayList<>();

  private void search(SimClient client, NodeId asked, Bytes key) {
    client.call(
        asked,
        new ClientRequest.Locate(key),
        60 * SECOND,
        reply -> replies.add(reply.orElseThrow()));
  }

  private long refused() {
    return replies.stream()
        .map(reply -> assertInstanceOf(ClientReply.Refused.class, reply))
        .filter(refused -> refused.code() == RefusalCode.UNAVAILABLE)
        .count();
  }

  @Test
  void tooManyAreRefusedAtOnceAndTheOthersWhenTheirTimeIsOver() {
    cluster.hosts().forEach(SimHost::start);
    CalmCluster.run(world, 60 * SECOND);
    Map.Entry<Bytes, NodeId> owned =
        FailOverSimTest.primaries(cluster).entrySet().iterator().next();
    Bytes key = owned.getKey();
    SimHost owner = cluster.hosts().get((int) owned.getValue().value() - 1);
    NodeId other = new NodeId(3 - owned.getValue().value());
    SimClient client = CalmCluster.client(world, cluster);
    owner.crash();
    for (int i = 0; i < SEARCHES_MAX + 7; i++) {
      search(client, other, key);
    }
    CalmCluster.run(world, SECOND / 2);
    assertEquals(7, refused());
    CalmCluster.run(world, 30 * SECOND);
    assertEquals(SEARCHES_MAX + 7, refused());
    owner.start();
    CalmCluster.run(world, 60 * SECOND);
    replies.clear();
    search(client, other, key);
    CalmCluster.run(world, SECOND);
    assertInstanceOf(ClientReply.Located.class, replies.getFirst());
    assertEquals(List.of(), world.violations());
  }
}
