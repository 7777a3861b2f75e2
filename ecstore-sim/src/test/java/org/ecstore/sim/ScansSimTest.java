package org.ecstore.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.ecstore.client.commit.CommitsUnderWay;
import org.ecstore.client.error.EcStoreException;
import org.ecstore.client.error.ErrorCode;
import org.ecstore.client.error.SnapshotTooOldException;
import org.ecstore.client.observe.StoreObserver;
import org.ecstore.client.read.ReadAhead;
import org.ecstore.client.read.ScanShape;
import org.ecstore.client.retry.Backoff;
import org.ecstore.client.routing.SessionToken;
import org.ecstore.client.routing.TimeLimit;
import org.ecstore.client.scan.BytesScan;
import org.ecstore.client.session.Backend;
import org.ecstore.client.session.BytesReads;
import org.ecstore.client.session.BytesSnapshot;
import org.ecstore.client.session.BytesTransaction;
import org.ecstore.id.NodeId;
import org.ecstore.id.ReadPoint;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.model.CopyRole;
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
import org.ecstore.txn.node.Node;
import org.ecstore.txn.node.NodeSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;

/**
 * Scans by the client library whose pieces are read from several simulated nodes at once (rule 18;
 * paper C.1): each shows one moment of the store and each key once, while nodes go and come back
 * and ranges are split and merged under it.
 */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
final class ScansSimTest {
  private static final long MILLI = SwarmSettings.MILLI;
  private static final long SECOND = SwarmSettings.SECOND;
  private static final Duration DEADLINE = Duration.ofSeconds(60);
  private static final KeyRange ALL = SimKeys.places(0, 900);
  private static final int KEYS = 400;
  private static final int ROUNDS = 25;

  /** Writers of a number in all keys, and readers of all of them. */
  private static final class Scenario {
    private final World world;
    private final SimCluster cluster;
    private final ClientInSim client;
    private final Backend backend;
    private final SimRandom random;
    private final SessionToken session = new SessionToken(ReadPoint.ZERO);
    private final Map<CopyRole, Integer> answers = new EnumMap<>(CopyRole.class);
    private int fromSeveral;
    private int reshaped;
    private int refused;

    private final int keys;

    Scenario(long seed, NodeMutation variant) {
      this(
          seed,
          variant,
          KEYS,
          2,
          List.of(SimKeys.bound(60), SimKeys.bound(120), SimKeys.bound(180)));
    }

    /** With at least so many requests under way. */
    Scenario(long seed, NodeMutation variant, int keys, int requestsMin, List<Bytes> hints) {
      this.keys = keys;
      world = new World(seed, new Trace(null));
      cluster =
          new SimCluster(
              world,
              CalmCluster.settings(5, 20 * MILLI),
              variant,
              id ->
                  NodeSettings.defaults("sim", ClientInSim.address(id))
                      .withCopies(3)
                      .withSplitHints(hints));
      random = world.random("scans");
      cluster.hosts().forEach(SimHost::start);
      client = new ClientInSim(world, cluster.network(), cluster.hosts());
      client.pause(60 * SECOND);
      backend =
          new Backend(
              client,
              client,
              new Backoff(2 * MILLI, 500 * MILLI),
              seed,
              new Backend.Settings(
                  Duration.ofSeconds(5),
                  DEADLINE,
                  new ReadAhead(Math.max(requestsMin, random.between(2, 5)), 16L << 20),
                  CommitsUnderWay.MAX,
                  StoreObserver.NONE));
    }

    private static TimeLimit limit() {
      return new TimeLimit(DEADLINE, Optional.empty());
    }

    private void write(long number) {
      BytesTransaction tx =
          backend.transaction(ReadLevel.SESSION, Isolation.SERIALIZABLE, session, limit());
      for (int i = 0; i < keys; i++) {
        tx.put(SimKeys.register(i), Bytes.utf8(Long.toString(number)));
      }
      tx.commit();
    }

    private void troubleUntil(long endNanos) {
      Reshaping reshaping =
          new Reshaping(
              world, cluster.hosts(), done -> reshaped += done.equals("request refused") ? 0 : 1);
      SimRandom trouble = random.fork("trouble");
      every(800 * MILLI, endNanos, trouble, () -> leader().ifPresent(reshaping::adminRequest));
      every(
          4 * SECOND,
          endNanos,
          trouble,
          () -> {
            SimHost host = trouble.pick(cluster.hosts());
            host.crash();
            world.scheduler().after(trouble.between(50, 4_000) * MILLI, host::start);
          });
    }

    private void every(long nanos, long endNanos, SimRandom by, Runnable task) {
      world
          .scheduler()
          .after(
              by.between(1, (int) (2 * nanos / MILLI)) * MILLI,
              () -> {
                if (world.nowNanos() < endNanos) {
                  task.run();
                  every(nanos, endNanos, by, task);
                }
              });
    }

    private Optional<SimHost> leader() {
      Optional<NodeId> leader = cluster.coordination().leader();
      return cluster.hosts().stream()
          .filter(host -> host.isUp() && Optional.of(host.id()).equals(leader))
          .findFirst();
    }

