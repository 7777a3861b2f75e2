package org.ecstore.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.ecstore.client.read.ScanShape;
import org.ecstore.client.retry.Backoff;
import org.ecstore.client.routing.SessionToken;
import org.ecstore.client.routing.TimeLimit;
import org.ecstore.client.scan.BytesScan;
import org.ecstore.client.session.Backend;
import org.ecstore.client.session.BytesSnapshot;
import org.ecstore.client.session.BytesTransaction;
import org.ecstore.id.NodeId;
import org.ecstore.id.Position;
import org.ecstore.id.ReadPoint;
import org.ecstore.key.Bytes;
import org.ecstore.model.AdminRequest;
import org.ecstore.model.Isolation;
import org.ecstore.model.ReadLevel;
import org.ecstore.replication.copy.Copy;
import org.ecstore.sim.history.SimKeys;
import org.ecstore.sim.node.NodeMutation;
import org.ecstore.sim.node.SimCluster;
import org.ecstore.sim.node.SimHost;
import org.ecstore.sim.world.SwarmSettings;
import org.ecstore.sim.world.Trace;
import org.ecstore.sim.world.World;
import org.ecstore.txn.node.Node;
import org.ecstore.txn.node.NodeInspection.CopyView;
import org.ecstore.txn.node.NodeSettings;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;

/**
 * A snapshot that is open while its range moves to a node that makes a new copy, which begins above
 * it (rule 10): it is read from the copies that were there before, at every level.
 */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
final class OldSnapshotsSimTest {
  private static final long MILLI = SwarmSettings.MILLI;
  private static final long SECOND = SwarmSettings.SECOND;
  private static final Duration DEADLINE = Duration.ofSeconds(60);
  private static final Bytes KEY = SimKeys.register(0);

  private World world = new World(0, new Trace(null));
  private SimCluster cluster =
      new SimCluster(
          world, CalmCluster.settings(1, 1), NodeMutation.RIGHT, OldSnapshotsSimTest::node);
  private final SessionToken session = new SessionToken(ReadPoint.ZERO);

  private static NodeSettings node(NodeId id) {
    return NodeSettings.defaults("sim", ClientInSim.address(id)).withCopies(3);
  }

  private static TimeLimit limit() {
    return new TimeLimit(DEADLINE, Optional.empty());
  }

  private static void write(Backend backend, SessionToken session, String value) {
    BytesTransaction tx =
        backend.transaction(ReadLevel.SESSION, Isolation.SERIALIZABLE, session, limit());
    tx.put(KEY, Bytes.utf8(value));
    tx.commit();
  }

  private record Held(NodeId node, CopyView copy) {}

  private List<Held> held() {
    List<Held> held = new ArrayList<>();
    for (SimHost host : cluster.hosts()) {
      if (host.machine() instanceof Node node) {
        node.inspect().copies().stream()
            .filter(copy -> copy.keys().contains(KEY))
            .forEach(copy -> held.add(new Held(host.id(), copy)));
      }
    }
    return held;
  }

  /** Moves the range to a node that has no copy of it. */
  private void moveAway() {
    List<Held> held = held();
    NodeId free =
        cluster.hosts().stream()
            .map(SimHost::id)
            .filter(id -> held.stream().noneMatch(one -> one.node().equals(id)))
            .findFirst()
            .orElseThrow();
    CopyView range =
        held.stream()
            .map(Held::copy)
            .filter(copy -> copy.state() == Copy.State.SERVING)
            .findFirst()
            .orElseThrow();
    for (SimHost host : cluster.hosts()) {
      if (cluster.coordination().leader().equals(Optional.of(host.id()))
          && host.machine() instanceof Node steward) {
        steward.adminRequest(new AdminRequest.Move(range.id(), free, Optional.empty()));
      }
    }
    CalmCluster.run(world, 8 * SECOND);
    assertTrue(
        held().stream()
            .anyMatch(one -> one.node().equals(free) && one.copy().state() == Copy.State.SERVING),
        () -> "it has moved to " + free + ": " + held());
  }

  private static void assertShows(BytesSnapshot snapshot, String value) {
    for (int i = 0; i < 10; i++) {
      assertEquals(Map.of(KEY, Bytes.utf8(value)), snapshot.get(List.of(KEY)));
      BytesScan scan =
          snapshot.scan(SimKeys.places(0, 900), new ScanShape(i % 2 == 1, false, true));
      BytesScan.Found found = scan.next(Long.MAX_VALUE);
      assertEquals(
          Optional.of(Bytes.utf8(value)), Optional.ofNullable(found).map(one -> one.value()));
    }
  }

  @ParameterizedTest
  @Seeds(few = 1, many = 4)
  void theyAreReadFromCopiesThatWereThereBefore(long seed) {
    world = new World(seed, new Trace(null));
    cluster =
        new SimCluster(
            world,
            CalmCluster.settings(5, 20 * MILLI),
            NodeMutation.RIGHT,
            OldSnapshotsSimTest::node);
    cluster.hosts().forEach(SimHost::start);
    ClientInSim client = new ClientInSim(world, cluster.network(), cluster.hosts());
    client.pause(60 * SECOND);
    Duration request = Duration.ofSeconds(5);
    try (Backend backend =
        new Backend(client, client, new Backoff(2 * MILLI, 500 * MILLI), request, DEADLINE, seed)) {
      write(backend, session, "before");
      client.pause(2 * SECOND);
      List<BytesSnapshot> old = new ArrayList<>();
      for (ReadLevel level :
          List.of(
              ReadLevel.LOCAL,
              ReadLevel.SESSION,
              ReadLevel.bounded(Duration.ofSeconds(1)),
              ReadLevel.STRONG)) {
        BytesSnapshot snapshot = backend.snapshot(level, session, limit());
        snapshot.point();
        old.add(snapshot);
      }
      write(backend, session, "after");
      moveAway();
      Position base =
          held().stream()
              .map(Held::copy)
              .filter(copy -> copy.state() == Copy.State.SERVING)
              .map(CopyView::base)
              .findFirst()
              .orElseThrow();
      for (BytesSnapshot snapshot : old) {
        assertTrue(base.isAfter(snapshot.point().position()), "the new primary is too young");
        assertShows(snapshot, "before");
      }
      moveAway();
      old.forEach(snapshot -> assertShows(snapshot, "before"));
      try (BytesSnapshot now = backend.snapshot(ReadLevel.STRONG, session, limit())) {
        assertShows(now, "after");
      }
      old.forEach(BytesSnapshot::close);
    }
    assertEquals(List.of(), world.violations());
  }
}
