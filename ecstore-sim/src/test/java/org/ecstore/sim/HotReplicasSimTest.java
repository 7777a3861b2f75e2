package org.ecstore.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.ecstore.client.retry.Backoff;
import org.ecstore.client.routing.SessionToken;
import org.ecstore.client.routing.TimeLimit;
import org.ecstore.client.session.Backend;
import org.ecstore.client.session.BytesSnapshot;
import org.ecstore.client.session.BytesTransaction;
import org.ecstore.core.message.Envelope;
import org.ecstore.core.port.Event;
import org.ecstore.id.NodeId;
import org.ecstore.id.ReadPoint;
import org.ecstore.key.Bytes;
import org.ecstore.model.CopyRole;
import org.ecstore.model.Isolation;
import org.ecstore.model.ReadLevel;
import org.ecstore.protocol.ClientReply;
import org.ecstore.protocol.ClientRequest;
import org.ecstore.replication.hotspot.HotReplicaSettings;
import org.ecstore.replication.hotspot.HotReplicaStreams;
import org.ecstore.sim.client.SimClient;
import org.ecstore.sim.history.SimKeys;
import org.ecstore.sim.node.NodeMutation;
import org.ecstore.sim.node.SimCluster;
import org.ecstore.sim.node.SimHost;
import org.ecstore.sim.world.SwarmSettings;
import org.ecstore.sim.world.Trace;
import org.ecstore.sim.world.World;
import org.ecstore.txn.message.TxnMessage.LimitNews;
import org.ecstore.txn.node.Node;
import org.ecstore.txn.node.NodeInspection.CopyView;
import org.ecstore.txn.node.NodeSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;

/**
 * A few keys are read much more than all others (ecStore §4.3, rules 24-26): they get hot-spot
 * replicas, which answer, are kept up to date, and go when no client reads them any more. With the
 * settings that a node has by default, but for how much is much.
 */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
final class HotReplicasSimTest {
  private static final long MILLI = SwarmSettings.MILLI;
  private static final long SECOND = SwarmSettings.SECOND;
  private static final Duration DEADLINE = Duration.ofSeconds(60);
  private static final Bytes HOT = Bytes.utf8("100hot");
  private static final long THRESHOLD = 100;

  private final SessionToken session = new SessionToken(ReadPoint.ZERO);
  private World world = new World(0, new Trace(null));
  private SimCluster cluster =
      new SimCluster(
          world, CalmCluster.settings(1, 1), NodeMutation.RIGHT, HotReplicasSimTest::node);
  private final Map<CopyRole, Integer> answers = new EnumMap<>(CopyRole.class);

  private static NodeSettings node(NodeId id) {
    return node(id, THRESHOLD);
  }

  private static NodeSettings node(NodeId id, long threshold) {
    return NodeSettings.defaults("sim", ClientInSim.address(id))
        .withCopies(2)
        .withHotReplicas(HotReplicaSettings.of(64 << 20, (double) threshold))
        .withSplitHints(List.of(SimKeys.bound(60), SimKeys.bound(120), SimKeys.bound(180)));
  }

  private Backend connect(long seed) {
    return connect(seed, THRESHOLD);
  }

  /** With nodes by whose configuration so many reads a second of a copy are much. */
  private Backend connect(long seed, long threshold) {
    world = new World(seed, new Trace(null));
    cluster =
        new SimCluster(
            world,
            CalmCluster.settings(6, 20 * MILLI),
            NodeMutation.RIGHT,
            id -> node(id, threshold));
    cluster.hosts().forEach(SimHost::start);
    ClientInSim client = new ClientInSim(world, cluster.network(), cluster.hosts());
    client.pause(60 * SECOND);
    return new Backend(
        client, client, new Backoff(2 * MILLI, 500 * MILLI), Duration.ofSeconds(5), DEADLINE, seed);
  }

  private static TimeLimit limit() {
    return new TimeLimit(DEADLINE, Optional.empty());
  }

  private void write(Backend backend, Bytes key, int number) {
    BytesTransaction tx =
        backend.transaction(ReadLevel.SESSION, Isolation.SERIALIZABLE, session, limit());
    tx.put(key, Bytes.utf8(Integer.toString(number)));
    tx.commit();
  }

  private void readFor(Backend backend, long nanos, int expected) {
    long until = world.nowNanos() + nanos;
    while (world.nowNanos() < until) {
      try (BytesSnapshot snapshot = backend.snapshot(ReadLevel.SESSION, session, limit())) {
        for (int i = 0; i < 20; i++) {
          Map<Bytes, Bytes> found = snapshot.get(List.of(HOT));
          assertEquals(Bytes.utf8(Integer.toString(expected)), found.get(HOT));
          snapshot.lastRead().ifPresent(by -> answers.merge(by.role(), 1, Integer::sum));
        }
      }
    }
  }

  private List<HotReplicaStreams.View> hotReplicas() {
    List<HotReplicaStreams.View> all = new ArrayList<>();
    for (SimHost host : cluster.hosts()) {
      if (host.isUp() && host.machine() instanceof Node node) {
        all.addAll(node.hotReplicasFed());
      }
    }
    return all;
  }

