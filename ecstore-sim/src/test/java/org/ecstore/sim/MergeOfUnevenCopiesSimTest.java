package org.ecstore.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.ecstore.core.map.RangeDescriptor;
import org.ecstore.core.runtime.NodeContext;
import org.ecstore.id.NodeId;
import org.ecstore.id.Position;
import org.ecstore.id.RangeId;
import org.ecstore.id.ReadPoint;
import org.ecstore.id.TxnId;
import org.ecstore.key.Bytes;
import org.ecstore.model.AdminRequest;
import org.ecstore.model.Isolation;
import org.ecstore.model.KeyWrite;
import org.ecstore.model.ReadLevel;
import org.ecstore.model.Row;
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
import org.ecstore.txn.commit.Participant;
import org.ecstore.txn.node.Node;
import org.ecstore.txn.node.NodeInspection.CopyView;
import org.ecstore.txn.node.NodeParts;
import org.ecstore.txn.node.NodeSettings;
import org.ecstore.txn.sequencer.SequencerLink;
import org.ecstore.txn.steward.decision.Decision;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The hole of decision 0017. A transaction in doubt holds back the closed position of a range; a
 * copy of the next range is made anew above it, on a node that has both; then the two are merged.
 * What comes of it has a base above its closed position, and must not be called closed there.
 */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
final class MergeOfUnevenCopiesSimTest {
  private static final long MILLI = SwarmSettings.MILLI;
  private static final long SECOND = SwarmSettings.SECOND;
  private static final Bytes MIDDLE = Bytes.utf8("01");
  private static final Bytes DOUBTED = Bytes.utf8("00a");
  private static final Bytes LOW = Bytes.utf8("00b");
  private static final Bytes HIGH = Bytes.utf8("01b");

  private final World world = new World(1, new Trace(null));
  private long transactions;

  /** Who is in doubt asks late. */
  private static class Patient extends NodeParts {
    @Override
    public Participant participant(
        NodeContext context,
        LedgerView ledgerView,
        EngineWriter writer,
        SequencerLink sequencer,
        NodeSettings settings) {
      return new Participant(
          context,
          ledgerView,
          writer,
          sequencer,
          new Participant.Timing(2 * SECOND, 300 * SECOND, 300 * SECOND, 1));
    }
  }

  /** As it was: closed at its base. */
  private static final class ClosedAtBase extends Patient {
    @Override
    public CopyTable copies(
        NodeContext context,
        LedgerView ledgerView,
        EngineWriter writer,
        WriteHolds holds,
        CopyTable.Listener listener) {
      return new CopyTable(context, ledgerView, writer, holds, listener) {
        @Override
        protected Position inherited(RangeDescriptor descriptor, List<Copy> sources) {
          Position base = sources.stream().map(Copy::base).reduce(Position.ZERO, Position::max);
          return Position.max(super.inherited(descriptor, sources), base);
        }
      };
    }
  }

  /** One run, up to what the copy that was merged of uneven ones answers in the end. */
  private final class Run {
    final SimCluster cluster;
    final SimClient client;

    Run(NodeParts parts) {
      cluster =
          new SimCluster(
              world,
              CalmCluster.settings(5, 20 * MILLI),
              new NodeMutation(
                  "merge",
                  (self, settings, ports) -> new Node(self, settings, parts, ports),
                  NodeMutation.ClientBehaviour.RIGHT),
              id -> NodeSettings.defaults("sim", "n" + id + ":1").withCopies(3));
      cluster.hosts().forEach(SimHost::start);
      CalmCluster.run(world, 60 * SECOND);
      client = CalmCluster.client(world, cluster);
    }

    private void await(String what, BooleanSupplier condition) {
      for (int i = 0; i < 3_000 && !condition.getAsBoolean(); i++) {
        CalmCluster.run(world, 10 * MILLI);
      }
      assertTrue(condition.getAsBoolean(), what);
    }

    private Optional<Node> node(NodeId id) {
      return cluster.hosts().stream()
          .filter(host -> host.id().equals(id) && host.isUp())
          .findFirst()
          .map(host -> (Node) host.machine());
    }

    private Optional<CopyView> copy(NodeId id, Bytes key) {
      return node(id).stream()
          .flatMap(node -> node.inspect().copies().stream())
          .filter(copy -> copy.keys().contains(key))
          .findFirst();
    }

    private List<NodeId> holders(Bytes key, Copy.State state) {
      return cluster.hosts().stream()
          .map(SimHost::id)
          .filter(id -> copy(id, key).filter(copy -> copy.state() == state).isPresent())
          .toList();
    }

    private NodeId leader() {
      return cluster.coordination().leader().orElseThrow();
    }

    private RangeId range(Bytes key) {
      NodeId primary = holders(key, Copy.State.SERVING).getFirst();
      return copy(primary, key).orElseThrow().id();
    }

