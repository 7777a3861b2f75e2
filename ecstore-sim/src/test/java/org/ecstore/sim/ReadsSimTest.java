package org.ecstore.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.ecstore.client.copies.AnsweredBy;
import org.ecstore.client.error.EcStoreException;
import org.ecstore.client.retry.Backoff;
import org.ecstore.client.routing.SessionToken;
import org.ecstore.client.routing.TimeLimit;
import org.ecstore.client.session.Backend;
import org.ecstore.client.session.BytesSnapshot;
import org.ecstore.client.session.BytesTransaction;
import org.ecstore.id.NodeId;
import org.ecstore.id.ReadPoint;
import org.ecstore.key.Bytes;
import org.ecstore.model.CopyRole;
import org.ecstore.model.Isolation;
import org.ecstore.model.ReadLevel;
import org.ecstore.replication.copy.Copy;
import org.ecstore.sim.history.SimKeys;
import org.ecstore.sim.node.NodeMutation;
import org.ecstore.sim.node.SimCluster;
import org.ecstore.sim.node.SimHost;
import org.ecstore.sim.world.SimRandom;
import org.ecstore.sim.world.SwarmSettings;
import org.ecstore.sim.world.Trace;
import org.ecstore.sim.world.World;
import org.ecstore.txn.node.Node;
import org.ecstore.txn.node.NodeInspection.CopyView;
import org.ecstore.txn.node.NodeSettings;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;

/**
 * The client library on simulated nodes with three copies of each range (rules 9, 10, 12): reads go
 * on where a copy covers them, whichever node is down; and whatever copy answers, at whatever
 * level, a snapshot is one moment of the store.
 */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
final class ReadsSimTest {
  private static final long MILLI = SwarmSettings.MILLI;
  private static final long SECOND = SwarmSettings.SECOND;
  private static final Duration DEADLINE = Duration.ofSeconds(60);

  /** In ranges of their own. */
  private static final List<Bytes> PAIR = List.of(SimKeys.bound(30), SimKeys.bound(200));

  private final SessionToken session = new SessionToken(ReadPoint.ZERO);
  private World world = new World(0, new Trace(null));
  private SimCluster cluster =
      new SimCluster(world, CalmCluster.settings(1, 1), NodeMutation.RIGHT, ReadsSimTest::node);

  private static NodeSettings node(NodeId id) {
    return NodeSettings.defaults("sim", ClientInSim.address(id))
        .withCopies(3)
        .withSplitHints(List.of(SimKeys.bound(60), SimKeys.bound(120), SimKeys.bound(180)));
  }

  /** A client of five nodes that have had time to make all copies. */
  private Backend connect(long seed) {
    world = new World(seed, new Trace(null));
    cluster =
        new SimCluster(
            world, CalmCluster.settings(5, 20 * MILLI), NodeMutation.RIGHT, ReadsSimTest::node);
    cluster.hosts().forEach(SimHost::start);
    ClientInSim client = new ClientInSim(world, cluster.network(), cluster.hosts());
    client.pause(60 * SECOND);
    Backend backend =
        new Backend(
            client,
            client,
            new Backoff(2 * MILLI, 500 * MILLI),
            Duration.ofSeconds(5),
            DEADLINE,
            seed);
    write(backend, 1);
    return backend;
  }

  private static TimeLimit limit() {
    return new TimeLimit(DEADLINE, Optional.empty());
  }

  private void write(Backend backend, long number) {
    BytesTransaction tx =
        backend.transaction(ReadLevel.SESSION, Isolation.SERIALIZABLE, session, limit());
    PAIR.forEach(key -> tx.put(key, Bytes.utf8(Long.toString(number))));
    tx.commit();
  }

  /** The number that both keys have. */
  private static long read(BytesSnapshot snapshot) {
    Map<Bytes, Bytes> found = snapshot.get(PAIR);
    assertEquals(found.get(PAIR.getFirst()), found.get(PAIR.getLast()), "of one moment");
    Bytes value = found.get(PAIR.getFirst());
    return value == null ? 0 : Long.parseLong(new String(value.array(), StandardCharsets.UTF_8));
  }

  private NodeId holder(Bytes key, Copy.State state) {
    for (SimHost host : cluster.hosts()) {
      if (host.isUp() && host.machine() instanceof Node node) {
        for (CopyView copy : node.inspect().copies()) {
          if (copy.state() == state && copy.keys().contains(key)) {
            return host.id();
          }
        }
      }
    }
    throw new AssertionError("no node has a copy of " + key + " that is " + state);
  }

