package org.ecstore.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.ecstore.client.error.ConflictException;
import org.ecstore.client.error.EcStoreException;
import org.ecstore.client.error.UnavailableException;
import org.ecstore.client.read.ScanShape;
import org.ecstore.client.retry.Backoff;
import org.ecstore.client.routing.SessionToken;
import org.ecstore.client.routing.TimeLimit;
import org.ecstore.client.session.Backend;
import org.ecstore.client.session.BytesTransaction;
import org.ecstore.id.NodeId;
import org.ecstore.id.ReadPoint;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.model.Isolation;
import org.ecstore.model.ReadLevel;
import org.ecstore.sim.history.SimKeys;
import org.ecstore.sim.node.NodeMutation;
import org.ecstore.sim.node.SimCluster;
import org.ecstore.sim.node.SimHost;
import org.ecstore.sim.world.SimRandom;
import org.ecstore.sim.world.SwarmSettings;
import org.ecstore.sim.world.Trace;
import org.ecstore.sim.world.World;
import org.ecstore.txn.node.NodeSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * While nodes restart, the sequencer among them, and pause, the application that begins, reads,
 * writes and commits with the client library notices a pause, never an error it must handle, as
 * long as the pause is shorter than its deadline.
 */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class PausesSimTest {
  private static final long MILLI = SwarmSettings.MILLI;
  private static final long SECOND = SwarmSettings.SECOND;
  private static final long LENGTH_NANOS = 60 * SECOND;
  private static final Duration DEADLINE = Duration.ofSeconds(30);
  private static final List<Bytes> COUNTERS =
      List.of(SimKeys.list(0), SimKeys.list(1), SimKeys.list(2));

  private final SwarmSettings settings = onlyPauses();
  private World world = new World(0, new Trace(null));
  private SimCluster cluster = new SimCluster(world, settings, NodeMutation.RIGHT, this::node);
  private SimRandom random = world.random("misfortunes");
  private long misfortunes;

  static List<Long> seeds() {
    return LongStream.rangeClosed(1, Seeds.Provider.count(8, 48)).boxed().toList();
  }

  /** Nothing goes wrong by itself. */
  static SwarmSettings onlyPauses() {
    return new SwarmSettings(
        0,
        SwarmSettings.Promise.STRICT,
        3,
        0,
        1,
        3,
        2,
        LENGTH_NANOS,
        16,
        MILLI,
        true,
        false,
        new SwarmSettings.NetworkFaults(50_000, 500_000, 0, 0, 0, MILLI, true),
        new SwarmSettings.LedgerFaults(
            2 * MILLI, 20 * MILLI, 2 * MILLI, 1, 50, false, 0, 0, 0, 0, 0, 0, 0),
        new SwarmSettings.CoordinationFaults(2 * MILLI, 5 * MILLI, SECOND, 1, 0, 0),
        new SwarmSettings.EngineFaults(MILLI, MILLI, 0, 0, MILLI, true),
        new SwarmSettings.Nemesis(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 0, 0));
  }

  private NodeSettings node(NodeId id) {
    return NodeSettings.defaults("sim", ClientInSim.address(id))
        .withSplitHints(List.of(SimKeys.bound(60), SimKeys.bound(120), SimKeys.bound(180)));
  }

  private Backend connect(long seed) {
    world = new World(seed, new Trace(null));
    cluster = new SimCluster(world, settings, NodeMutation.RIGHT, this::node);
    random = world.random("misfortunes");
    cluster.hosts().forEach(SimHost::start);
    ClientInSim client = new ClientInSim(world, cluster.network(), cluster.hosts());
    client.pause(10 * SECOND);
    return new Backend(
        client, client, new Backoff(2 * MILLI, 500 * MILLI), Duration.ofSeconds(5), DEADLINE, seed);
  }

  private SimHost leader() {
    return cluster.hosts().stream()
        .filter(host -> cluster.coordination().leader().equals(Optional.of(host.id())))
        .findFirst()
        .orElse(cluster.hosts().getFirst());
  }

  private void misfortunesUntil(long endNanos) {
    world
        .scheduler()
        .after(
            random.between(500, 5_000) * MILLI,
            () -> {
              if (world.nowNanos() < endNanos) {
                misfortune(random.chance(0.5) ? leader() : random.pick(cluster.hosts()));
                misfortunesUntil(endNanos);
              }
            });
  }

  private void misfortune(SimHost host) {
    misfortunes++;
    if (random.chance(0.7)) {
      host.crash();
      world.scheduler().after(random.between(20, 3_000) * MILLI, host::start);
    } else if (random.chance(0.7)) {
      long length = random.between(50, 4_000) * MILLI;
      host.pause(length);
      cluster.coordination().cutOff(host.id(), length);
    } else {
      cluster.coordination().flapHint();
    }
  }

  private static BytesTransaction begin(Backend backend, SessionToken session, ReadLevel level) {
    BytesTransaction tx =
        backend.transaction(
            level, Isolation.SERIALIZABLE, session, new TimeLimit(DEADLINE, Optional.empty()));
    tx.point();
    return tx;
  }

  private static long number(Map<Bytes, Bytes> found, Bytes key) {
    Bytes value = found.get(key);
    return value == null ? 0 : Long.parseLong(new String(value.array(), StandardCharsets.UTF_8));
  }

  /** Adds one to two counters, having read all. */
  private void increment(Backend backend, SessionToken session, int number) {
    ReadLevel level = random.chance(0.5) ? ReadLevel.STRONG : ReadLevel.SESSION;
    BytesTransaction tx = begin(backend, session, level);
    try {
      if (random.chance(0.3)) {
        tx.scan(KeyRange.ALL, new ScanShape(false, false, true)).next(10);
      }
      Map<Bytes, Bytes> found = tx.get(COUNTERS);
      for (int i = 0; i < 2; i++) {
        Bytes key = COUNTERS.get((number + i) % COUNTERS.size());
        tx.put(key, Bytes.utf8(Long.toString(number(found, key) + 1)));
      }
      tx.commit();
    } finally {
      tx.rollback();
    }
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void applicationsNoticeAPauseAndNeverAnError(long seed) {
    try (Backend backend = connect(seed)) {
      SessionToken session = new SessionToken(ReadPoint.ZERO);
      long end = world.nowNanos() + LENGTH_NANOS;
      misfortunesUntil(end);
      long committed = 0;
      long longest = 0;
      for (int i = 0; world.nowNanos() < end; i++) {
        long began = world.nowNanos();
        try {
          increment(backend, session, i);
          committed++;
        } catch (ConflictException e) {
          // With intents that are in doubt.
        } catch (EcStoreException e) {
          throw new AssertionError("seed " + seed + ", after " + (world.nowNanos() - began), e);
        }
        longest = Math.max(longest, world.nowNanos() - began);
        world.scheduler().step(world.nowNanos() + random.between(1, 100) * MILLI);
      }
      assertEquals(List.of(), world.violations());
      assertEquals(2 * committed, total(backend, session), "nothing lost, nothing twice");
      assertTrue(committed > 50, "committed " + committed);
      assertTrue(misfortunes > 5, "misfortunes " + misfortunes);
      assertTrue(longest > 100 * MILLI, "the longest pause was " + longest);
    }
  }

  /** What was in doubt is still marked for a while. */
  private void incrementAfterConflicts(Backend backend, SessionToken session) {
    long until = world.nowNanos() + 30 * SECOND;
    while (true) {
      try {
        increment(backend, session, 0);
        return;
      } catch (ConflictException e) {
        assertTrue(world.nowNanos() < until, e::toString);
        backend.cluster().time().pause(200 * MILLI);
      }
    }
  }

  private static long total(Backend backend, SessionToken session) {
    BytesTransaction tx = begin(backend, session, ReadLevel.STRONG);
    Map<Bytes, Bytes> found = tx.get(COUNTERS);
    tx.rollback();
    return COUNTERS.stream().mapToLong(key -> number(found, key)).sum();
  }

  @Test
  void withoutALedgerItIsUnavailableWithinTheDeadlineAndResumesByItself() {
    try (Backend backend = connect(1)) {
      SessionToken session = new SessionToken(ReadPoint.ZERO);
      increment(backend, session, 0);
      BytesTransaction open = begin(backend, session, ReadLevel.SESSION);
      open.put(COUNTERS.getFirst(), Bytes.utf8("7"));
      cluster.hosts().forEach(host -> cluster.ledger().cutOff(host.id(), 200 * SECOND));
      long began = world.nowNanos();
      assertThrows(UnavailableException.class, open::commit);
      assertTrue(world.nowNanos() - began <= DEADLINE.toNanos() + SECOND);
      began = world.nowNanos();
      assertThrows(UnavailableException.class, () -> begin(backend, session, ReadLevel.STRONG));
      assertTrue(world.nowNanos() - began <= DEADLINE.toNanos() + SECOND);
      cluster.ledger().heal();
      incrementAfterConflicts(backend, session);
      assertEquals(List.of(), world.violations());
    }
  }
}