    /** Again until it is done: what nodes have, the steward hears only once a period. */
    private void adminRequest(AdminRequest adminRequest) {
      Decision decision = node(leader()).orElseThrow().adminRequest(adminRequest);
      for (int i = 0; i < 5 && decision.outcome() == Decision.Outcome.REFUSED; i++) {
        CalmCluster.run(world, SECOND);
        decision = node(leader()).orElseThrow().adminRequest(adminRequest);
      }
      assertTrue(decision.outcome() != Decision.Outcome.REFUSED, decision.toString());
    }

    private ClientReply ask(NodeId node, ClientRequest request) {
      List<ClientReply> answers = new ArrayList<>();
      client.call(node, request, 10 * SECOND, reply -> reply.ifPresent(answers::add));
      await("an answer to " + request, () -> !answers.isEmpty());
      return answers.getFirst();
    }

    private ReadPoint begin(NodeId node) {
      ClientReply begun = ask(node, new ClientRequest.Begin(ReadLevel.STRONG, ReadPoint.ZERO));
      return assertInstanceOf(ClientReply.Begun.class, begun).point();
    }

    private ClientRequest commit(ReadPoint point, Bytes key) {
      return new ClientRequest.Commit(
          new TxnId(1, ++transactions),
          point,
          Isolation.SNAPSHOT,
          List.of(),
          List.of(),
          List.of(new KeyWrite(key, Optional.of(Bytes.utf8("v")))),
          3_000);
    }

    private void write(NodeId node, Bytes key) {
      assertInstanceOf(ClientReply.Committed.class, ask(node, commit(begin(node), key)), "written");
    }

    /** The value of LOW on the node whose copies were uneven. */
    Optional<Bytes> answer() {
      adminRequest(new AdminRequest.Split(range(LOW), Optional.of(MIDDLE)));
      await(
          "split", () -> areServed() && holders(HIGH, Copy.State.FOLLOWING).size() == 2 && !same());
      NodeId primary = holders(LOW, Copy.State.SERVING).getFirst();
      List<NodeId> secondaries = holders(LOW, Copy.State.FOLLOWING);
      NodeId uneven = secondaries.getFirst();
      NodeId free =
          cluster.hosts().stream()
              .map(SimHost::id)
              .filter(id -> copy(id, HIGH).isEmpty() && !id.equals(leader()))
              .findFirst()
              .orElseThrow();
      adminRequest(new AdminRequest.Move(range(HIGH), free, Optional.of(uneven)));
      await("away", () -> copy(uneven, HIGH).isEmpty() && copy(free, HIGH).isPresent());
      CalmCluster.run(world, SECOND);
      // In doubt: the coordinator is gone between vote and submission.
      client.call(free, commit(begin(free), DOUBTED), 10 * SECOND, _ -> {});
      for (int i = 0; i < 10_000 && node(primary).orElseThrow().inspect().holders() == 0; i++) {
        CalmCluster.run(world, MILLI / 20);
      }
      cluster.hosts().stream().filter(host -> host.id().equals(free)).forEach(SimHost::crash);
      write(primary, LOW);
      write(primary, HIGH);
      adminRequest(new AdminRequest.Move(range(HIGH), uneven, Optional.of(free)));
      await("back", () -> holders(HIGH, Copy.State.FOLLOWING).contains(uneven));
      CopyView low = copy(uneven, LOW).orElseThrow();
      CopyView high = copy(uneven, HIGH).orElseThrow();
      assertTrue(high.base().isAfter(low.closed()), low + " " + high);
      await("both are served", this::areServed);
      adminRequest(new AdminRequest.Merge(range(LOW), range(HIGH)));
      await("merged", () -> areServed() && same());
      CalmCluster.run(world, 10 * SECOND);
      CopyView merged = copy(uneven, LOW).orElseThrow();
      ReadPoint point = begin(primary);
      await(
          "it follows",
          () -> point.position().isAtOrBelow(copy(uneven, LOW).orElseThrow().closed()));
      ClientReply reply =
          ask(
              uneven,
              new ClientRequest.Get(point, merged.id(), merged.epoch(), List.of(LOW), false));
      return assertInstanceOf(ClientReply.Values.class, reply).rows().getFirst().map(Row::value);
    }

    private boolean areServed() {
      return holders(LOW, Copy.State.SERVING).size() == 1
          && holders(HIGH, Copy.State.SERVING).size() == 1;
    }

    private boolean same() {
      return range(LOW).equals(range(HIGH));
    }
  }

  @Test
  void itGetsWhatItLacksBeforeItAnswers() {
    assertEquals(Optional.of(Bytes.utf8("v")), new Run(new Patient()).answer());
    assertEquals(List.of(), world.violations());
  }

  @Test
  void calledClosedAtItsBaseItLosesAWrite() {
    assertEquals(Optional.empty(), new Run(new ClosedAtBase()).answer());
  }
}
