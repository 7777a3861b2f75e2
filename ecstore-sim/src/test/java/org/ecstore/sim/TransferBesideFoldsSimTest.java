package org.ecstore.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.ecstore.core.runtime.NodeContext;
import org.ecstore.id.NodeId;
import org.ecstore.id.Position;
import org.ecstore.id.ReadPoint;
import org.ecstore.id.TxnId;
import org.ecstore.key.Bytes;
import org.ecstore.model.AdminRequest;
import org.ecstore.model.AtomicOp;
import org.ecstore.model.Isolation;
import org.ecstore.model.KeyWrite;
import org.ecstore.model.Mutation;
import org.ecstore.model.ReadLevel;
import org.ecstore.protocol.ClientReply;
import org.ecstore.protocol.ClientRequest;
import org.ecstore.replication.copy.Copy;
import org.ecstore.replication.copy.CopyBuilder;
import org.ecstore.replication.copy.CopySource;
import org.ecstore.replication.copy.CopyTable;
import org.ecstore.replication.copy.EngineWriter;
import org.ecstore.replication.hotspot.HotReplicaSettings;
import org.ecstore.sim.check.LedgerModel;
import org.ecstore.sim.client.SimClient;
import org.ecstore.sim.end.ClusterWatch;
import org.ecstore.sim.node.KindsOfNodes;
import org.ecstore.sim.node.NodeMutation;
import org.ecstore.sim.node.SimCluster;
import org.ecstore.sim.node.SimEngine;
import org.ecstore.sim.node.SimHost;
import org.ecstore.sim.world.SwarmSettings;
import org.ecstore.sim.world.Trace;
import org.ecstore.sim.world.World;
import org.ecstore.txn.node.Node;
import org.ecstore.txn.node.NodeInspection.CopyView;
import org.ecstore.txn.node.NodeParts;
import org.ecstore.txn.node.NodeSettings;
import org.ecstore.txn.steward.decision.Decision;
import org.ecstore.wire.WireWriter;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;

/**
 * A range moves while its updates fill the windows of versions, so that each round of folds ends
 * the snapshots that are older (rules W7, W8, decision 0078). The transfer takes several rounds.
 */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
final class TransferBesideFoldsSimTest {
  private static final long MILLI = SwarmSettings.MILLI;
  private static final long SECOND = SwarmSettings.SECOND;

  /** A row a chunk, 3 ms each about: the transfer takes four rounds of a second or so. */
  private static final int KEYS = 1_500;

  private static final int WRITES_AT_ONCE = 100;
  private static final int VALUE_BYTES = 100;

  /** Full in less than a round. */
  private static final long WINDOW_BYTES = 60_000;

  private static final long UPDATE_NANOS = 5 * MILLI;
  private static final long PATIENCE_NANOS = 40 * SECOND;

  /** Sends a row at a time. */
  private static class RowByRow extends NodeParts {
    @Override
    public CopySource source(NodeContext context, CopyTable copies, NodeSettings settings) {
      return new CopySource(context, copies, settings.leaseNanos(), bounds());
    }

    static CopySource.Bounds bounds() {
      return new CopySource.Bounds(1, 1 << 20);
    }
  }

  /** As it was: a transfer ends with the snapshots that are as old. */
  private static final class KeepsToItsStamp extends RowByRow {
    @Override
    public CopySource source(NodeContext context, CopyTable copies, NodeSettings settings) {
      return new CopySource(context, copies, settings.leaseNanos(), bounds()) {
        @Override
        protected boolean answers(Copy copy, Position stamp) {
          return true;
        }
      };
    }
  }

  /** Against rules 10 and W7: few seeds meet it, for a floor above the stamp hides it. */
  private static final class AnswersFromItsFirstChunk extends RowByRow {
    @Override
    public CopyBuilder builder(
        NodeContext context, CopyTable copies, EngineWriter writer, NodeSettings settings) {
      return new PlantedTransfers.AnswersFromFirstChunk.Builder(context, copies, writer, settings);
    }
  }

