package org.ecstore.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.ecstore.id.MapVersion;
import org.ecstore.id.NodeId;
import org.ecstore.id.Position;
import org.ecstore.id.ReadPoint;
import org.ecstore.key.Bytes;
import org.ecstore.model.Quorum;
import org.ecstore.model.RefusalCode;
import org.ecstore.model.Row;
import org.ecstore.protocol.ClientReply;
import org.ecstore.protocol.ClientRequest;
import org.ecstore.replication.copy.Copy;
import org.ecstore.sim.history.SimKeys;
import org.ecstore.sim.node.NodeMutation;
import org.ecstore.sim.node.SimCluster;
import org.ecstore.sim.node.SimHost;
import org.ecstore.sim.world.SwarmSettings;
import org.ecstore.sim.world.Trace;
import org.ecstore.sim.world.World;
import org.ecstore.txn.node.Node;
import org.ecstore.txn.node.NodeSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Quorum reads and writes (rule 13) where nodes go and nothing else goes wrong. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
final class QuorumSimTest {
  private static final long MILLI = SwarmSettings.MILLI;
  private static final long SECOND = SwarmSettings.SECOND;
  private static final Bytes KEY = SimKeys.register(0);
  private static final Bytes VALUE = Bytes.utf8("v");
  private static final Quorum MEETING = new Quorum(3, 2, 2);

  private final World world = new World(1, new Trace(null));
  private final SimCluster cluster =
      new SimCluster(
          world,
          CalmCluster.settings(4, 20 * MILLI),
          NodeMutation.RIGHT,
          id -> NodeSettings.defaults("sim", "n" + id + ":1").withCopies(3));
  private final CalmClient client = start();

  private CalmClient start() {
    cluster.hosts().forEach(SimHost::start);
    CalmCluster.run(world, 60 * SECOND);
    return new CalmClient(world, cluster);
  }

  private Position write(NodeId node, Bytes value) {
    return client.write(node, KEY, value);
  }

  private ClientReply read(NodeId node, Quorum quorum) {
    return client.ask(node, new ClientRequest.QuorumGet(KEY, quorum, ReadPoint.ZERO, 3_000));
  }

  private int copies(NodeId node, Position number, Quorum quorum, int millis) {
    ClientReply reply =
        client.ask(node, new ClientRequest.QuorumWait(number, List.of(KEY), quorum, millis));
    return assertInstanceOf(ClientReply.QuorumReached.class, reply).copies();
  }

  /** The nodes with copies of the key's range in a state. */
  private List<SimHost> holders(Copy.State state) {
    return cluster.hosts().stream()
        .filter(SimHost::isUp)
        .filter(
            host ->
                host.machine() instanceof Node node
                    && node.inspect().copies().stream()
                        .anyMatch(copy -> copy.state() == state && copy.keys().contains(KEY)))
        .toList();
  }

  private NodeId other(SimHost not) {
    return cluster.hosts().stream()
        .filter(host -> host != not && host.isUp())
        .map(SimHost::id)
        .findFirst()
        .orElseThrow();
  }

  private void assertReads(ClientReply reply, Bytes value, Position version) {
    ClientReply.QuorumValue found = assertInstanceOf(ClientReply.QuorumValue.class, reply);
    assertEquals(Optional.of(new Row(KEY, version, value)), found.row());
    assertTrue(found.copies().size() >= 2, found::toString);
    assertTrue(version.isAtOrBelow(found.at()), found::toString);
    assertFalse(found.mayBeStale());
  }

  /**
   * Two of three copies are a quorum, even if the third was the primary: no read waits for another
   * primary.
   */
  @Test
  void readsGoOnAtOnceWhenThePrimaryIsGone() {
    SimHost primary = holders(Copy.State.SERVING).getFirst();
    Position number = write(primary.id(), VALUE);
    assertTrue(copies(primary.id(), number, MEETING, 3_000) >= 2);
    primary.crash();
    assertReads(read(other(primary), MEETING), VALUE, number);
    assertEquals(List.of(), holders(Copy.State.SERVING), "no copy has taken over yet");
    assertEquals(List.of(), world.violations());
  }

  /** Rule 13: committed, under-replicated, never failed; and it is made good of itself. */
  @ParameterizedTest
  @ValueSource(ints = {2, 3})
  void writesWithTooFewCopiesAreCommittedAllTheSame(int w) {
    SimHost primary = holders(Copy.State.SERVING).getFirst();
    List<SimHost> secondaries = holders(Copy.State.FOLLOWING);
    secondaries.forEach(SimHost::crash);
    Position number = write(primary.id(), VALUE);
    Quorum quorum = new Quorum(3, w, 3);
    assertEquals(1, copies(primary.id(), number, quorum, 500));
    secondaries.forEach(SimHost::start);
    CalmCluster.run(world, 30 * SECOND);
    assertTrue(copies(primary.id(), number, quorum, 3_000) >= w);
    assertReads(read(other(primary), quorum), VALUE, number);
    assertEquals(List.of(), world.violations());
  }

  /** What a reader has seen comes between its deadline and the tick that would tell it so. */
  @Test
  void whatIsSeenTooLateEndsNoNode() {
    SimHost primary = holders(Copy.State.SERVING).getFirst();
    NodeId node = other(primary);
    Position last = write(primary.id(), VALUE);
    List<ClientReply> answers = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      ReadPoint seen = new ReadPoint(last.next(), MapVersion.ZERO);
      client.start(node, new ClientRequest.QuorumGet(KEY, MEETING, seen, 1), answers);
      last = write(primary.id(), VALUE);
    }
    CalmCluster.run(world, SECOND);
    assertEquals(30, answers.size());
    assertTrue(cluster.hosts().stream().allMatch(SimHost::isUp));
    assertEquals(List.of(), world.violations());
  }

  @Test
  void senselessQuorumsAreRefusedWithTheReason() {
    ClientReply reply = read(new NodeId(1), new Quorum(3, 4, 2));
    ClientReply.Refused refused = assertInstanceOf(ClientReply.Refused.class, reply);
    assertEquals(RefusalCode.BAD_REQUEST, refused.code());
    assertTrue(refused.detail().contains("W is from 1 to N = 3, not 4"), refused::toString);
    reply = read(new NodeId(1), new Quorum(5, 2, 4));
    refused = assertInstanceOf(ClientReply.Refused.class, reply);
    assertEquals(RefusalCode.UNAVAILABLE, refused.code());
    assertTrue(refused.detail().contains("has 3 copies that count"), refused::toString);
  }
}
