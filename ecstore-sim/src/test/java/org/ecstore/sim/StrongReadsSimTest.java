package org.ecstore.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import org.ecstore.core.runtime.NodeContext;
import org.ecstore.id.NodeId;
import org.ecstore.id.Position;
import org.ecstore.id.ReadPoint;
import org.ecstore.key.Bytes;
import org.ecstore.model.ReadLevel;
import org.ecstore.protocol.ClientReply;
import org.ecstore.protocol.ClientRequest;
import org.ecstore.replication.copy.CopyTable;
import org.ecstore.replication.view.LedgerView;
import org.ecstore.sim.node.NodeMutation;
import org.ecstore.sim.node.SimCluster;
import org.ecstore.sim.node.SimHost;
import org.ecstore.sim.world.SwarmSettings;
import org.ecstore.sim.world.Trace;
import org.ecstore.sim.world.World;
import org.ecstore.txn.message.TxnMessage;
import org.ecstore.txn.node.Node;
import org.ecstore.txn.node.NodeParts;
import org.ecstore.txn.node.NodeSettings;
import org.ecstore.txn.node.ReadBarrier;
import org.ecstore.txn.node.SnapshotBegins;
import org.ecstore.txn.sequencer.Appender;
import org.ecstore.txn.sequencer.Sequencer;
import org.ecstore.txn.sequencer.SequencerLink;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Many strong starts share a question to the sequencer, and many questions an append; each begins
 * only after those came that it serves (rule 9). What goes wrong otherwise needs an answer that is
 * long on its way, which random faults hardly ever bring about.
 */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class StrongReadsSimTest {
  private static final long MILLI = SwarmSettings.MILLI;
  private static final long SECOND = SwarmSettings.SECOND;
  private static final int SEEDS = 30;

  /** A cluster of three, and who is what in it. */
  private record Scene(
      World world, SimCluster cluster, CalmClient client, NodeId leader, NodeId other) {
    static Scene of(long seed, NodeParts parts) {
      World world = new World(seed, new Trace(null));
      SimCluster cluster =
          new SimCluster(
              world,
              CalmCluster.settings(3, 20 * MILLI),
              new NodeMutation(
                  "strong",
                  (self, settings, ports) -> new Node(self, settings, parts, ports),
                  NodeMutation.ClientBehaviour.RIGHT),
              id -> NodeSettings.defaults("sim", "n" + id + ":1"));
      cluster.hosts().forEach(SimHost::start);
      CalmCluster.run(world, 60 * SECOND);
      NodeId leader = leader(cluster, Optional.empty());
      NodeId other =
          cluster.hosts().stream()
              .map(SimHost::id)
              .filter(id -> !id.equals(leader))
              .findFirst()
              .orElseThrow();
      return new Scene(world, cluster, new CalmClient(world, cluster), leader, other);
    }

    static NodeId leader(SimCluster cluster, Optional<NodeId> not) {
      return cluster.hosts().stream()
          .filter(
              host ->
                  host.machine() instanceof Node node
                      && node.inspect().sequencer() == Sequencer.State.ACTIVE)
          .map(SimHost::id)
          .filter(id -> !not.equals(Optional.of(id)))
          .findFirst()
          .orElseThrow();
    }

    /** A key that lives on a node. */
    Bytes keyOn(NodeId node) {
      return FailOverSimTest.primaries(cluster).entrySet().stream()
          .filter(range -> range.getValue().equals(node))
          .map(Map.Entry::getKey)
          .map(start -> start.concat(Bytes.of((byte) 1)))
          .findFirst()
          .orElseThrow();
    }

    /** Of the third node the other would hear what was committed. */
    void silenceThird() {
      cluster.hosts().stream()
          .map(SimHost::id)
          .filter(id -> !id.equals(leader) && !id.equals(other))
          .forEach(third -> cluster.network().cut(third.value(), other.value()));
    }

    void startStrong(NodeId node, List<ClientReply> answers) {
      client.start(node, new ClientRequest.Begin(ReadLevel.STRONG, ReadPoint.ZERO), answers);
    }
  }

  /**
   * The answer to a node's first question is long on its way; meanwhile something is committed, and
   * then a client asks that node for a strong start. Whether the client begins where that is
   * visible.
   */
  private static boolean seesWhatWasCommittedAfterTheQuestion(long seed, NodeParts parts) {
    Scene scene = Scene.of(seed, parts);
    boolean[] slowed = {false};
    scene
        .cluster()
        .network()
        .onSend(
            envelope -> {
              if (!slowed[0]
                  && envelope.body() instanceof TxnMessage.PositionReply
                  && envelope.to().equals(scene.other())) {
                slowed[0] = true;
                scene
                    .cluster()
                    .network()
                    .slow(scene.leader().value(), scene.other().value(), 500 * MILLI);
                scene.silenceThird();
              }
            });
    List<ClientReply> first = new ArrayList<>();
    scene.startStrong(scene.other(), first);
    CalmCluster.run(scene.world(), 200 * MILLI);
    assertTrue(slowed[0] && first.isEmpty(), "the answer is on its way");
    Position committed =
        scene.client().write(scene.leader(), scene.keyOn(scene.leader()), Bytes.utf8("x"));
    assertTrue(first.isEmpty(), "the answer is still on its way");
    List<ClientReply> second = new ArrayList<>();
    scene.startStrong(scene.other(), second);
    CalmCluster.run(scene.world(), 5 * SECOND);
    assertEquals(1, first.size());
    return holds(second, committed);
  }

  /** Whether a start was refused, or is not below a position. */
  private static boolean holds(List<ClientReply> answers, Position position) {
    assertEquals(1, answers.size());
    return !(answers.getFirst() instanceof ClientReply.Begun begun)
        || !position.isAfter(begun.point().position());
  }

  /**
   * A sequencer hears late that its append is durable; meanwhile another has taken over and
   * committed something, of which it hears nothing, and then a client asks it for a strong start.
   */
  private static boolean seesWhatItsSuccessorCommitted(long seed, NodeParts parts) {
    Scene scene = Scene.of(seed, parts);
    NodeId deposed = scene.leader();
    scene.startStrong(deposed, new ArrayList<>());
    CalmCluster.run(scene.world(), MILLI);
    long back = scene.world().nowNanos() + 12 * SECOND;
    scene.cluster().ledger().cutOff(deposed, 12 * SECOND);
    scene.cluster().coordination().cutOff(deposed, 20 * SECOND);
    for (SimHost host : scene.cluster().hosts()) {
      if (!host.id().equals(deposed)) {
        scene.cluster().network().cut(deposed.value(), host.id().value());
        scene.cluster().network().cut(host.id().value(), deposed.value());
      }
    }
    CalmCluster.run(scene.world(), 8 * SECOND);
    NodeId successor = Scene.leader(scene.cluster(), Optional.of(deposed));
    Position committed = scene.client().write(successor, scene.keyOn(successor), Bytes.utf8("x"));
    CalmCluster.run(scene.world(), back - 500 * MILLI - scene.world().nowNanos());
    List<ClientReply> answers = new ArrayList<>();
    scene.startStrong(deposed, answers);
    CalmCluster.run(scene.world(), 11 * SECOND);
    return holds(answers, committed);
  }

  @Test
  void aQuestionServesWhoCameBeforeIt() {
    for (long seed = 1; seed <= SEEDS; seed++) {
      assertTrue(seesWhatWasCommittedAfterTheQuestion(seed, new NodeParts()), "seed " + seed);
    }
  }

  @Test
  void whoGoesWithAQuestionUnderWayMissesCommits() {
    assertFalse(
        LongStream.rangeClosed(1, SEEDS)
            .allMatch(seed -> seesWhatWasCommittedAfterTheQuestion(seed, new QuestionBefore())));
  }

  @Test
  @Tag("slow")
  void anAppendServesWhoCameBeforeIt() {
    for (long seed = 1; seed <= SEEDS; seed++) {
      assertTrue(seesWhatItsSuccessorCommitted(seed, new NodeParts()), "seed " + seed);
    }
  }

  @Test
  void whoGoesWithAnAppendUnderWayMissesCommits() {
    assertFalse(
        LongStream.rangeClosed(1, SEEDS)
            .allMatch(
                seed -> seesWhatItsSuccessorCommitted(seed, OnePart.sequencer(AppendBefore::new))));
  }

  /** Against rule 9: who asks for a strong start gets the answer to a question sent before. */
  private static final class QuestionBefore extends NodeParts {
    @Override
    public SnapshotBegins begins(
        NodeContext context,
        LedgerView ledgerView,
        CopyTable copies,
        SequencerLink sequencer,
        ReadBarrier positions,
        NodeSettings settings) {
      return new SnapshotBegins(
          context, ledgerView, copies, sequencer, positions, settings.tickNanos()) {
        @Override
        protected boolean serves(long askedNanos, Optional<Long> lagNanos) {
          return true;
        }
      };
    }
  }

  /** Against rule 9: an append that was under way when the question came will do. */
  private static final class AppendBefore extends OnePart.Sequencing {
    AppendBefore(OnePart.SequencerParts parts) {
      super(parts);
    }

    @Override
    protected Appender newAppender(
        NodeContext on,
        Appender.Bounds within,
        Position last,
        Runnable grown,
        Consumer<String> failed) {
      return new Appender(on, within, last, grown, failed) {
        @Override
        public void whenNextDurable(Runnable durably, Consumer<String> lost) {
          Position begun = new Position(next().value() - 1);
          if (begun.isAfter(durable())) {
            whenDurable(begun, durably, lost);
          } else {
            super.whenNextDurable(durably, lost);
          }
        }
      };
    }
  }
}
