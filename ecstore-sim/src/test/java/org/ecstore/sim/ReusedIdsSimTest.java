package org.ecstore.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.ecstore.core.ledger.LedgerRecord;
import org.ecstore.core.message.Envelope;
import org.ecstore.core.port.Coordination.Member;
import org.ecstore.core.runtime.NodeContext;
import org.ecstore.id.MapVersion;
import org.ecstore.id.NodeId;
import org.ecstore.id.Position;
import org.ecstore.id.ReadPoint;
import org.ecstore.id.TxnId;
import org.ecstore.key.Bytes;
import org.ecstore.model.CatalogStamp;
import org.ecstore.model.Isolation;
import org.ecstore.model.KeyWrite;
import org.ecstore.model.ReadLevel;
import org.ecstore.protocol.ClientReply;
import org.ecstore.protocol.ClientRequest;
import org.ecstore.replication.view.LedgerView;
import org.ecstore.sim.check.LedgerModel;
import org.ecstore.sim.end.ClusterWatch;
import org.ecstore.sim.node.KindsOfNodes;
import org.ecstore.sim.node.NodeMutation;
import org.ecstore.sim.node.SimCluster;
import org.ecstore.sim.node.SimHost;
import org.ecstore.sim.world.SwarmSettings;
import org.ecstore.sim.world.Trace;
import org.ecstore.sim.world.World;
import org.ecstore.txn.message.Outcome;
import org.ecstore.txn.message.TxnMessage.OutcomeReply;
import org.ecstore.txn.message.TxnMessage.Submit;
import org.ecstore.txn.node.Node;
import org.ecstore.txn.node.NodeParts;
import org.ecstore.txn.node.NodeSettings;
import org.ecstore.txn.sequencer.Sequencer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;

/**
 * One transaction id at two coordinators (rule 5, decision 0118): the second one has no part in
 * what the first one does under it.
 */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
final class ReusedIdsSimTest {
  private static final long MILLI = SwarmSettings.MILLI;
  private static final long SECOND = SwarmSettings.SECOND;
  private static final TxnId TXN = new TxnId(7, 7);
  private static final int CHECKPOINT_RECORDS = 20;

  private final World world = new World(1, new Trace(null));
  private final Map<NodeId, Sequencer> sequencers = new TreeMap<>();
  private final Map<Long, Outcome> outcomes = new HashMap<>();
  private final LedgerModel model = new LedgerModel();
  private final SwarmSettings settings = CalmCluster.settings(5, 5 * MILLI);
  private final SimCluster cluster =
      new SimCluster(
          world,
          settings,
          new NodeMutation(
              "is seen",
              (self, given, ports) -> new Node(self, given, new Seen(), ports),
              NodeMutation.ClientBehaviour.RIGHT),
          ReusedIdsSimTest::node);
  private final ClusterWatch watch =
      new ClusterWatch(world, cluster, node(new NodeId(1)), model, KindsOfNodes.of(settings));
  private final CalmClient client = new CalmClient(world, cluster);

  /** Sequencers that write a checkpoint every few records. */
  private final class Seen extends NodeParts {
    @Override
    public Sequencer sequencer(
        NodeContext context,
        LedgerView ledgerView,
        NodeSettings given,
        Supplier<List<Member>> members,
        Runnable activated) {
      Sequencer.Bounds bounds = given.sequencer();
      Sequencer.Bounds often =
          new Sequencer.Bounds(
              bounds.appender(),
              bounds.outcomesKept(),
              bounds.outcomesMax(),
              CHECKPOINT_RECORDS,
              bounds.retentionNanos(),
              bounds.floorStep());
      Sequencer made = new Sequencer(context, ledgerView, often, members, activated);
      sequencers.put(context.self(), made);
      return made;
    }
  }

  private static NodeSettings node(NodeId id) {
    return NodeSettings.defaults("sim", ClientInSim.address(id)).withCopies(3);
  }