    private void check(BytesReads view, ScanShape shape) {
      Map<Bytes, Bytes> found = new TreeMap<>();
      List<Bytes> keys = new ArrayList<>();
      Map<NodeId, Integer> nodes = new TreeMap<>();
      BytesScan scan = view.scan(ALL, shape);
      for (BytesScan.Found next = scan.next(Long.MAX_VALUE);
          next != null;
          next = scan.next(Long.MAX_VALUE)) {
        keys.add(next.key());
        found.put(next.key(), next.value());
        view.lastRead().ifPresent(by -> nodes.merge(by.node(), 1, Integer::sum));
        if (random.chance(0.01)) {
          client.pause(random.between(1, 100) * MILLI);
        }
      }
      assertEquals(this.keys, keys.size(), () -> shape + ": each key once");
      assertEquals(this.keys, found.size(), () -> shape + ": all keys");
      assertEquals(1, found.values().stream().distinct().count(), () -> shape + ": of one moment");
      if (shape.ordered()) {
        List<Bytes> sorted = new ArrayList<>(found.keySet());
        assertEquals(
            shape.reverse() ? sorted.reversed() : sorted, keys, () -> shape + ": in order");
      }
      view.lastRead().ifPresent(by -> answers.merge(by.role(), 1, Integer::sum));
      fromSeveral += nodes.size() > 1 ? 1 : 0;
    }

    /**
     * An update transaction reads the primary, which may have been made anew since it began (rules
     * 3 and 10); and with its node a lease may be lost, and then what it kept (rule 14).
     */
    private void checkUnlessTooOld(BytesReads view, ScanShape shape) {
      try {
        check(view, shape);
      } catch (SnapshotTooOldException e) {
        refused++;
      }
    }

    private void run() {
      write(1);
      troubleUntil(world.nowNanos() + 60 * SECOND);
      for (long number = 2; number < ROUNDS; number++) {
        try {
          write(number);
        } catch (EcStoreException e) {
          // Not committed, or not known to be: what is there is of one moment all the same.
        }
        try (BytesSnapshot snapshot = backend.snapshot(ReadLevel.SESSION, session, limit())) {
          checkUnlessTooOld(snapshot, shape(true));
          checkUnlessTooOld(snapshot, shape(false));
        }
        BytesTransaction tx =
            backend.transaction(ReadLevel.SESSION, Isolation.SERIALIZABLE, session, limit());
        checkUnlessTooOld(tx, shape(true));
        tx.rollback();
        CalmCluster.run(world, random.between(1, 2_000) * MILLI);
      }
      backend.close();
      assertEquals(List.of(), world.violations());
    }

    private ScanShape shape(boolean ordered) {
      return new ScanShape(random.chance(0.5), false, ordered);
    }
  }

  @ParameterizedTest
  @Seeds(few = 2, many = 8)
  void everyScanShowsEachKeyOnceAndAllOfOneMoment(long seed) {
    Scenario scenario = new Scenario(seed, NodeMutation.RIGHT);
    scenario.run();
    assertTrue(scenario.client.mostUnderWay() > 1, "pieces were asked for at once");
    assertTrue(scenario.reshaped > 5, () -> scenario.reshaped + " splits and merges");
    assertTrue(scenario.refused < 5, () -> scenario.refused + " snapshots were too old");
    assertTrue(scenario.fromSeveral > ROUNDS, () -> scenario.fromSeveral + " of several nodes");
    assertTrue(
        scenario.answers.getOrDefault(CopyRole.SECONDARY, 0) > 5, scenario.answers::toString);
  }

  /** Where the data are all in one range, its copies say where a long scan of it may be cut. */
  @ParameterizedTest
  @Seeds(few = 1, many = 3)
  void aScanOfOneRangeIsReadInPieces(long seed) {
    List<Bytes> beyond = List.of(SimKeys.bound(300), SimKeys.bound(310), SimKeys.bound(320));
    Scenario scenario = new Scenario(seed, NodeMutation.RIGHT, 2_000, 4, beyond);
    scenario.write(1);
    KeyRange data = SimKeys.places(0, SimKeys.places());
    for (SimHost host : scenario.cluster.hosts()) {
      if (host.machine() instanceof Node node) {
        node.inspect()
            .copies()
            .forEach(
                copy ->
                    assertTrue(
                        copy.keys().contains(data) || !copy.keys().overlaps(data),
                        "the data are in one range"));
      }
    }
    for (int round = 0; round < 5; round++) {
      try (BytesSnapshot snapshot =
          scenario.backend.snapshot(ReadLevel.SESSION, scenario.session, Scenario.limit())) {
        scenario.check(snapshot, scenario.shape(true));
        scenario.check(snapshot, scenario.shape(false));
      }
    }
    assertTrue(scenario.client.mostUnderWay() > 2, "pieces of one range were asked for at once");
    assertTrue(scenario.fromSeveral > 3, () -> scenario.fromSeveral + " of several nodes");
    scenario.backend.close();
    assertEquals(List.of(), scenario.world.violations());
  }

  @Test
  void piecesThatMissKeysAreFound() {
    NodeMutation planted =
        Objects.requireNonNull(new PlantedReshaping().plants().get("scan-piece-misses-keys"));
    Scenario scenario = new Scenario(1, planted);
    assertThrows(AssertionError.class, scenario::run);
  }

  /** The library refuses a page with a key that its reader has. */
  @Test
  void piecesThatRepeatAKeyAreFound() {
    NodeMutation planted =
        Objects.requireNonNull(new PlantedReshaping().plants().get("scan-piece-repeats-a-key"));
    Scenario scenario = new Scenario(1, planted);
    EcStoreException refused = assertThrows(EcStoreException.class, scenario::run);
    assertEquals(ErrorCode.PROTOCOL, refused.code());
  }
}
