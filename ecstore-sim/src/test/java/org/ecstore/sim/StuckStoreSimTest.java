package org.ecstore.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.ecstore.client.error.EcStoreException;
import org.ecstore.client.retry.Backoff;
import org.ecstore.client.routing.SessionToken;
import org.ecstore.client.routing.TimeLimit;
import org.ecstore.client.session.Backend;
import org.ecstore.client.session.BytesTransaction;
import org.ecstore.core.runtime.NodeContext;
import org.ecstore.id.NodeId;
import org.ecstore.id.ReadPoint;
import org.ecstore.key.Bytes;
import org.ecstore.model.EngineTraits;
import org.ecstore.model.Isolation;
import org.ecstore.model.NodeTraits;
import org.ecstore.model.ReadLevel;
import org.ecstore.replication.copy.Copy;
import org.ecstore.replication.copy.CopyPersistence;
import org.ecstore.replication.copy.CopyTable;
import org.ecstore.replication.copy.EngineWriter;
import org.ecstore.sim.FailOverSimTest.Held;
import org.ecstore.sim.node.KindsOfNodes;
import org.ecstore.sim.node.NodeMutation;
import org.ecstore.sim.node.SimCluster;
import org.ecstore.sim.node.SimHost;
import org.ecstore.sim.world.SwarmSettings;
import org.ecstore.sim.world.Trace;
import org.ecstore.sim.world.World;
import org.ecstore.txn.node.Node;
import org.ecstore.txn.node.NodeInspection;
import org.ecstore.txn.node.NodeMemory;
import org.ecstore.txn.node.NodeParts;
import org.ecstore.txn.node.NodeSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The store of a node that lives does nothing for minutes, and clients commit meanwhile (decision
 * 0094). With a node that waits for it for ever, commits come to a stop.
 */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
final class StuckStoreSimTest {
  private static final long MILLI = SwarmSettings.MILLI;
  private static final long SECOND = SwarmSettings.SECOND;
  private static final Bytes KEY = Bytes.utf8("k");
  private static final int NODES = 4;
  private static final int COPIES = 3;

  /** With so many of them a sequencer takes no more. */
  private static final int OUTCOMES = 60;

  private static final long STUCK_NANOS = 180 * SECOND;
  private static final Duration DEADLINE = Duration.ofSeconds(20);

  /** What is wrong with a store. */
  enum Trouble {
    REFUSES {
      @Override
      void is(SimCluster cluster, SimHost host, boolean now) {
        cluster.disk(host).broken(now);
      }
    },
    IS_FULL {
      @Override
      void is(SimCluster cluster, SimHost host, boolean now) {
        cluster.disk(host).full(now);
      }
    },
    HANGS {
      @Override
      void is(SimCluster cluster, SimHost host, boolean now) {
        cluster.hangStore(host, now);
      }
    };

    abstract void is(SimCluster cluster, SimHost host, boolean now);
  }

  private final SessionToken session = new SessionToken(ReadPoint.ZERO);
  private final World world = new World(1, new Trace(null));
  private boolean waitsForEver;
  private int trims;

  private final class Parts extends FrequentCheckpoints {
    @Override
    public CopyPersistence persistence(
        NodeContext context, CopyTable copies, EngineWriter writer, NodeSettings settings) {
      return new CopyPersistence(context, copies, writer, settings.stuckLooks()) {
        @Override
        protected boolean isLong(long looks) {
          return !waitsForEver && super.isLong(looks);
        }
      };
    }
  }

  private final NodeParts parts = new Parts();

  private SimCluster started() {
    SimCluster cluster =
        CalmCluster.of(
            world,
            NODES,
            parts,
            id ->
                NodeSettings.defaults("sim", ClientInSim.address(id))
                    .withCopies(COPIES)
                    .withRetention(SECOND)
                    .withTimeout(30 * SECOND, 5 * SECOND)
                    .withMemory(new NodeMemory(0, 1 << 20, 1 << 20, 1 << 20, OUTCOMES, 1_000)));
    cluster.ledger().onTrim(() -> trims++);
    cluster.hosts().forEach(SimHost::start);
    CalmCluster.run(world, 60 * SECOND);
    return cluster;
  }

  private static SimHost host(SimCluster cluster, NodeId id) {
    return cluster.hosts().get((int) id.value() - 1);
  }

  /** A node that has a copy in some state of the range that is written to. */
  private static SimHost holder(SimCluster cluster, Copy.State state) {
    return FailOverSimTest.copies(cluster, state).values().stream()
        .flatMap(List::stream)
        .filter(held -> held.copy().keys().contains(KEY))
        .map(held -> host(cluster, held.node()))
        .findFirst()
        .orElseThrow();
  }

  private boolean isWritten(Backend backend) {
    BytesTransaction tx =
        backend.transaction(
            ReadLevel.SESSION,
            Isolation.SERIALIZABLE,
            session,
            new TimeLimit(DEADLINE, Optional.empty()));
    tx.put(KEY, Bytes.EMPTY);
    try {
      tx.commit();
      return true;
    } catch (EcStoreException e) {
      return false;
    }
  }

  /** Writes twice a second, for so long; how often it was acknowledged. */
  private int write(ClientInSim client, Backend backend, long nanos) {
    int written = 0;
    long until = world.nowNanos() + nanos;
    while (world.nowNanos() < until) {
      written += isWritten(backend) ? 1 : 0;
      client.pause(SECOND / 2);
    }
    return written;
  }

  private static NodeInspection inspect(SimHost host) {
    return ((Node) Objects.requireNonNull(host.machine())).inspect();
  }

