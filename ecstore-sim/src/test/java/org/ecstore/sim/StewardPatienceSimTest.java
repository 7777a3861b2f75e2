package org.ecstore.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.ecstore.client.retry.Backoff;
import org.ecstore.client.routing.SessionToken;
import org.ecstore.client.routing.TimeLimit;
import org.ecstore.client.session.Backend;
import org.ecstore.client.session.BytesTransaction;
import org.ecstore.core.port.Coordination.Member;
import org.ecstore.core.runtime.NodeContext;
import org.ecstore.id.NodeId;
import org.ecstore.id.Position;
import org.ecstore.id.ReadPoint;
import org.ecstore.key.Bytes;
import org.ecstore.model.Isolation;
import org.ecstore.model.ReadLevel;
import org.ecstore.replication.copy.Copy;
import org.ecstore.replication.copy.CopyFollower;
import org.ecstore.replication.copy.CopyTable;
import org.ecstore.replication.copy.EngineWriter;
import org.ecstore.sim.node.NodeMutation;
import org.ecstore.sim.node.SimCluster;
import org.ecstore.sim.node.SimHost;
import org.ecstore.sim.world.SwarmSettings;
import org.ecstore.sim.world.Trace;
import org.ecstore.sim.world.World;
import org.ecstore.txn.message.TxnMessage.BuildRequest;
import org.ecstore.txn.node.Node;
import org.ecstore.txn.node.NodeParts;
import org.ecstore.txn.node.NodeSettings;
import org.ecstore.txn.sequencer.Sequencer;
import org.ecstore.txn.steward.Steward;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The steward waits where haste gains nothing. That it does no simulated seed can tell: a primary
 * that is made too early replays the ledger before it serves, and an attempt too many takes only
 * range ids and a write to coordination, so that no promise is broken and all is well in the end.
 * So each scenario is run with the bug, too, and must show it.
 */
@Timeout(value = 1, unit = TimeUnit.MINUTES)
final class StewardPatienceSimTest {
  private static final long MILLI = SwarmSettings.MILLI;
  private static final long SECOND = SwarmSettings.SECOND;
  private static final Bytes KEY = Bytes.utf8("k");
  private static final Duration DEADLINE = Duration.ofSeconds(60);
  private static final int WRITES = 20;

  private final World world = new World(1, new Trace(null));
  private final SessionToken session = new SessionToken(ReadPoint.ZERO);
  private int builds;

  /** A steward that is patient, or never waits. */
  private static final class Stewards extends NodeParts {
    private final boolean patient;
    private final long askNanos;
    private final long longFailureNanos;

    Stewards(boolean patient, long askNanos, long longFailureNanos) {
      this.patient = patient;
      this.askNanos = askNanos;
      this.longFailureNanos = longFailureNanos;
    }

    /** Nodes that come back wait for their streams, so that a copy can be far behind for long. */
    @Override
    public CopyFollower follower(
        NodeContext context, CopyTable copies, EngineWriter writer, NodeSettings settings) {
      return new CopyFollower(context, copies, writer, Long.MAX_VALUE) {
        @Override
        public void mapChanged() {
          // They do not read the ledger by themselves.
        }
      };
    }

    @Override
    public Steward steward(
        NodeContext context,
        Sequencer sequencer,
        Supplier<List<Member>> members,
        NodeSettings settings) {
      Steward.Settings with =
          new Steward.Settings(
              100 * MILLI, askNanos, 600 * SECOND, List.of(), 3, longFailureNanos, SECOND);
      return new Steward(context, sequencer, members, with, settings.balance()) {
        @Override
        protected boolean isCloseEnough(Position closed, Position momentAgo) {
          return !patient || super.isCloseEnough(closed, momentAgo);
        }

        @Override
        protected long quietNanos(int times) {
          return patient ? super.quietNanos(times) : 0;
        }
      };
    }
  }

  private SimCluster start(int nodes, NodeParts parts) {
    SimCluster cluster =
        new SimCluster(
            world,
            CalmCluster.settings(nodes, 20 * MILLI),
            new NodeMutation(
                "patience",
                (self, settings, ports) -> new Node(self, settings, parts, ports),
                NodeMutation.ClientBehaviour.RIGHT),
            id -> NodeSettings.defaults("sim", ClientInSim.address(id)).withCopies(3));
    cluster.hosts().forEach(SimHost::start);
    CalmCluster.run(world, 60 * SECOND);
    return cluster;
  }

  private static Optional<SimHost> primary(SimCluster cluster) {
    return FailOverSimTest.copies(cluster, Copy.State.SERVING).values().stream()
        .flatMap(List::stream)
        .filter(held -> held.copy().keys().contains(KEY))
        .map(held -> host(cluster, held.node()))
        .findFirst();
  }

