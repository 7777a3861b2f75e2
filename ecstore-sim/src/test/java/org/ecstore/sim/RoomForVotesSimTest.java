package org.ecstore.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.ecstore.id.NodeId;
import org.ecstore.id.ReadPoint;
import org.ecstore.id.TxnId;
import org.ecstore.key.Bytes;
import org.ecstore.model.Isolation;
import org.ecstore.model.KeyWrite;
import org.ecstore.model.ReadLevel;
import org.ecstore.model.RefusalCode;
import org.ecstore.protocol.ClientReply;
import org.ecstore.protocol.ClientRequest;
import org.ecstore.sim.node.NodeMutation;
import org.ecstore.sim.node.SimCluster;
import org.ecstore.sim.node.SimHost;
import org.ecstore.sim.world.SwarmSettings;
import org.ecstore.sim.world.Trace;
import org.ecstore.sim.world.World;
import org.ecstore.txn.node.NodeMemory;
import org.ecstore.txn.node.NodeSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A participant votes for no more than it has memory for: what is decided it must take. Who finds
 * no room is told so before anything is submitted.
 */
@Timeout(value = 1, unit = TimeUnit.MINUTES)
final class RoomForVotesSimTest {
  private static final long MILLI = SwarmSettings.MILLI;
  private static final long SECOND = SwarmSettings.SECOND;
  private static final long ROOM = 10_000;

  private final World world = new World(1, new Trace(null));
  private final SimCluster cluster =
      new SimCluster(
          world,
          CalmCluster.settings(1, 20 * MILLI),
          NodeMutation.RIGHT,
          id ->
              NodeSettings.defaults("sim", "n" + id + ":1")
                  .withMemory(new NodeMemory(0, ROOM, 1 << 20, 1 << 20, 1 << 20, 1_000)));
  private final NodeId node = cluster.hosts().getFirst().id();
  private final CalmClient client = new CalmClient(world, cluster);
  private ReadPoint point = ReadPoint.ZERO;
  private long transactions;

  private void start() {
    cluster.hosts().forEach(SimHost::start);
    CalmCluster.run(world, 20 * SECOND);
    point =
        assertInstanceOf(
                ClientReply.Begun.class,
                client.ask(node, new ClientRequest.Begin(ReadLevel.STRONG, ReadPoint.ZERO)))
            .point();
  }

  private ClientRequest commit(String key, int bytes) {
    return new ClientRequest.Commit(
        new TxnId(1, ++transactions),
        point,
        Isolation.SNAPSHOT,
        List.of(),
        List.of(),
        List.of(new KeyWrite(Bytes.utf8(key), Optional.of(Bytes.wrap(new byte[bytes])))),
        3_000);
  }

  private static void assertRefused(RefusalCode code, ClientReply reply) {
    ClientReply.Refused refused = assertInstanceOf(ClientReply.Refused.class, reply);
    assertEquals(code, refused.code());
    assertEquals(code == RefusalCode.OVERLOADED, refused.againMillis() > 0);
  }

  @Test
  void whatNeverFitsIsTooLarge() {
    start();
    assertRefused(RefusalCode.TOO_LARGE, client.ask(node, commit("a", 10_000)));
    assertInstanceOf(ClientReply.Committed.class, client.ask(node, commit("a", 9_000)));
    assertEquals(List.of(), world.violations());
  }

  @Test
  void whatFindsNoRoomIsRefusedUntilOthersAreDone() {
    start();
    List<ClientReply> first = new ArrayList<>();
    List<ClientReply> second = new ArrayList<>();
    client.start(node, commit("a", 5_000), first);
    client.start(node, commit("b", 5_000), second);
    CalmCluster.run(world, 3 * SECOND);
    List<ClientReply> both = List.of(first.getFirst(), second.getFirst());
    assertEquals(1, both.stream().filter(ClientReply.Committed.class::isInstance).count());
    assertRefused(
        RefusalCode.OVERLOADED,
        both.stream().filter(ClientReply.Refused.class::isInstance).findFirst().orElseThrow());
    // The intents are gone, and with them what they held.
    assertInstanceOf(ClientReply.Committed.class, client.ask(node, commit("c", 9_000)));
    assertEquals(List.of(), world.violations());
  }
}
