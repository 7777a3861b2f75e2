package org.ecstore.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.ecstore.client.copies.AnsweredBy;
import org.ecstore.client.copies.Choice;
import org.ecstore.client.retry.Backoff;
import org.ecstore.client.routing.SessionToken;
import org.ecstore.client.routing.TimeLimit;
import org.ecstore.client.session.Backend;
import org.ecstore.client.session.BytesSnapshot;
import org.ecstore.core.message.Envelope;
import org.ecstore.id.NodeId;
import org.ecstore.id.Position;
import org.ecstore.id.ReadPoint;
import org.ecstore.key.Bytes;
import org.ecstore.model.EngineTraits;
import org.ecstore.model.NodeTraits;
import org.ecstore.model.Quorum;
import org.ecstore.model.ReadLevel;
import org.ecstore.model.Row;
import org.ecstore.protocol.ClientReply;
import org.ecstore.protocol.ClientRequest;
import org.ecstore.replication.copy.Copy;
import org.ecstore.replication.quorum.QuorumMessage.Probe;
import org.ecstore.sim.history.SimKeys;
import org.ecstore.sim.node.NodeMutation;
import org.ecstore.sim.node.SimCluster;
import org.ecstore.sim.node.SimHost;
import org.ecstore.sim.world.SwarmSettings;
import org.ecstore.sim.world.Trace;
import org.ecstore.sim.world.World;
import org.ecstore.txn.node.Node;
import org.ecstore.txn.node.NodeSettings;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A node of each kind, with a copy of everything (rule 23): whom clients and quorum reads ask for a
 * key whose primary is on the one made for writing.
 */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
final class EngineRoutesSimTest {
  private static final long MILLI = SwarmSettings.MILLI;
  private static final long SECOND = SwarmSettings.SECOND;
  private static final Duration DEADLINE = Duration.ofSeconds(60);
  private static final NodeId WRITING = new NodeId(1);
  private static final NodeId READING = new NodeId(2);
  private static final NodeId MEMORY = new NodeId(3);
  private static final Map<NodeId, EngineTraits> ENGINES =
      Map.of(
          WRITING, new EngineTraits("w", true, false, false, true),
          READING, new EngineTraits("r", false, true, false, true),
          MEMORY, new EngineTraits("m", true, true, true, true));
  private static final List<Bytes> BOUNDS =
      List.of(SimKeys.bound(60), SimKeys.bound(120), SimKeys.bound(180));
  private static final Quorum MEETING = new Quorum(3, 2, 2);

  private final World world = new World(1, new Trace(null));
  private final SimCluster cluster =
      new SimCluster(
          world,
          CalmCluster.settings(3, 20 * MILLI),
          NodeMutation.RIGHT,
          EngineRoutesSimTest::settings);
  private Bytes key = Bytes.EMPTY;
  private final List<NodeId> askedWhole = new ArrayList<>();
  private final List<NodeId> askedDigest = new ArrayList<>();

  private static NodeSettings settings(NodeId id) {
    EngineTraits engine = ENGINES.get(id);
    if (engine == null) {
      throw new IllegalArgumentException("no kind of " + id);
    }
    return NodeSettings.defaults("sim", ClientInSim.address(id))
        .withTraits(NodeTraits.UNKNOWN.with("1", engine))
        .withCopies(3)
        .withSplitHints(BOUNDS);
  }

  @BeforeEach
  void start() {
    cluster.hosts().forEach(SimHost::start);
    CalmCluster.run(world, 60 * SECOND);
    key =
        BOUNDS.stream()
            .filter(bound -> holders(bound, Copy.State.SERVING).equals(List.of(WRITING)))
            .findFirst()
            .orElseThrow();
    assertEquals(List.of(READING, MEMORY), holders(key, Copy.State.FOLLOWING));
    cluster.network().onSend(this::sent);
  }

  private List<NodeId> holders(Bytes of, Copy.State state) {
    return cluster.hosts().stream()
        .filter(
            host ->
                host.machine() instanceof Node node
                    && node.inspect().copies().stream()
                        .anyMatch(copy -> copy.state() == state && copy.keys().contains(of)))
        .map(SimHost::id)
        .toList();
  }

  /** What nodes ask themselves is no message. */
  private void sent(Envelope envelope) {
    if (envelope.body() instanceof Probe probe) {
      (probe.whole() ? askedWhole : askedDigest).add(envelope.to());
    }
  }

  private void read(CalmClient client, NodeId coordinator, Bytes value, Position version) {
    askedWhole.clear();
    askedDigest.clear();
    ClientReply reply =
        client.ask(coordinator, new ClientRequest.QuorumGet(key, MEETING, ReadPoint.ZERO, 3_000));
    ClientReply.QuorumValue found = assertInstanceOf(ClientReply.QuorumValue.class, reply);
    assertEquals(Optional.of(new Row(key, version, value)), found.row());
  }

  private void assertAsked(List<NodeId> forTheValue, List<NodeId> forADigest) {
    assertEquals(forTheValue, askedWhole, "for the value");
    assertEquals(forADigest, askedDigest, "for a digest");
  }

