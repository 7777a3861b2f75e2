package org.ecstore.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.ecstore.core.message.Envelope;
import org.ecstore.id.NodeId;
import org.ecstore.id.Position;
import org.ecstore.id.ReadPoint;
import org.ecstore.key.Bytes;
import org.ecstore.model.EngineTraits;
import org.ecstore.model.NodeTraits;
import org.ecstore.model.Quorum;
import org.ecstore.model.Row;
import org.ecstore.protocol.ClientReply;
import org.ecstore.protocol.ClientRequest;
import org.ecstore.replication.copy.Copy;
import org.ecstore.replication.quorum.QuorumMessage.Probe;
import org.ecstore.replication.quorum.QuorumMessage.Reach;
import org.ecstore.sim.history.SimKeys;
import org.ecstore.sim.node.KindsOfNodes;
import org.ecstore.sim.node.NodeMutation;
import org.ecstore.sim.node.SimCluster;
import org.ecstore.sim.node.SimHost;
import org.ecstore.sim.world.SwarmSettings;
import org.ecstore.sim.world.Trace;
import org.ecstore.sim.world.World;
import org.ecstore.txn.node.Node;
import org.ecstore.txn.node.NodeInspection.CopyView;
import org.ecstore.txn.node.NodeSettings;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Reads by a quorum of (4, 3, 2), on two nodes made for writing, one made for reading and one in
 * memory: three copies must have what is returned, and two are asked (rule 13, decision 0109).
 */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
final class QuorumWriteBackSimTest {
  private static final long MILLI = SwarmSettings.MILLI;
  private static final long SECOND = SwarmSettings.SECOND;
  private static final NodeId WRITING = new NodeId(1);
  private static final NodeId READING = new NodeId(3);
  private static final NodeId MEMORY = new NodeId(4);
  private static final List<EngineTraits> ENGINES =
      List.of(KindsOfNodes.WRITE, KindsOfNodes.WRITE, KindsOfNodes.READ, KindsOfNodes.MEMORY);
  private static final List<Bytes> BOUNDS =
      List.of(SimKeys.bound(60), SimKeys.bound(120), SimKeys.bound(180));
  private static final Quorum FOUR = new Quorum(4, 3, 2);

  private final World world = new World(1, new Trace(null));
  private final SimCluster cluster =
      new SimCluster(
          world,
          CalmCluster.settings(ENGINES.size(), 20 * MILLI),
          NodeMutation.RIGHT,
          QuorumWriteBackSimTest::settings);
  private Bytes key = Bytes.EMPTY;
  private final List<NodeId> askedWhole = new ArrayList<>();
  private final List<NodeId> askedDigest = new ArrayList<>();
  private int reaches;

  private static NodeSettings settings(NodeId id) {
    return NodeSettings.defaults("sim", ClientInSim.address(id))
        .withTraits(NodeTraits.UNKNOWN.with("1", ENGINES.get((int) id.value() - 1)))
        .withCopies(ENGINES.size())
        .withSplitHints(BOUNDS);
  }

  @BeforeEach
  void start() {
    cluster.hosts().forEach(SimHost::start);
    CalmCluster.run(world, 120 * SECOND);
    key =
        BOUNDS.stream()
            .filter(bound -> holders(bound, Copy.State.SERVING).equals(List.of(WRITING)))
            .findFirst()
            .orElseThrow();
    assertEquals(3, holders(key, Copy.State.FOLLOWING).size());
    cluster.network().onSend(this::sent);
  }

  private Stream<CopyView> copies(SimHost host, Bytes of) {
    return host.machine() instanceof Node node
        ? node.inspect().copies().stream().filter(copy -> copy.keys().contains(of))
        : Stream.of();
  }

  private List<NodeId> holders(Bytes of, Copy.State state) {
    return cluster.hosts().stream()
        .filter(host -> copies(host, of).anyMatch(copy -> copy.state() == state))
        .map(SimHost::id)
        .toList();
  }

