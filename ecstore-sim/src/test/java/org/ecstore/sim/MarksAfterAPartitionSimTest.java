package org.ecstore.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.ecstore.id.NodeId;
import org.ecstore.id.ReadPoint;
import org.ecstore.id.TxnId;
import org.ecstore.key.Bytes;
import org.ecstore.model.Isolation;
import org.ecstore.model.KeyWrite;
import org.ecstore.model.ReadLevel;
import org.ecstore.protocol.ClientReply;
import org.ecstore.protocol.ClientRequest;
import org.ecstore.sim.node.NodeMutation;
import org.ecstore.sim.node.SimCluster;
import org.ecstore.sim.node.SimHost;
import org.ecstore.sim.world.SwarmSettings;
import org.ecstore.sim.world.Trace;
import org.ecstore.sim.world.World;
import org.ecstore.txn.node.Node;
import org.ecstore.txn.node.NodeSettings;
import org.ecstore.txn.sequencer.Sequencer;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A participant voted, and its vote is lost: the transaction's intents stay until it learns from
 * the sequencer what became of it. Once the sequencer can be reached again its keys are free soon.
 */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
final class MarksAfterAPartitionSimTest {
  private static final long MILLI = SwarmSettings.MILLI;
  private static final long SECOND = SwarmSettings.SECOND;

  /** One question that was lost on its way, and the time to the next one. */
  private static final long SOON = 1_500 * MILLI;

  private final World world = new World(1, new Trace(null));
  private final SimCluster cluster =
      new SimCluster(
          world,
          CalmCluster.settings(3, 5 * MILLI),
          NodeMutation.RIGHT,
          id -> NodeSettings.defaults("sim", ClientInSim.address(id)).withCopies(3));
  private final CalmClient client = new CalmClient(world, cluster);
  private long transactions = 100;

  private boolean leads(SimHost host) {
    return host.machine() instanceof Node node
        && node.inspect().sequencer() == Sequencer.State.ACTIVE;
  }

  private ClientRequest commit(NodeId node, Bytes key) {
    ClientReply begun =
        client.ask(node, new ClientRequest.Begin(ReadLevel.SESSION, ReadPoint.ZERO));
    return new ClientRequest.Commit(
        new TxnId(1, ++transactions),
        assertInstanceOf(ClientReply.Begun.class, begun).point(),
        Isolation.SERIALIZABLE,
        List.of(),
        List.of(),
        List.of(new KeyWrite(key, Optional.of(Bytes.utf8("v")))),
        3_000);
  }

  @ParameterizedTest
  @ValueSource(longs = {20_000, 20_300, 20_700, 21_100, 21_500, 21_900})
  void keysAreFreeSoonOnceTheSequencerIsReachedAgain(long partitionMillis) {
    cluster.hosts().forEach(SimHost::start);
    CalmCluster.run(world, 20 * SECOND);
    NodeId leader = cluster.hosts().stream().filter(this::leads).findFirst().orElseThrow().id();
    Bytes key = keyServedBy(id -> !id.equals(leader));
    NodeId participant = primary(key);
    NodeId coordinator =
        cluster.hosts().stream()
            .map(SimHost::id)
            .filter(id -> !id.equals(participant))
            .findFirst()
            .orElseThrow();
    ClientRequest lost = commit(coordinator, key);
    for (SimHost other : cluster.hosts()) {
      cluster.network().cut(participant.value(), other.id().value());
    }
    client.start(coordinator, lost, new ArrayList<>());
    CalmCluster.run(world, partitionMillis * MILLI);
    cluster.network().heal();
    long healed = world.nowNanos();
    boolean isFree = false;
    while (!isFree) {
      assertTrue(world.nowNanos() - healed < 20 * SECOND, "the key is not free again");
      isFree = client.ask(coordinator, commit(coordinator, key)) instanceof ClientReply.Committed;
    }
    assertTrue(
        world.nowNanos() - healed < SOON,
        () -> "free after " + (world.nowNanos() - healed) / MILLI + " ms");
    assertEquals(List.of(), world.violations());
  }

  private NodeId primary(Bytes key) {
    NodeId any = cluster.hosts().getFirst().id();
    ClientReply located = client.ask(any, new ClientRequest.Locate(key));
    return assertInstanceOf(ClientReply.Located.class, located).route().primary();
  }

  private Bytes keyServedBy(Predicate<NodeId> node) {
    return IntStream.range(0, 256)
        .mapToObj(Bytes::of)
        .filter(key -> node.test(primary(key)))
        .findFirst()
        .orElseThrow();
  }
}