  private void crash(NodeId node) {
    cluster.hosts().stream().filter(host -> host.id().equals(node)).forEach(SimHost::crash);
  }

  private NodeId leader() {
    return cluster.coordination().leader().orElseThrow();
  }

  @ParameterizedTest
  @Seeds(few = 2, many = 6)
  void readsAtASnapshotGoOnWhileThePrimaryIsDown(long seed) {
    try (Backend backend = connect(seed);
        BytesSnapshot snapshot = backend.snapshot(ReadLevel.STRONG, session, limit())) {
      snapshot.point();
      CalmCluster.run(world, SECOND);
      NodeId primary = holder(PAIR.getFirst(), Copy.State.SERVING);
      crash(primary);
      long crashed = world.nowNanos();
      for (int i = 0; i < 20; i++) {
        Bytes key = PAIR.getFirst();
        assertEquals(Bytes.utf8("1"), snapshot.get(List.of(key)).get(key));
        AnsweredBy by = snapshot.lastRead().orElseThrow();
        assertNotEquals(primary, by.node());
        assertEquals(CopyRole.SECONDARY, by.role(), "no copy has taken over yet");
      }
      assertTrue(world.nowNanos() - crashed < SECOND, "before any session could expire");
    }
    assertEquals(List.of(), world.violations());
  }

  @ParameterizedTest
  @Seeds(few = 2, many = 6)
  void localReadsGoOnWhileTheSequencerIsDown(long seed) {
    try (Backend backend = connect(seed)) {
      CalmCluster.run(world, SECOND);
      crash(leader());
      long crashed = world.nowNanos();
      for (int i = 0; i < 20; i++) {
        try (BytesSnapshot snapshot = backend.snapshot(ReadLevel.LOCAL, session, limit())) {
          assertEquals(1, read(snapshot));
        }
      }
      assertTrue(world.nowNanos() - crashed < SECOND, "before another could lead");
      try (BytesSnapshot strong = backend.snapshot(ReadLevel.STRONG, session, limit())) {
        assertEquals(1, read(strong));
      }
      assertTrue(world.nowNanos() - crashed > 0);
      assertNotEquals(Optional.empty(), cluster.coordination().leader());
    }
    assertEquals(List.of(), world.violations());
  }

  /** Writes, and reads at every level, while nodes go and come back. */
  @ParameterizedTest
  @Seeds(few = 2, many = 8)
  void everySnapshotIsOneMomentWhicheverCopiesAnswer(long seed) {
    Map<CopyRole, Integer> answers = new EnumMap<>(CopyRole.class);
    try (Backend backend = connect(seed)) {
      SimRandom random = world.random("reads");
      crashesUntil(world.nowNanos() + 60 * SECOND, random.fork("crashes"));
      long seen = 1;
      for (long number = 2; number < 150; number++) {
        long acknowledged = seen;
        try {
          write(backend, number);
          acknowledged = number;
        } catch (EcStoreException e) {
          // Not committed, or not known to be: the snapshots say.
        }
        for (ReadLevel level : levels(random)) {
          try (BytesSnapshot snapshot = backend.snapshot(level, session, limit())) {
            long found = read(snapshot);
            snapshot.lastRead().ifPresent(by -> answers.merge(by.role(), 1, Integer::sum));
            if (level.kind() != ReadLevel.Kind.LOCAL) {
              long least = acknowledged;
              assertTrue(found >= least, () -> level + " shows " + found + " after " + least);
              acknowledged = found;
            }
          }
        }
        seen = acknowledged;
        CalmCluster.run(world, random.between(1, 400) * MILLI);
      }
    }
    assertEquals(List.of(), world.violations());
    assertTrue(answers.getOrDefault(CopyRole.SECONDARY, 0) > 100, answers::toString);
    assertTrue(answers.getOrDefault(CopyRole.PRIMARY, 0) > 20, answers::toString);
  }

  private static List<ReadLevel> levels(SimRandom random) {
    return List.of(
        ReadLevel.SESSION,
        ReadLevel.LOCAL,
        ReadLevel.bounded(Duration.ofMillis(random.between(1, 2_000))),
        ReadLevel.STRONG,
        ReadLevel.SESSION);
  }

  private void crashesUntil(long endNanos, SimRandom random) {
    world
        .scheduler()
        .after(
            random.between(1_000, 6_000) * MILLI,
            () -> {
              if (world.nowNanos() < endNanos) {
                SimHost host = random.pick(cluster.hosts());
                host.crash();
                world.scheduler().after(random.between(50, 4_000) * MILLI, host::start);
                crashesUntil(endNanos, random);
              }
            });
  }
}