  /** How many copies have the key as of a position. */
  private long having(Position position) {
    return cluster.hosts().stream()
        .filter(host -> copies(host, key).anyMatch(copy -> position.isAtOrBelow(copy.closed())))
        .count();
  }

  /** What nodes ask themselves is no message. */
  private void sent(Envelope envelope) {
    if (envelope.body() instanceof Probe probe) {
      (probe.whole() ? askedWhole : askedDigest).add(envelope.to());
    } else if (envelope.body() instanceof Reach) {
      reaches++;
    }
  }

  private ClientReply.QuorumValue read(CalmClient client, NodeId coordinator, Row wanted) {
    askedWhole.clear();
    askedDigest.clear();
    reaches = 0;
    ClientReply reply =
        client.ask(coordinator, new ClientRequest.QuorumGet(key, FOUR, ReadPoint.ZERO, 3_000));
    ClientReply.QuorumValue found = assertInstanceOf(ClientReply.QuorumValue.class, reply);
    assertEquals(Optional.of(wanted), found.row());
    assertTrue(having(wanted.version()) >= FOUR.w(), "a later read may miss it");
    return found;
  }

  private Row written(CalmClient client, String value) {
    Bytes bytes = Bytes.utf8(value);
    return new Row(key, client.write(WRITING, key, bytes), bytes);
  }

  private static TreeSet<NodeId> answered(ClientReply.QuorumValue found) {
    TreeSet<NodeId> nodes = new TreeSet<>();
    found.copies().forEach(copy -> nodes.add(copy.node()));
    return nodes;
  }

  @Test
  void whatThreeCopiesHaveIsReturnedWithoutAskingOthersToGetIt() {
    CalmClient client = new CalmClient(world, cluster);
    Row row = written(client, "v");
    CalmCluster.run(world, 2 * SECOND);
    for (int i = 0; i < 20; i++) {
      for (NodeId coordinator : List.of(WRITING, READING, MEMORY)) {
        ClientReply.QuorumValue found = read(client, coordinator, row);
        assertFalse(found.writtenBack());
        assertEquals(0, reaches);
        assertEquals(new TreeSet<>(List.of(WRITING, READING)), answered(found));
        assertEquals(coordinator.equals(READING) ? List.of() : List.of(READING), askedWhole);
        assertEquals(coordinator.equals(WRITING) ? List.of() : List.of(WRITING), askedDigest);
      }
    }
    assertEquals(List.of(), world.violations());
  }

  /** The primary reaches the node that leads, and no other: two have what was written. */
  @Test
  void whatFewerHaveIsBroughtToThree() {
    CalmClient client = new CalmClient(world, cluster);
    NodeId leader = CalmCluster.leader(cluster).id();
    for (int i = 0; i < 10; i++) {
      for (long other = 2; other <= ENGINES.size(); other++) {
        if (other != leader.value()) {
          cluster.network().cut(WRITING.value(), other);
        }
      }
      Row row = written(client, Integer.toString(i));
      assertTrue(read(client, leader, row).writtenBack());
      cluster.network().heal();
      CalmCluster.run(world, 2 * SECOND);
      assertFalse(read(client, leader, row).writtenBack());
    }
    assertEquals(List.of(), world.violations());
  }

  /** The copies that answer do not know of the others. */
  @Test
  void withoutThePrimarysWordOthersAreAskedToGetIt() {
    CalmClient client = new CalmClient(world, cluster);
    Row row = written(client, "v");
    CalmCluster.run(world, 2 * SECOND);
    cluster.hosts().getFirst().pause(400 * MILLI);
    long until = world.nowNanos() + 300 * MILLI;
    int reads = 0;
    while (world.nowNanos() < until) {
      ClientReply.QuorumValue found = read(client, READING, row);
      assertTrue(found.writtenBack());
      assertTrue(reaches > 0);
      assertFalse(answered(found).contains(WRITING));
      reads++;
    }
    int times = reads;
    assertTrue(times > 1, () -> "only " + times + " reads while the primary was silent");
    CalmCluster.run(world, 5 * SECOND);
    assertFalse(read(client, READING, row).writtenBack());
    assertEquals(List.of(), world.violations());
  }
}
