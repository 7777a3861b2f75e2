package org.ecstore.sim;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.ecstore.id.NodeId;
import org.ecstore.id.Position;
import org.ecstore.id.ReadPoint;
import org.ecstore.id.TxnId;
import org.ecstore.key.Bytes;
import org.ecstore.model.Isolation;
import org.ecstore.model.KeyWrite;
import org.ecstore.model.ReadLevel;
import org.ecstore.protocol.ClientReply;
import org.ecstore.protocol.ClientRequest;
import org.ecstore.sim.client.SimClient;
import org.ecstore.sim.node.SimCluster;
import org.ecstore.sim.world.SwarmSettings;
import org.ecstore.sim.world.World;

/** A client of a {@link CalmCluster} that waits for each answer before it goes on. */
final class CalmClient {
  private static final long MILLI = SwarmSettings.MILLI;
  private static final long SECOND = SwarmSettings.SECOND;

  private final World world;
  private final SimClient client;
  private long transactions;

  CalmClient(World world, SimCluster cluster) {
    this.world = world;
    this.client = CalmCluster.client(world, cluster);
  }

  /** Asks without waiting. */
  void start(NodeId node, ClientRequest request, List<ClientReply> answers) {
    client.call(node, request, 10 * SECOND, reply -> reply.ifPresent(answers::add));
  }

  /** Asks a node; fails if it does not answer. */
  ClientReply ask(NodeId node, ClientRequest request) {
    List<ClientReply> answers = new ArrayList<>();
    start(node, request, answers);
    for (long waited = 0; answers.isEmpty() && waited < 11 * SECOND; waited += 10 * MILLI) {
      CalmCluster.run(world, 10 * MILLI);
    }
    return answers.getFirst();
  }

  /** Commits a write of one key; its number. */
  Position write(NodeId node, Bytes key, Bytes value) {
    ClientReply begun = ask(node, new ClientRequest.Begin(ReadLevel.SESSION, ReadPoint.ZERO));
    ReadPoint point = assertInstanceOf(ClientReply.Begun.class, begun).point();
    ClientRequest commit =
        new ClientRequest.Commit(
            new TxnId(1, ++transactions),
            point,
            Isolation.SNAPSHOT,
            List.of(),
            List.of(),
            List.of(new KeyWrite(key, Optional.of(value))),
            3_000);
    return assertInstanceOf(ClientReply.Committed.class, ask(node, commit)).number();
  }
}