  private static SimHost host(SimCluster cluster, NodeId id) {
    return cluster.hosts().stream().filter(each -> each.id().equals(id)).findFirst().orElseThrow();
  }

  private static SimHost leader(SimCluster cluster) {
    return host(cluster, cluster.coordination().leader().orElseThrow());
  }

  /** Who serves a range, other than the node that leads, of which another has no copy. */
  private static Optional<SimHost> lackedBy(SimCluster cluster, SimHost lead, SimHost other) {
    Map<Bytes, List<FailOverSimTest.Held>> following =
        FailOverSimTest.copies(cluster, Copy.State.FOLLOWING);
    return FailOverSimTest.primaries(cluster).entrySet().stream()
        .filter(range -> !range.getValue().equals(lead.id()))
        .filter(range -> !range.getValue().equals(other.id()))
        .filter(
            range ->
                following.getOrDefault(range.getKey(), List.of()).stream()
                    .noneMatch(held -> held.node().equals(other.id())))
        .map(range -> host(cluster, range.getValue()))
        .findFirst();
  }

  private void write(SimCluster cluster) {
    ClientInSim client = new ClientInSim(world, cluster.network(), cluster.hosts());
    try (Backend backend =
        new Backend(
            client, client, new Backoff(MILLI, SECOND), Duration.ofSeconds(5), DEADLINE, 1)) {
      for (int i = 0; i < WRITES; i++) {
        BytesTransaction tx =
            backend.transaction(
                ReadLevel.SESSION,
                Isolation.SERIALIZABLE,
                session,
                new TimeLimit(DEADLINE, Optional.empty()));
        tx.put(KEY, Bytes.utf8(Integer.toString(i)));
        tx.commit();
      }
    }
  }

  /**
   * Rule 16: a range goes home when the node has nearly all, for it must replay the rest. Of four
   * nodes, for among three it stands by, and suspects the one that leads, which is cut off from it.
   */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aRangeGoesHomeWhenTheNodeHasCaughtUp(boolean patient) {
    SimCluster cluster = start(4, new Stewards(patient, 2 * SECOND, 600 * SECOND));
    SimHost home = primary(cluster).orElseThrow();
    home.crash();
    CalmCluster.run(world, 5 * SECOND);
    write(cluster);
    SimHost meanwhile = primary(cluster).orElseThrow();
    assertNotEquals(home.id(), meanwhile.id());
    cluster.network().cut(meanwhile.id().value(), home.id().value());
    CalmCluster.run(world, 10 * SECOND);
    home.start();
    boolean early = false;
    for (int i = 0; i < 20; i++) {
      CalmCluster.run(world, SECOND);
      early |= primary(cluster).filter(home::equals).isPresent();
    }
    assertEquals(!patient, early, "it serves while it is far behind");
    cluster.network().heal();
    CalmCluster.run(world, 30 * SECOND);
    assertEquals(home.id(), primary(cluster).orElseThrow().id());
    assertEquals(List.of(), world.violations());
  }

  /** A copy that cannot be built is tried again ever later. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void whatCannotBeIsTriedAgainEverLater(boolean patient) {
    SimCluster cluster = start(4, new Stewards(patient, 30 * SECOND, 10 * SECOND));
    SimHost lead = leader(cluster);
    SimHost target =
        cluster.hosts().stream()
            .filter(host -> host != lead && lackedBy(cluster, lead, host).isPresent())
            .findFirst()
            .orElseThrow();
    List<SimHost> others =
        cluster.hosts().stream().filter(host -> host != lead && host != target).toList();
    for (SimHost host : others) {
      cluster.network().cut(host.id().value(), target.id().value());
    }
    // What the target lacks has a copy less then, and only it can make another.
    SimHost source = lackedBy(cluster, lead, target).orElseThrow();
    others.stream().filter(host -> host != source).forEach(SimHost::crash);
    CalmCluster.run(world, 20 * SECOND);
    cluster.network().onSend(envelope -> builds += envelope.body() instanceof BuildRequest ? 1 : 0);
    CalmCluster.run(world, 120 * SECOND);
    assertTrue(builds > 2, builds + " attempts");
    assertEquals(patient, builds < 20, builds + " attempts");
    cluster.network().heal();
    CalmCluster.run(world, 120 * SECOND);
    long whole =
        FailOverSimTest.copies(cluster, Copy.State.FOLLOWING).values().stream()
            .filter(held -> held.size() == 2)
            .count();
    assertEquals(FailOverSimTest.primaries(cluster).size(), whole);
    assertEquals(List.of(), world.violations());
  }
}
