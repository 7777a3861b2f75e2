package org.ecstore.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.ecstore.client.retry.Backoff;
import org.ecstore.client.routing.SessionToken;
import org.ecstore.client.routing.TimeLimit;
import org.ecstore.client.session.Backend;
import org.ecstore.client.session.BytesTransaction;
import org.ecstore.core.map.RangeDescriptor;
import org.ecstore.id.NodeId;
import org.ecstore.id.ReadPoint;
import org.ecstore.key.Bytes;
import org.ecstore.model.AdminRequest;
import org.ecstore.model.Isolation;
import org.ecstore.model.ReadLevel;
import org.ecstore.replication.copy.Copy;
import org.ecstore.sim.check.LedgerModel;
import org.ecstore.sim.node.SimCluster;
import org.ecstore.sim.node.SimHost;
import org.ecstore.sim.world.SwarmSettings;
import org.ecstore.sim.world.Trace;
import org.ecstore.sim.world.World;
import org.ecstore.txn.node.Node;
import org.ecstore.txn.node.NodeSettings;
import org.ecstore.txn.steward.decision.Decision;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A node is drained whose neighbour has come back on an empty disk, to a ledger that is trimmed:
 * the neighbour is named as a holder of the ranges that it would take, and has nothing (rule 17).
 */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
final class LostHeirSimTest {
  private static final long MILLI = SwarmSettings.MILLI;
  private static final long SECOND = SwarmSettings.SECOND;
  private static final int NODES = 4;
  private static final int WRITES = 200;
  private static final Duration DEADLINE = Duration.ofSeconds(20);

  private final World world = new World(1, new Trace(null));
  private final SessionToken session = new SessionToken(ReadPoint.ZERO);
  private final LedgerModel model = new LedgerModel();
  private int trims;

  private SimCluster started() {
    SimCluster cluster =
        CalmCluster.of(
            world,
            NODES,
            new FrequentCheckpoints(),
            id ->
                NodeSettings.defaults("sim", ClientInSim.address(id))
                    .withCopies(NODES - 1)
                    .withRetention(SECOND)
                    .withTimeout(60 * SECOND, 5 * SECOND));
    cluster.ledger().onTrim(() -> trims++);
    cluster.hosts().forEach(SimHost::start);
    CalmCluster.run(world, 60 * SECOND);
    return cluster;
  }

  private void write(Backend backend) {
    BytesTransaction tx =
        backend.transaction(
            ReadLevel.SESSION,
            Isolation.SERIALIZABLE,
            session,
            new TimeLimit(DEADLINE, Optional.empty()));
    tx.put(Bytes.utf8("k"), Bytes.EMPTY);
    tx.commit();
  }

  private List<RangeDescriptor> ranges(SimCluster cluster) {
    model.catchUp(cluster.ledger().durable());
    return model.map().ranges();
  }

  private static boolean isLost(SimHost host, RangeDescriptor range) {
    return ((Node) Objects.requireNonNull(host.machine()))
        .inspect().copies().stream()
            .anyMatch(copy -> copy.id().equals(range.id()) && copy.state() == Copy.State.LOST);
  }

  private static SimHost host(SimCluster cluster, NodeId id) {
    return cluster.hosts().get((int) id.value() - 1);
  }

  /** The outermost node leaves, on the one side of the keys or the other: it has one neighbour. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aNeighbourThatHasNothingOfARangeIsNotMadeItsPrimary(boolean first) {
    SimCluster cluster = started();
    ClientInSim client = new ClientInSim(world, cluster.network(), cluster.hosts());
    try (Backend backend =
        new Backend(
            client, client, new Backoff(MILLI, SECOND), Duration.ofSeconds(5), DEADLINE, 1)) {
      for (int number = 0; number < WRITES; number++) {
        write(backend);
        client.pause(SECOND / 5);
      }
    }
    assertTrue(trims > 0, "the ledger is trimmed");
    List<NodeId> inOrder =
        (first ? ranges(cluster) : ranges(cluster).reversed())
            .stream().map(RangeDescriptor::primary).distinct().toList();
    SimHost heir = host(cluster, inOrder.get(1));
    heir.crash();
    cluster.replaceDisk(heir);
    heir.start();
    CalmCluster.run(world, 10 * SECOND);
    assertTrue(
        ranges(cluster).stream()
            .anyMatch(range -> range.primary().equals(inOrder.get(0)) && isLost(heir, range)),
        () -> FailOverSimTest.all(cluster));

    AdminRequest drain = new AdminRequest.Drain(inOrder.get(0));
    for (int i = 0; i < 60_000 && asked(cluster, drain) == Decision.Outcome.UNDER_WAY; i++) {
      CalmCluster.run(world, 10 * MILLI);
      Stream<RangeDescriptor> given =
          ranges(cluster).stream().filter(range -> range.primary().equals(heir.id()));
      assertEquals(List.of(), given.filter(range -> isLost(heir, range)).toList());
    }
    assertEquals(Decision.Outcome.DONE, asked(cluster, drain));
    assertEquals(List.of(), world.violations());
  }

  private static Decision.Outcome asked(SimCluster cluster, AdminRequest drain) {
    return CalmCluster.leading(cluster).adminRequest(drain, 1).outcome();
  }
}
