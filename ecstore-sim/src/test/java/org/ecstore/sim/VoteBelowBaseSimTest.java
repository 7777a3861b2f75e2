package org.ecstore.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.ecstore.core.runtime.NodeContext;
import org.ecstore.engines.window.WindowRules;
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
import org.ecstore.replication.copy.EngineWriter;
import org.ecstore.replication.view.LedgerView;
import org.ecstore.sim.node.NodeMutation;
import org.ecstore.sim.node.SimCluster;
import org.ecstore.sim.node.SimHost;
import org.ecstore.sim.world.SwarmSettings;
import org.ecstore.sim.world.Trace;
import org.ecstore.sim.world.World;
import org.ecstore.txn.commit.Participant;
import org.ecstore.txn.node.Node;
import org.ecstore.txn.node.NodeParts;
import org.ecstore.txn.node.NodeSettings;
import org.ecstore.txn.sequencer.SequencerLink;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A transaction whose snapshot has no lease any more: what was committed after it is folded, and
 * has left the window. Its vote is too old, by the copy's rule and by the engine's; only without
 * both of them, as in the planted bug newest-while-folding, an update is lost (W1).
 */
@Timeout(value = 1, unit = TimeUnit.MINUTES)
final class VoteBelowBaseSimTest {
  private static final long MILLI = SwarmSettings.MILLI;
  private static final long SECOND = SwarmSettings.SECOND;
  private static final int NODES = 3;
  private static final Bytes KEY = Bytes.utf8("k");

  private static final class WrongVotes extends FloorAtEachPosition {
    @Override
    public Participant participant(
        NodeContext context,
        LedgerView ledgerView,
        EngineWriter writer,
        SequencerLink sequencer,
        NodeSettings settings) {
      return new PlantedWindows.VotesBelowBase(
          new OnePart.ParticipantParts(
              context, ledgerView, writer, sequencer, settings.participant()));
    }
  }

  private static SimCluster cluster(World world, NodeParts parts, WindowRules rules) {
    NodeMutation right = NodeMutation.RIGHT;
    return new SimCluster(
        world,
        CalmCluster.settings(NODES, 20 * MILLI),
        new NodeMutation(
            "votes below the base",
            (self, settings, ports) -> new Node(self, settings, parts, ports),
            right.behaviour(),
            right.ledger(),
            rules),
        id ->
            NodeSettings.defaults("sim", ClientInSim.address(id))
                .withCopies(NODES)
                .withRetention(SECOND));
  }

  /** Of all copies of the key: nothing below it is answered. */
  private static Position base(SimCluster cluster) {
    return cluster.hosts().stream()
        .map(host -> (Node) host.machine())
        .flatMap(node -> node.inspect().copies().stream())
        .filter(copy -> copy.keys().contains(KEY))
        .map(copy -> copy.base())
        .reduce(Position::min)
        .orElseThrow();
  }

  @ParameterizedTest
  @CsvSource({"false, false", "true, false", "false, true", "true, true"})
  void anUpdateIsLostOnlyWithoutBothRules(boolean copyIsWrong, boolean engineIsWrong) {
    World world = new World(1, new Trace(null));
    SimCluster cluster =
        cluster(
            world,
            copyIsWrong ? new WrongVotes() : new FloorAtEachPosition(),
            engineIsWrong ? new PlantedWindows.VotesBelowKept() : WindowRules.RIGHT);
    CalmClient client = new CalmClient(world, cluster);
    NodeId node = cluster.hosts().getFirst().id();
    cluster.hosts().forEach(SimHost::start);
    CalmCluster.run(world, 60 * SECOND);
    client.write(node, KEY, Bytes.utf8("before"));
    ClientReply begun =
        client.ask(node, new ClientRequest.Begin(ReadLevel.SESSION, ReadPoint.ZERO));
    ReadPoint old = assertInstanceOf(ClientReply.Begun.class, begun).point();
    Position after = client.write(node, KEY, Bytes.utf8("after"));
    assertTrue(after.isAfter(old.position()), "it does not see this");
    for (int i = 0; i < 60; i++) {
      client.write(node, Bytes.utf8("other"), Bytes.utf8("v" + i));
      CalmCluster.run(world, SECOND / 2);
    }
    assertTrue(base(cluster).isAfter(after), "that has been folded");
    ClientReply late =
        client.ask(
            node,
            new ClientRequest.Commit(
                new TxnId(2, 1),
                old,
                Isolation.SNAPSHOT,
                List.of(),
                List.of(),
                List.of(new KeyWrite(KEY, Optional.of(Bytes.utf8("late")))),
                3_000));
    assertEquals(
        copyIsWrong && engineIsWrong, late instanceof ClientReply.Committed, late::toString);
  }
}