  @Test
  void quorumReadsAskTheCopyMadeForReadingForTheValueAndTheOneInMemoryForADigest() {
    CalmClient client = new CalmClient(world, cluster);
    Position version = client.write(WRITING, key, Bytes.utf8("v"));
    CalmCluster.run(world, SECOND);
    for (int i = 0; i < 20; i++) {
      read(client, WRITING, Bytes.utf8("v"), version);
      assertAsked(List.of(READING), List.of(MEMORY));
      read(client, MEMORY, Bytes.utf8("v"), version);
      assertAsked(List.of(READING), List.of());
      read(client, READING, Bytes.utf8("v"), version);
      assertAsked(List.of(), List.of(MEMORY));
    }
    assertEquals(List.of(), world.violations());
  }

  /** The Japanese paper's improvement. */
  @Test
  void quorumReadsPassOverACopyMadeForReadingThatLacksWhatWasJustWritten() {
    CalmClient client = new CalmClient(world, cluster);
    Position version = client.write(WRITING, key, Bytes.utf8("0"));
    CalmCluster.run(world, SECOND);
    int passedOver = 0;
    for (int i = 1; i <= 40; i++) {
      cluster.network().slow(WRITING.value(), READING.value(), 30 * MILLI);
      version = client.write(WRITING, key, Bytes.utf8(Integer.toString(i)));
      read(client, MEMORY, Bytes.utf8(Integer.toString(i)), version);
      passedOver += askedWhole.contains(READING) ? 0 : 1;
    }
    int times = passedOver;
    assertTrue(times > 30, () -> "passed over " + times + " times of 40");
    CalmCluster.run(world, 5 * SECOND);
    read(client, MEMORY, Bytes.utf8("40"), version);
    assertAsked(List.of(READING), List.of());
    assertEquals(List.of(), world.violations());
  }

  @Test
  void quorumReadsWaitForACopyMadeForReadingThatIsSilentOnceInAWhileOnly() {
    CalmClient client = new CalmClient(world, cluster);
    Position version = client.write(WRITING, key, Bytes.utf8("v"));
    CalmCluster.run(world, SECOND);
    cluster.hosts().get(1).pause(900 * MILLI);
    long until = world.nowNanos() + 800 * MILLI;
    int reads = 0;
    int asked = 0;
    while (world.nowNanos() < until) {
      read(client, WRITING, Bytes.utf8("v"), version);
      reads++;
      asked += askedWhole.contains(READING) ? 1 : 0;
    }
    int all = reads;
    int waited = asked;
    assertTrue(all > 20 && waited > 0 && waited < 7, () -> waited + " of " + all);
    CalmCluster.run(world, 5 * SECOND);
    read(client, WRITING, Bytes.utf8("v"), version);
    assertAsked(List.of(READING), List.of(MEMORY));
    assertEquals(List.of(), world.violations());
  }

  private AnsweredBy read(Backend backend, SessionToken session) {
    TimeLimit limit = new TimeLimit(DEADLINE, Optional.empty());
    try (BytesSnapshot snapshot = backend.snapshot(ReadLevel.SESSION, session, limit)) {
      snapshot.get(List.of(key));
      return snapshot.lastRead().orElseThrow();
    }
  }

  /** The nodes that nearly all of some reads come from; the others are to measure how far it is. */
  private Set<NodeId> readBecauseItReadsWell(Backend backend, SessionToken session) {
    Set<NodeId> nodes = new TreeSet<>();
    int times = 0;
    for (int i = 0; i < 50; i++) {
      AnsweredBy by = read(backend, session);
      if (by.choice().reason() == Choice.Reason.READS_WELL) {
        assertTrue(by.why().startsWith("of the copies about as near its engine reads best"));
        nodes.add(by.node());
        times++;
      } else {
        assertEquals(Choice.Reason.MEASURED, by.choice().reason(), by::toString);
      }
    }
    assertTrue(times > 40, "said so " + times + " times of 50");
    return nodes;
  }

  @Test
  void clientsReadTheCopyMadeForReadingThenTheOneInMemoryAndLastReadSaysSo() {
    ClientInSim client = new ClientInSim(world, cluster.network(), cluster.hosts());
    SessionToken session = new SessionToken(ReadPoint.ZERO);
    try (Backend backend =
        new Backend(
            client, client, new Backoff(MILLI, SECOND), Duration.ofSeconds(5), DEADLINE, 1)) {
      // Until how far each copy is has been measured some times.
      for (int i = 0; i < 400; i++) {
        client.pause(i % 20 == 0 ? 6 * SECOND : MILLI);
        read(backend, session);
      }
      assertEquals(Set.of(READING), readBecauseItReadsWell(backend, session));
      cluster.hosts().get(1).crash();
      read(backend, session);
      assertEquals(Set.of(MEMORY), readBecauseItReadsWell(backend, session));
    }
    assertEquals(List.of(), world.violations());
  }
}