  /** The copies that follow, of one range each. */
  private static void assertWholeWithout(SimCluster cluster, SimHost stuck) {
    Map<Bytes, List<Held>> following = FailOverSimTest.copies(cluster, Copy.State.FOLLOWING);
    Map<Bytes, NodeId> primaries = FailOverSimTest.primaries(cluster);
    assertFalse(primaries.containsValue(stuck.id()), () -> FailOverSimTest.all(cluster));
    for (Bytes range : primaries.keySet()) {
      List<NodeId> others =
          following.getOrDefault(range, List.of()).stream().map(Held::node).toList();
      assertEquals(COPIES - 1, others.size(), () -> FailOverSimTest.all(cluster));
      assertFalse(others.contains(stuck.id()), () -> FailOverSimTest.all(cluster));
    }
  }

  private static boolean isBack(SimCluster cluster, SimHost host) {
    Map<Bytes, List<Held>> following = FailOverSimTest.copies(cluster, Copy.State.FOLLOWING);
    boolean holds =
        inspect(host).copies().stream()
            .map(NodeInspection.CopyView::state)
            .anyMatch(state -> state == Copy.State.SERVING || state == Copy.State.FOLLOWING);
    return holds
        && FailOverSimTest.copies(cluster, Copy.State.SERVING).keySet().stream()
            .allMatch(range -> following.getOrDefault(range, List.of()).size() == COPIES - 1);
  }

  @ParameterizedTest
  @CsvSource({
    "REFUSES, FOLLOWING",
    "HANGS, FOLLOWING",
    "IS_FULL, FOLLOWING",
    "REFUSES, SERVING",
    "HANGS, SERVING",
  })
  void othersGoOnWithoutItAndItIsTakenBack(Trouble trouble, Copy.State role) {
    SimCluster cluster = started();
    ClientInSim client = new ClientInSim(world, cluster.network(), cluster.hosts());
    try (Backend backend = backend(client)) {
      assertTrue(isWritten(backend));
      client.pause(5 * SECOND);
      SimHost stuck = holder(cluster, role);
      trouble.is(cluster, stuck, true);
      write(client, backend, STUCK_NANOS / 2);
      int before = trims;
      int late = write(client, backend, STUCK_NANOS / 2);
      assertTrue(late > STUCK_NANOS / SECOND / 2, () -> late + " commits in the second half");
      assertTrue(trims > before, "the ledger is trimmed");
      assertWholeWithout(cluster, stuck);
      assertTrue(inspect(stuck).engineRefuses().orElse("").contains(" s: start the store again"));
      assertTrue(
          inspect(CalmCluster.leader(cluster))
              .placement()
              .orElse("")
              .contains("the store of " + stuck.id() + " has done nothing for "));

      trouble.is(cluster, stuck, false);
      for (int i = 0; i < 300 && !isBack(cluster, stuck); i++) {
        client.pause(SECOND);
      }
      assertTrue(isBack(cluster, stuck), () -> FailOverSimTest.all(cluster));
      assertEquals(Optional.empty(), inspect(stuck).engineRefuses());
      assertTrue(isWritten(backend));
    }
    assertEquals(List.of(), world.violations());
  }

  /** The bug: it is waited for until it goes on, and all that it could need is kept. */
  @ParameterizedTest
  @EnumSource(names = {"REFUSES", "HANGS"})
  void commitsComeToAStopIfItIsWaitedForForEver(Trouble trouble) {
    waitsForEver = true;
    SimCluster cluster = started();
    ClientInSim client = new ClientInSim(world, cluster.network(), cluster.hosts());
    try (Backend backend = backend(client)) {
      assertTrue(isWritten(backend));
      client.pause(5 * SECOND);
      trouble.is(cluster, holder(cluster, Copy.State.FOLLOWING), true);
      write(client, backend, STUCK_NANOS / 2);
      assertEquals(0, write(client, backend, STUCK_NANOS / 2));
    }
  }

  private static Backend backend(ClientInSim client) {
    return new Backend(
        client, client, new Backoff(MILLI, SECOND), Duration.ofSeconds(5), DEADLINE, 1);
  }

  /** What a store in memory has it may forget: it is filled elsewhere without waiting longer. */
  @Test
  void copiesOfAStoreInMemoryAreMadeAnewAtOnce() {
    EngineTraits[] engines = {
      KindsOfNodes.BOTH, KindsOfNodes.BOTH, KindsOfNodes.MEMORY, KindsOfNodes.MEMORY
    };
    SimCluster cluster =
        new SimCluster(
            world,
            CalmCluster.settings(engines.length, MILLI),
            NodeMutation.RIGHT,
            node ->
                NodeSettings.defaults("sim", "")
                    .withCopies(COPIES)
                    .withTimeout(3_600 * SECOND, SECOND)
                    .withTraits(NodeTraits.UNKNOWN.with("", engines[(int) node.value() - 1])));
    cluster.hosts().forEach(SimHost::start);
    CalmCluster.run(world, 60 * SECOND);
    SimHost stuck = host(cluster, inMemory(cluster));
    cluster.disk(stuck).broken(true);
    CalmCluster.run(world, 60 * SECOND);
    assertWholeWithout(cluster, stuck);
    cluster.disk(stuck).broken(false);
    CalmCluster.run(world, 60 * SECOND);
    assertEquals(Optional.empty(), inspect(stuck).engineRefuses());
    assertEquals(List.of(), world.violations());
  }

  /** A node whose store is in memory, and that has a copy. */
  private static NodeId inMemory(SimCluster cluster) {
    return FailOverSimTest.copies(cluster, Copy.State.FOLLOWING).values().stream()
        .flatMap(List::stream)
        .map(Held::node)
        .filter(node -> node.value() > 2)
        .findFirst()
        .orElseThrow();
  }
}
