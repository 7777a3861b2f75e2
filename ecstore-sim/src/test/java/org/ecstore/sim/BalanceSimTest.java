package org.ecstore.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.ecstore.client.retry.Backoff;
import org.ecstore.client.routing.SessionToken;
import org.ecstore.client.routing.TimeLimit;
import org.ecstore.client.session.Backend;
import org.ecstore.client.session.BytesSnapshot;
import org.ecstore.client.session.BytesTransaction;
import org.ecstore.id.NodeId;
import org.ecstore.id.ReadPoint;
import org.ecstore.key.Bytes;
import org.ecstore.model.AdminRequest;
import org.ecstore.model.Isolation;
import org.ecstore.model.ReadLevel;
import org.ecstore.protocol.ClientReply.Balance;
import org.ecstore.protocol.ClientReply.BalanceShare;
import org.ecstore.replication.hotspot.HotReplicaSettings;
import org.ecstore.sim.history.SimKeys;
import org.ecstore.sim.node.NodeMutation;
import org.ecstore.sim.node.SimCluster;
import org.ecstore.sim.node.SimHost;
import org.ecstore.sim.world.SwarmSettings;
import org.ecstore.sim.world.Trace;
import org.ecstore.sim.world.World;
import org.ecstore.txn.balance.RebalanceSettings;
import org.ecstore.txn.node.Node;
import org.ecstore.txn.node.NodeSettings;
import org.ecstore.txn.steward.decision.Decision;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Ranges are split, shifted, moved and merged by size and by load (rule 21), and come to rest. */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
final class BalanceSimTest {
  private static final long MILLI = SwarmSettings.MILLI;
  private static final long SECOND = SwarmSettings.SECOND;
  private static final Duration DEADLINE = Duration.ofSeconds(60);
  private static final int NODES = 6;
  private static final int VALUE_BYTES = 100;
  private static final long SPLIT_BYTES = 10_000;
  private static final long SHIFT_BYTES = 2_000;

  private final SessionToken session = new SessionToken(ReadPoint.ZERO);
  private final Map<Bytes, Bytes> written = new TreeMap<>();
  private final World world = new World(1, new Trace(null));
  private SimCluster cluster = cluster(settings(true, 0, 0));

  private static RebalanceSettings settings(boolean automatic, double rate, long mergeNanos) {
    return new RebalanceSettings(automatic, SECOND, SPLIT_BYTES, rate, mergeNanos, SHIFT_BYTES);
  }

  private SimCluster cluster(RebalanceSettings balance) {
    return new SimCluster(
        world,
        CalmCluster.settings(NODES, 20 * MILLI),
        NodeMutation.RIGHT,
        id ->
            NodeSettings.defaults("sim", ClientInSim.address(id))
                .withCopies(2)
                .withHotReplicas(HotReplicaSettings.NONE)
                .withSplitHints(
                    List.of(
                        SimKeys.bound(40),
                        SimKeys.bound(80),
                        SimKeys.bound(120),
                        SimKeys.bound(160),
                        SimKeys.bound(200)))
                .withBalance(balance));
  }

  private Backend connect(RebalanceSettings balance) {
    cluster = cluster(balance);
    cluster.hosts().forEach(SimHost::start);
    ClientInSim client = new ClientInSim(world, cluster.network(), cluster.hosts());
    client.pause(60 * SECOND);
    return new Backend(
        client, client, new Backoff(2 * MILLI, 500 * MILLI), Duration.ofSeconds(5), DEADLINE, 1);
  }

  private static TimeLimit limit() {
    return new TimeLimit(DEADLINE, Optional.empty());
  }

  /** So many rows of each of some places. */
  private void write(Backend backend, int from, int to, int rows) {
    for (int place = from; place < to; place++) {
      for (int row = 0; row < rows; row++) {
        Bytes key = Bytes.utf8("%03dx%03d".formatted(place, row));
        Bytes value = Bytes.wrap(new byte[VALUE_BYTES]);
        BytesTransaction tx =
            backend.transaction(ReadLevel.SESSION, Isolation.SERIALIZABLE, session, limit());
        tx.put(key, value);
        tx.commit();
        written.put(key, value);
      }
    }
  }

  private void assertAllThere(Backend backend) {
    try (BytesSnapshot snapshot = backend.snapshot(ReadLevel.SESSION, session, limit())) {
      assertEquals(written, new TreeMap<>(snapshot.get(List.copyOf(written.keySet()))));
    }
    assertEquals(List.of(), world.violations());
  }

  private Node leader() {
    return CalmCluster.leading(cluster);
  }

  private Balance balance() {
    return leader().balance().orElseThrow();
  }

  private static long bytes(BalanceShare share) {
    return share.bytes().orElseThrow();
  }

  private static void assertShared(Balance balance) {
    for (int i = 1; i < balance.nodes().size(); i++) {
      long one = bytes(balance.nodes().get(i - 1));
      long other = bytes(balance.nodes().get(i));
      assertTrue(
          Math.max(one, other) <= 2 * Math.min(one, other) || Math.abs(one - other) < SHIFT_BYTES,
          balance::toString);
    }
  }

  private long done(Decision.Cause cause, String what) {
    return leader().decisions().stream()
        .filter(one -> one.cause() == cause && one.outcome() == Decision.Outcome.DONE)
        .filter(one -> one.what().startsWith(what))
        .count();
  }