  /** Against rules 10 and W7. */
  private static final class ClosedAtItsLastChunk extends RowByRow {
    @Override
    public CopyBuilder builder(
        NodeContext context, CopyTable copies, EngineWriter writer, NodeSettings settings) {
      return new PlantedTransfers.ClosedAtLastChunk.Builder(context, copies, writer, settings);
    }
  }

  /** Two nodes, a range of one with many rows, and a client that updates them all the time. */
  private static final class Scene {
    private final SwarmSettings settings = CalmCluster.settings(2, 20 * MILLI);
    private final World world;
    private final SimCluster cluster;
    private final SimClient client;
    private final ClusterWatch watch;
    private final SplittableRandom random;
    private final NodeId from;
    private final NodeId to;
    private boolean updating;
    private long transactions;
    private int committed;
    private long requests;

    Scene(long seed, NodeParts parts) {
      world = new World(seed, new Trace(null));
      random = new SplittableRandom(seed);
      NodeSettings node =
          NodeSettings.defaults("sim", "n:1")
              .withCopies(1)
              .withHotReplicas(HotReplicaSettings.NONE);
      cluster =
          new SimCluster(
              world,
              settings,
              new NodeMutation(
                  "row by row",
                  (self, its, ports) -> new Node(self, its, parts, ports),
                  NodeMutation.ClientBehaviour.RIGHT),
              _ -> node);
      watch = new ClusterWatch(world, cluster, node, new LedgerModel(), KindsOfNodes.of(settings));
      cluster.hosts().forEach(SimHost::start);
      CalmCluster.run(world, 60 * SECOND);
      client = CalmCluster.client(world, cluster);
      from = serving().orElseThrow();
      to =
          cluster.hosts().stream()
              .map(SimHost::id)
              .filter(id -> !id.equals(from))
              .findFirst()
              .orElseThrow();
      fill();
    }

    private static Bytes key(int number) {
      return Bytes.utf8("k%06d".formatted(number));
    }

    private static boolean isCounter(int number) {
      return number % 3 == 0;
    }

    private void fill() {
      for (int first = 0; first < KEYS; first += WRITES_AT_ONCE) {
        commit(
            IntStream.range(first, first + WRITES_AT_ONCE)
                .mapToObj(number -> new KeyWrite(key(number), written(number)))
                .toList());
        CalmCluster.run(world, 200 * MILLI);
      }
      assertEquals(KEYS / WRITES_AT_ONCE, committed);
      CalmCluster.run(world, 20 * SECOND);
      cluster.hosts().forEach(host -> cluster.engine(host).windowBytesMax(WINDOW_BYTES));
    }

    /** To a counter one is added; other rows are put, and deleted, each in a fifth of the cases. */
    private Mutation written(int number) {
      if (isCounter(number)) {
        return new Mutation.Operation(AtomicOp.ADD, new WireWriter().i64(1).toBytes());
      }
      return random.nextInt(5) == 0
          ? Mutation.delete()
          : new Mutation.Put(Bytes.wrap(new byte[VALUE_BYTES]));
    }

    /** Begins a transaction of these writes, and commits it once it has begun. */
    private void commit(List<KeyWrite> writes) {
      NodeId node = serving().orElse(from);
      client.call(
          node,
          new ClientRequest.Begin(ReadLevel.SESSION, ReadPoint.ZERO),
          SECOND,
          begun -> {
            if (begun.orElse(null) instanceof ClientReply.Begun(var point, _, _)) {
              client.call(node, commit(point, writes), 5 * SECOND, this::answered);
            }
          });
    }

    private ClientRequest commit(ReadPoint point, List<KeyWrite> writes) {
      return new ClientRequest.Commit(
          new TxnId(1, ++transactions),
          point,
          Isolation.SNAPSHOT,
          List.of(),
          List.of(),
          writes,
          3_000);
    }