  @ParameterizedTest
  @Seeds(few = 1, many = 3)
  void whatIsReadMuchGetsHotReplicasWhichAnswerAndGoAgain(long seed) {
    try (Backend backend = connect(seed)) {
      for (int place = 10; place < 250; place++) {
        write(backend, Bytes.utf8("%03dcold".formatted(place)), place);
      }
      write(backend, HOT, 1);
      readFor(backend, 30 * SECOND, 1);
      List<HotReplicaStreams.View> made = hotReplicas();
      assertTrue(
          made.stream()
              .anyMatch(hotReplica -> hotReplica.filled() && hotReplica.keys().contains(HOT)),
          made::toString);
      write(backend, HOT, 2);
      answers.clear();
      readFor(backend, 5 * SECOND, 2);
      assertTrue(answers.getOrDefault(CopyRole.HOT_REPLICA, 0) > 100, answers::toString);
      CalmCluster.run(world, 180 * SECOND);
      assertEquals(List.of(), hotReplicas(), "no client reads them any more");
      for (SimHost host : cluster.hosts()) {
        if (host.machine() instanceof Node node) {
          assertEquals(List.of(), node.hotReplicasHeld());
        }
      }
    }
    assertEquals(List.of(), world.violations());
  }

  /** What the node that leads tells of the threshold, in the version of its book. */
  private void tell(long version, long threshold) {
    for (SimHost host : cluster.hosts()) {
      host.currentLife()
          .post(
              new Event.Delivered(
                  new Envelope(
                      host.id(),
                      host.incarnation(),
                      host.id(),
                      ReadPoint.ZERO,
                      new LimitNews(version, List.of(), threshold))));
    }
    CalmCluster.run(world, SECOND);
  }

  private Set<Long> told() {
    Set<Long> all = new TreeSet<>();
    for (SimHost host : cluster.hosts()) {
      all.add(((Node) Objects.requireNonNull(host.machine())).hotThreshold());
    }
    return all;
  }

  /**
   * Nodes are told that a hundredth of the reads by which they are configured is much (decision
   * 0090): what is read so much gets hot-spot replicas, and none come any more once that is over.
   */
  @ParameterizedTest
  @Seeds(few = 1, many = 3)
  void aLowerThresholdThatIsToldMakesHotReplicas(long seed) {
    try (Backend backend = connect(seed, 100 * THRESHOLD)) {
      for (int place = 10; place < 250; place++) {
        write(backend, Bytes.utf8("%03dcold".formatted(place)), place);
      }
      write(backend, HOT, 1);
      readFor(backend, 10 * SECOND, 1);
      assertEquals(List.of(), hotReplicas());
      tell(2, THRESHOLD);
      tell(1, 0);
      assertEquals(Set.of(THRESHOLD), told(), "what is late is passed by");
      readFor(backend, 30 * SECOND, 1);
      List<HotReplicaStreams.View> made = hotReplicas();
      assertTrue(
          made.stream()
              .anyMatch(hotReplica -> hotReplica.filled() && hotReplica.keys().contains(HOT)),
          made::toString);
      answers.clear();
      readFor(backend, 5 * SECOND, 1);
      assertTrue(answers.getOrDefault(CopyRole.HOT_REPLICA, 0) > 100, answers::toString);
      tell(3, 0);
      CalmCluster.run(world, 180 * SECOND);
      assertEquals(List.of(), hotReplicas(), "no client reads them any more");
      readFor(backend, 10 * SECOND, 1);
      assertEquals(List.of(), hotReplicas(), "it is as it was");
    }
    assertEquals(List.of(), world.violations());
  }

  /** A read without keys has no interval, and ended the node that was asked. */
  @Test
  void aReadOfNoKeysIsAnswered() {
    try (Backend backend = connect(1)) {
      write(backend, HOT, 1);
      SimClient client = CalmCluster.client(world, cluster);
      List<ClientReply> replies = new ArrayList<>();
      for (SimHost host : cluster.hosts()) {
        for (CopyView copy : ((Node) Objects.requireNonNull(host.machine())).inspect().copies()) {
          client.call(
              host.id(),
              new ClientRequest.Get(session.point(), copy.id(), copy.epoch(), List.of(), true),
              SECOND,
              reply -> reply.ifPresent(replies::add));
        }
      }
      CalmCluster.run(world, 2 * SECOND);
      assertTrue(
          replies.stream().anyMatch(ClientReply.Values.class::isInstance), replies::toString);
    }
    assertEquals(List.of(), world.violations());
  }

  @ParameterizedTest
  @Seeds(few = 1, many = 3)
  void hotReplicasOfANodeThatIsGoneEnd(long seed) {
    try (Backend backend = connect(seed)) {
      write(backend, HOT, 1);
      readFor(backend, 30 * SECOND, 1);
      for (SimHost host : cluster.hosts()) {
        if (host.machine() instanceof Node node && !node.hotReplicasFed().isEmpty()) {
          host.crash();
          break;
        }
      }
      CalmCluster.run(world, 20 * SECOND);
      List<NodeId> up = cluster.hosts().stream().filter(SimHost::isUp).map(SimHost::id).toList();
      for (SimHost host : cluster.hosts()) {
        if (host.isUp() && host.machine() instanceof Node node) {
          node.hotReplicasHeld()
              .forEach(hotReplica -> assertTrue(up.contains(hotReplica.parent())));
        }
      }
      write(backend, HOT, 2);
      readFor(backend, SECOND, 2);
    }
    assertEquals(List.of(), world.violations());
  }
}