  @Test
  void whatIsTooLargeIsSplitAndSharedWithNeighbours() {
    try (Backend backend = connect(settings(true, 0, 0))) {
      write(backend, 81, 119, 9);
      CalmCluster.run(world, 120 * SECOND);
      assertShared(balance());
      assertTrue(done(Decision.Cause.SIZE, "split range") > 2, () -> "" + leader().decisions());
      assertTrue(done(Decision.Cause.SIZE, "move range") > 2, () -> "" + leader().decisions());
      int decided = leader().decisions().size();
      CalmCluster.run(world, 60 * SECOND);
      assertEquals(decided, leader().decisions().size(), "it rests");
      assertAllThere(backend);
    }
  }

  @Test
  void unlessItIsAutomaticAnOperatorSaysWhen() {
    try (Backend backend = connect(settings(false, 0, 0))) {
      write(backend, 1, 39, 9);
      int before = leader().decisions().size();
      CalmCluster.run(world, 60 * SECOND);
      assertEquals(before, leader().decisions().size());
      Balance explained = balance();
      assertFalse(explained.automatic());
      assertTrue(
          explained.steps().stream().anyMatch(step -> step.why().contains("is the most")),
          explained::toString);
      Decision adminRequest = leader().adminRequest(new AdminRequest.Rebalance());
      CalmCluster.run(world, 60 * SECOND);
      Decision ended =
          leader().decisions().stream()
              .filter(one -> one.number() == adminRequest.number())
              .findFirst()
              .orElseThrow();
      assertEquals(Decision.Outcome.DONE, ended.outcome(), ended::toString);
      assertShared(balance());
      assertEquals(List.of(), balance().steps(), "an operator has it as even as can be");
      assertAllThere(backend);
    }
  }

  @Test
  void aNodeWithTooMuchToDoLetsOthersBePrimary() {
    try (Backend backend = connect(settings(true, 50, 0))) {
      write(backend, 81, 119, 2);
      List<Bytes> keys = List.copyOf(written.keySet());
      long until = world.nowNanos() + 60 * SECOND;
      for (int i = 0; world.nowNanos() < until; i++) {
        BytesTransaction tx =
            backend.transaction(ReadLevel.SESSION, Isolation.SERIALIZABLE, session, limit());
        tx.put(keys.get(i % keys.size()), Bytes.wrap(new byte[VALUE_BYTES]));
        tx.commit();
      }
      List<Decision> all = leader().decisions();
      assertTrue(
          done(Decision.Cause.LOAD, "split range") > 0,
          () -> balance() + "" + all.subList(12, all.size()));
      assertTrue(done(Decision.Cause.LOAD, "move the primary") > 0, all::toString);
      long most = 0;
      long sum = 0;
      for (BalanceShare share : balance().nodes()) {
        most = Math.max(most, share.updatesPerSecond());
        sum += share.updatesPerSecond();
      }
      assertTrue(10 * most < 8 * sum, balance()::toString);
      assertAllThere(backend);
    }
  }

  @Test
  void neighboursThatAreSmallForLongBecomeOne() {
    try (Backend backend = connect(settings(true, 0, 10 * SECOND))) {
      write(backend, 81, 85, 3);
      for (int place : new int[] {90, 100, 110}) {
        Node leader = leader();
        leader.adminRequest(
            new AdminRequest.Split(
                leader.decisions().getLast().ranges().getLast(),
                Optional.of(SimKeys.bound(place))));
        CalmCluster.run(world, 2 * SECOND);
      }
      long ranges = balance().nodes().stream().mapToLong(BalanceShare::ranges).sum();
      CalmCluster.run(world, 60 * SECOND);
      long left = balance().nodes().stream().mapToLong(BalanceShare::ranges).sum();
      assertTrue(left < ranges || ranges == NODES, () -> ranges + " before, " + left + " now");
      assertEquals(NODES, left, "where an application wants them cut, ranges stay");
      assertAllThere(backend);
    }
  }

  /** Its neighbours hold more than half as much, so that no boundary can be shifted. */
  @Test
  void aLightLeafJoinsBesideALoadedNode() {
    try (Backend backend = connect(settings(false, 0, 0))) {
      write(backend, 81, 97, 1);
      write(backend, 101, 116, 2);
      write(backend, 121, 137, 1);
      CalmCluster.run(world, 30 * SECOND);
      assertEquals(
          5,
          balance().nodes().stream().filter(share -> bytes(share) < 2_000).count(),
          () -> balance().toString());
      NodeId loaded =
          balance().nodes().stream()
              .filter(share -> bytes(share) >= 2_000)
              .map(BalanceShare::node)
              .findFirst()
              .orElseThrow();
      leader().adminRequest(new AdminRequest.Rebalance());
      CalmCluster.run(world, 60 * SECOND);
      List<Decision> all = leader().decisions();
      for (String step :
          List.of("n\\d leaves its place.*", "n\\d joins (LEFT|RIGHT) of " + loaded)) {
        assertTrue(
            all.stream()
                .filter(one -> one.outcome() == Decision.Outcome.DONE)
                .anyMatch(one -> one.what().matches(step)),
            all::toString);
      }
      assertEquals(NODES, balance().nodes().size());
      assertShared(balance());
      assertAllThere(backend);
    }
  }
}