    private void answered(Optional<ClientReply> reply) {
      committed += reply.orElse(null) instanceof ClientReply.Committed ? 1 : 0;
    }

    private void update() {
      if (updating) {
        List<KeyWrite> writes = new ArrayList<>();
        int number = random.nextInt(KEYS - 1);
        writes.add(new KeyWrite(key(number), written(number)));
        writes.add(new KeyWrite(key(number + 1), written(number + 1)));
        commit(writes);
        world.scheduler().after(UPDATE_NANOS, this::update);
      }
    }

    private Optional<CopyView> copy(SimHost host) {
      return host.machine() instanceof Node node
          ? node.inspect().copies().stream()
              .filter(copy -> copy.keys().contains(key(0)))
              .filter(copy -> copy.state() == Copy.State.SERVING)
              .findFirst()
          : Optional.empty();
    }

    private Optional<NodeId> serving() {
      return cluster.hosts().stream()
          .filter(host -> copy(host).isPresent())
          .map(SimHost::id)
          .findFirst();
    }

    private void move() {
      CopyView copy =
          cluster.hosts().stream().flatMap(host -> copy(host).stream()).findFirst().orElseThrow();
      CalmCluster.leading(cluster)
          .adminRequest(new AdminRequest.Move(copy.id(), to, Optional.empty()), ++requests);
    }

    /** Asks for the move again whenever it has failed; how often that was, if it has moved. */
    Optional<Long> moved() {
      updating = true;
      update();
      CalmCluster.run(world, 3 * SECOND);
      watch.check();
      committed = 0;
      move();
      long until = world.nowNanos() + PATIENCE_NANOS;
      while (!serving().equals(Optional.of(to)) && world.nowNanos() < until) {
        CalmCluster.run(world, 100 * MILLI);
        watch.check();
        if (hasFailed()) {
          move();
        }
      }
      return serving().filter(to::equals).map(_ -> requests);
    }

    private boolean hasFailed() {
      return CalmCluster.leading(cluster).decisions().stream()
          .filter(decision -> decision.adminRequest() == requests)
          .anyMatch(decision -> decision.outcome() == Decision.Outcome.PUT_OFF);
    }

    void rest() {
      int before = committed;
      CalmCluster.run(world, 3 * SECOND);
      assertTrue(committed > before, "updates go on where the range is now");
      updating = false;
      CalmCluster.run(world, 10 * SECOND);
      watch.check();
    }
  }

  @ParameterizedTest
  @Seeds(few = 2, many = 12)
  void itEndsAndLacksNothing(long seed) {
    Scene scene = new Scene(seed, new RowByRow());
    assertEquals(Optional.of(1L), scene.moved(), () -> "" + scene.world.happened());
    assertTrue(scene.committed > 100, () -> scene.committed + " updates beside it");
    assertTrue(scene.world.happened().containsKey(SimEngine.FILLED));
    assertTrue(scene.world.happened().containsKey("snapshots end for want of room"));
    scene.rest();
    assertEquals(List.of(), scene.world.violations());
  }

  @Test
  void aBaseAtTheFirstChunkIsFound() {
    assertFound(new AnswersFromItsFirstChunk());
  }

  @Test
  void aClosedPositionAtTheLastChunkIsFound() {
    assertFound(new ClosedAtItsLastChunk());
  }

  private static void assertFound(NodeParts wrong) {
    Scene scene = new Scene(1, wrong);
    scene.moved();
    assertTrue(
        scene.world.violations().stream()
            .anyMatch(violation -> violation.toString().contains("closed positions never lie")),
        () -> "" + scene.world.violations());
  }

  @Test
  @Tag("slow")
  void keptToItsStampItBeginsAgainAndAgain() {
    Scene scene = new Scene(1, new KeepsToItsStamp());
    assertEquals(Optional.empty(), scene.moved());
    assertTrue(scene.requests > 1, () -> "it was begun " + scene.requests + " times");
    assertEquals(List.of(), scene.world.violations());
  }
}