  private void start() {
    cluster.network().onSend(this::sent);
    cluster.hosts().forEach(SimHost::start);
    CalmCluster.run(world, 60 * SECOND);
  }

  private void sent(Envelope envelope) {
    if (envelope.body() instanceof OutcomeReply reply) {
      outcomes.put(reply.call(), reply.outcome());
    }
  }

  private ReadPoint begin(NodeId node) {
    ClientReply begun = client.ask(node, new ClientRequest.Begin(ReadLevel.STRONG, ReadPoint.ZERO));
    return assertInstanceOf(ClientReply.Begun.class, begun).point();
  }

  private static ClientRequest commit(ReadPoint point, Bytes key) {
    return new ClientRequest.Commit(
        TXN,
        point,
        Isolation.SERIALIZABLE,
        List.of(),
        List.of(),
        List.of(new KeyWrite(key, Optional.of(Bytes.utf8("v")))),
        3_000);
  }

  private NodeId primary(Bytes key) {
    NodeId any = cluster.hosts().getFirst().id();
    ClientReply located = client.ask(any, new ClientRequest.Locate(key));
    return assertInstanceOf(ClientReply.Located.class, located).route().primary();
  }

  private List<Bytes> keysServedBy(NodeId node) {
    return IntStream.range(0, 256)
        .mapToObj(Bytes::of)
        .filter(key -> primary(key).equals(node))
        .limit(2)
        .toList();
  }

  /** Nodes of which none leads. */
  private List<NodeId> followers() {
    NodeId leader = CalmCluster.leader(cluster).id();
    return cluster.hosts().stream()
        .filter(SimHost::isUp)
        .map(SimHost::id)
        .filter(id -> !id.equals(leader))
        .toList();
  }

  private void assertAllIsByTheLedger() {
    CalmCluster.run(world, 5 * SECOND);
    watch.check();
    assertEquals(List.of(), world.violations());
  }

  @Test
  void whatAnotherCoordinatorHasCommittedIsNotTakenForOnesOwn() {
    start();
    List<NodeId> nodes = followers();
    Bytes first = Bytes.of(1);
    Bytes second = Bytes.of(201);
    ReadPoint point = begin(nodes.getFirst());
    assertInstanceOf(
        ClientReply.Committed.class, client.ask(nodes.getFirst(), commit(point, first)));
    ClientReply reply = client.ask(nodes.get(1), commit(point, second));
    assertInstanceOf(ClientReply.OutcomeUnknown.class, reply);
    assertAllIsByTheLedger();
    // Its marks are gone.
    client.write(nodes.get(2), second, Bytes.utf8("free"));
    assertAllIsByTheLedger();
  }

  @Test
  void noVoteRestsOnWhatAnotherCoordinatorHasMarked() {
    start();
    NodeId leader = CalmCluster.leader(cluster).id();
    NodeId one =
        followers().stream().filter(id -> keysServedBy(id).size() == 2).findFirst().orElseThrow();
    NodeId other = followers().stream().filter(id -> !id.equals(one)).findFirst().orElseThrow();
    List<Bytes> keys = keysServedBy(one);
    ReadPoint point = begin(one);
    cluster.network().cut(one.value(), leader.value());
    cluster.network().cut(leader.value(), one.value());
    // It has voted for itself, and what it submits is lost.
    client.start(one, commit(point, keys.getFirst()), new ArrayList<>());
    CalmCluster.run(world, 200 * MILLI);
    ClientReply reply = client.ask(other, commit(point, keys.getLast()));
    assertInstanceOf(ClientReply.OutcomeUnknown.class, reply);
    cluster.network().heal();
    assertAllIsByTheLedger();
    LedgerModel.Decision decision = model.decision(TXN);
    if (decision != null && decision.record() instanceof LedgerRecord.Commit record) {
      assertEquals(one, record.coordinator());
    }
    keys.forEach(key -> client.write(other, key, Bytes.utf8("free")));
    assertAllIsByTheLedger();
  }

  private Sequencer leading() {
    return Objects.requireNonNull(sequencers.get(CalmCluster.leader(cluster).id()));
  }

