package org.ecstore.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.ecstore.client.retry.Backoff;
import org.ecstore.client.routing.SessionToken;
import org.ecstore.client.routing.TimeLimit;
import org.ecstore.client.session.Backend;
import org.ecstore.client.session.BytesTransaction;
import org.ecstore.core.runtime.NodeContext;
import org.ecstore.id.Position;
import org.ecstore.id.ReadPoint;
import org.ecstore.key.Bytes;
import org.ecstore.model.Isolation;
import org.ecstore.model.ReadLevel;
import org.ecstore.protocol.ClientReply;
import org.ecstore.protocol.ClientRequest;
import org.ecstore.replication.copy.Copy;
import org.ecstore.replication.copy.CopyTable;
import org.ecstore.replication.copy.EngineWriter;
import org.ecstore.replication.copy.WriteHolds;
import org.ecstore.replication.view.LedgerView;
import org.ecstore.sim.client.SimClient;
import org.ecstore.sim.node.NodeMutation;
import org.ecstore.sim.node.SimCluster;
import org.ecstore.sim.node.SimHost;
import org.ecstore.sim.world.SwarmSettings;
import org.ecstore.sim.world.Trace;
import org.ecstore.sim.world.World;
import org.ecstore.txn.node.Node;
import org.ecstore.txn.node.NodeParts;
import org.ecstore.txn.node.NodeSettings;
import org.junit.jupiter.api.Test;

/** Local snapshots begin where all copies of a node are closed, which is not looked up for each. */
final class LocalStartsSimTest {
  private static final long MILLI = SwarmSettings.MILLI;
  private static final long SECOND = SwarmSettings.SECOND;
  private static final int STARTS = 500;
  private static final Duration DEADLINE = Duration.ofSeconds(30);

  private final SessionToken session = new SessionToken(ReadPoint.ZERO);
  private final List<ReadPoint> begun = new ArrayList<>();
  private long looks;

  private final class Counting extends NodeParts {
    @Override
    public CopyTable copies(
        NodeContext context,
        LedgerView ledgerView,
        EngineWriter writer,
        WriteHolds holds,
        CopyTable.Listener listener) {
      return new CopyTable(context, ledgerView, writer, holds, listener) {
        @Override
        public Position closed(Copy copy) {
          looks++;
          return super.closed(copy);
        }
      };
    }
  }

  private void start(World world, SimClient client, SimHost host, int times) {
    for (int i = 0; i < times; i++) {
      client.call(
          host.id(),
          new ClientRequest.Begin(ReadLevel.LOCAL, ReadPoint.ZERO),
          SECOND,
          reply -> {
            if (reply.isPresent() && reply.get() instanceof ClientReply.Begun at) {
              begun.add(at.point());
            }
          });
    }
    CalmCluster.run(world, 5 * MILLI);
  }

  @Test
  void manyStartsLookAtTheCopiesOnceATick() {
    World world = new World(1, new Trace(null));
    NodeParts parts = new Counting();
    SimCluster cluster =
        new SimCluster(
            world,
            CalmCluster.settings(1, MILLI),
            new NodeMutation(
                "counts",
                (self, settings, ports) -> new Node(self, settings, parts, ports),
                NodeMutation.ClientBehaviour.RIGHT),
            id -> NodeSettings.defaults("sim", ClientInSim.address(id)));
    cluster.hosts().forEach(SimHost::start);
    ClientInSim library = new ClientInSim(world, cluster.network(), cluster.hosts());
    library.pause(10 * SECOND);
    SimClient client = CalmCluster.client(world, cluster);
    SimHost host = cluster.hosts().getFirst();
    try (Backend backend =
        new Backend(
            library, library, new Backoff(MILLI, SECOND), Duration.ofSeconds(5), DEADLINE, 1)) {
      write(backend);
      library.pause(SECOND);
      looks = 0;
      start(world, client, host, 1);
      long ofOne = looks;
      looks = 0;
      start(world, client, host, STARTS);
      long ofMany = looks;
      assertEquals(1 + STARTS, begun.size());
      assertTrue(ofMany < ofOne + STARTS / 10, ofMany + " looks at copies, of one " + ofOne);
      assertTrue(session.point().position().isAtOrBelow(begun.getLast().position()));
      write(backend);
      library.pause(SECOND);
      start(world, client, host, 1);
      assertTrue(session.point().position().isAtOrBelow(begun.getLast().position()), "it goes on");
    }
    assertEquals(List.of(), world.violations());
  }

  private void write(Backend backend) {
    BytesTransaction tx =
        backend.transaction(
            ReadLevel.SESSION,
            Isolation.SERIALIZABLE,
            session,
            new TimeLimit(DEADLINE, Optional.empty()));
    tx.put(Bytes.utf8("k"), Bytes.utf8("v"));
    tx.commit();
  }
}