  /** What the sequencer answers to a submission that writes nothing. */
  private Outcome submitted(long call, NodeId coordinator, long incarnation, Position snapshot) {
    Submit submit =
        new Submit(
            call,
            TXN,
            coordinator,
            incarnation,
            new ReadPoint(snapshot, MapVersion.ZERO),
            Isolation.SERIALIZABLE,
            List.of(),
            List.of(),
            CatalogStamp.at(0));
    Sequencer sequencer = leading();
    // What a node tells itself is not seen.
    NodeId told = followers().getFirst();
    world.scheduler().after(1, () -> sequencer.submit(told, submit));
    CalmCluster.run(world, SECOND);
    return Objects.requireNonNull(outcomes.get(call));
  }

  @Test
  void aSubmissionThatComesAgainIsAnsweredAsBeforeAlsoByTheNextSequencer() {
    start();
    NodeId one = followers().getFirst();
    NodeId other = followers().get(1);
    Position snapshot = leading().durable();
    Outcome committed = submitted(1_000_001, one, 7, snapshot);
    assertInstanceOf(Outcome.Committed.class, committed);
    assertEquals(committed, submitted(1_000_002, one, 7, snapshot));
    assertEquals(Outcome.NotNow.USED_ELSEWHERE, submitted(1_000_003, other, 7, snapshot));
    assertEquals(Outcome.NotNow.USED_ELSEWHERE, submitted(1_000_004, one, 8, snapshot));
    CalmCluster.leader(cluster).crash();
    CalmCluster.run(world, 30 * SECOND);
    assertEquals(committed, submitted(1_000_005, one, 7, snapshot));
    assertEquals(Outcome.NotNow.USED_ELSEWHERE, submitted(1_000_006, other, 7, snapshot));
  }

  private List<SimHost> being(Sequencer.State state) {
    return cluster.hosts().stream()
        .filter(host -> host.machine() instanceof Node node && node.inspect().sequencer() == state)
        .toList();
  }

  /** Of what a sequencer knows by a checkpoint alone it says nothing to either. */
  @Test
  void whoseCommitItIsIsNotGuessed() {
    start();
    List<SimHost> gone = new ArrayList<>(being(Sequencer.State.ACTIVE));
    gone.addAll(being(Sequencer.State.STANDBY));
    List<NodeId> stay =
        followers().stream()
            .filter(id -> gone.stream().noneMatch(host -> host.id().equals(id)))
            .toList();
    Position snapshot = leading().durable();
    Outcome.Committed committed =
        assertInstanceOf(
            Outcome.Committed.class, submitted(1_000_001, stay.getFirst(), 7, snapshot));
    for (int i = 0; i < 5 * CHECKPOINT_RECORDS; i++) {
      client.write(stay.getFirst(), Bytes.of(3), Bytes.utf8("v" + i));
    }
    CalmCluster.run(world, 5 * SECOND);
    assertTrue(leading().lastCheckpoint().isAfter(committed.number()), "a checkpoint holds it");
    gone.forEach(SimHost::crash);
    CalmCluster.run(world, 30 * SECOND);
    Outcome again = submitted(1_000_002, stay.getFirst(), 7, snapshot);
    assertInstanceOf(Outcome.NotNow.class, again);
    assertNotEquals(Outcome.NotNow.USED_ELSEWHERE, again);
    // A commit's number is above its snapshot: this is certainly not its own.
    assertEquals(
        Outcome.NotNow.USED_ELSEWHERE,
        submitted(1_000_003, stay.getFirst(), 7, committed.number()));
  }

  @ParameterizedTest
  @Seeds(few = 6, many = 200)
  void copiesAndOtherClientsKeepWhatWasPromised(long seed) {
    NodeMutation reused = NodeMutation.RIGHT.withClients(NodeMutation.ClientBehaviour.REUSES_IDS);
    assertEquals(List.of(), Simulation.run(seed, reused).violations());
  }
}
