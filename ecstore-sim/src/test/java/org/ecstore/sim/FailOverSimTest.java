package org.ecstore.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.ecstore.id.NodeId;
import org.ecstore.key.Bytes;
import org.ecstore.protocol.ClientReply;
import org.ecstore.protocol.ClientRequest;
import org.ecstore.replication.copy.Copy;
import org.ecstore.sim.client.SimClient;
import org.ecstore.sim.node.NodeMutation;
import org.ecstore.sim.node.SimCluster;
import org.ecstore.sim.node.SimHost;
import org.ecstore.sim.world.SwarmSettings;
import org.ecstore.sim.world.Trace;
import org.ecstore.sim.world.World;
import org.ecstore.txn.node.Node;
import org.ecstore.txn.node.NodeInspection.CopyView;
import org.ecstore.txn.node.NodeSettings;
import org.ecstore.txn.sequencer.Sequencer;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;

/** A node with ranges goes, for a short time or for long, while nothing else goes wrong. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
final class FailOverSimTest {
  private static final long MILLI = SwarmSettings.MILLI;
  private static final long SECOND = SwarmSettings.SECOND;
  private static final int COPIES = 3;

  private static SimCluster start(World world) {
    return start(world, settings -> settings);
  }

  private static SimCluster start(World world, UnaryOperator<NodeSettings> other) {
    SimCluster cluster =
        new SimCluster(
            world,
            CalmCluster.settings(5, 20 * MILLI),
            NodeMutation.RIGHT,
            id ->
                other.apply(
                    NodeSettings.defaults("sim", "n" + id + ":1")
                        .withCopies(COPIES)
                        .withColdRouting(true)));
    cluster.hosts().forEach(SimHost::start);
    CalmCluster.run(world, 60 * SECOND);
    return cluster;
  }

  record Held(NodeId node, CopyView copy) {}

  /** The copies of the nodes that are up, in some state, by their ranges' first keys. */
  static Map<Bytes, List<Held>> copies(SimCluster cluster, Copy.State state) {
    Map<Bytes, List<Held>> found = new TreeMap<>();
    for (SimHost host : cluster.hosts()) {
      if (host.isUp() && host.machine() instanceof Node node) {
        for (CopyView copy : node.inspect().copies()) {
          if (copy.state() == state) {
            found
                .computeIfAbsent(copy.keys().start(), _ -> new ArrayList<>())
                .add(new Held(host.id(), copy));
          }
        }
      }
    }
    return found;
  }

  /** Who serves which range; every key is served once. */
  static Map<Bytes, NodeId> primaries(SimCluster cluster) {
    Map<Bytes, NodeId> found = new TreeMap<>();
    Optional<Bytes> expected = Optional.of(Bytes.EMPTY);
    for (List<Held> of : copies(cluster, Copy.State.SERVING).values()) {
      Held held = of.stream().max(Comparator.comparing(one -> one.copy().epoch())).orElseThrow();
      assertEquals(expected, Optional.of(held.copy().keys().start()), "the ranges tile all keys");
      expected = held.copy().keys().end();
      found.put(held.copy().keys().start(), held.node());
    }
    assertEquals(Optional.empty(), expected, "the ranges reach the end of all keys");
    return found;
  }

  static String all(SimCluster cluster) {
    StringBuilder text = new StringBuilder();
    for (SimHost host : cluster.hosts()) {
      if (host.isUp() && host.machine() instanceof Node node) {
        text.append("%n%s %s".formatted(host.id(), node.inspect().copies()));
        node.decisions().forEach(line -> text.append("%n  %s".formatted(line)));
      }
    }
    return text.toString();
  }

  private static void assertWhole(SimCluster cluster) {
    Map<Bytes, List<Held>> following = copies(cluster, Copy.State.FOLLOWING);
    Map<Bytes, NodeId> primaries = primaries(cluster);
    for (Map.Entry<Bytes, NodeId> range : primaries.entrySet()) {
      List<NodeId> secondaries =
          following.getOrDefault(range.getKey(), List.of()).stream().map(Held::node).toList();
      assertEquals(
          COPIES - 1, secondaries.size(), range + " has " + secondaries + ": " + all(cluster));
      assertTrue(!secondaries.contains(range.getValue()), range + " has " + secondaries);
    }
  }

  private static SimHost host(SimCluster cluster, NodeId id) {
    return cluster.hosts().stream().filter(each -> each.id().equals(id)).findFirst().orElseThrow();
  }

  @ParameterizedTest
  @Seeds(few = 2, many = 6)
  void rangesOfANodeThatGoesAreServedByOthersUntilItIsBack(long seed) {
    World world = new World(seed, new Trace(null));
    SimCluster cluster = start(world);
    assertWhole(cluster);
    Map<Bytes, NodeId> before = primaries(cluster);
    NodeId victim = before.values().stream().max(Comparator.naturalOrder()).orElseThrow();
    host(cluster, victim).crash();
    CalmCluster.run(world, 10 * SECOND);
    Map<Bytes, NodeId> meanwhile = primaries(cluster);
    assertEquals(before.keySet(), meanwhile.keySet());
    for (Map.Entry<Bytes, NodeId> range : before.entrySet()) {
      if (!range.getValue().equals(victim)) {
        assertEquals(range.getValue(), meanwhile.get(range.getKey()), "the others stay");
      }
    }
    assertEveryKeyIsFound(world, cluster, meanwhile);
    host(cluster, victim).start();
    CalmCluster.run(world, 60 * SECOND);
    assertEquals(before, primaries(cluster), "what belongs to it is served by it again");
    assertWhole(cluster);
    assertEquals(List.of(), world.violations());
  }

  /** A search from link to link ends where keys belong, also where another serves them. */
  private static void assertEveryKeyIsFound(
      World world, SimCluster cluster, Map<Bytes, NodeId> primaries) {
    SimClient client = CalmCluster.client(world, cluster);
    Map<Bytes, NodeId> located = new TreeMap<>();
    NodeId asked = primaries.values().iterator().next();
    for (Bytes key : primaries.keySet()) {
      client.call(
          asked,
          new ClientRequest.Locate(key),
          5 * SECOND,
          reply -> {
            if (reply.isPresent() && reply.get() instanceof ClientReply.Located found) {
              located.put(key, found.route().primary());
            }
          });
    }
    CalmCluster.run(world, 6 * SECOND);
    assertEquals(primaries, located);
  }

  @ParameterizedTest
  @Seeds(few = 1, many = 3)
  void copiesOfANodeThatIsGoneForLongAreMadeAnew(long seed) {
    World world = new World(seed, new Trace(null));
    SimCluster cluster = start(world);
    NodeId victim = primaries(cluster).values().iterator().next();
    host(cluster, victim).crash();
    CalmCluster.run(world, 180 * SECOND);
    assertWhole(cluster);
    for (NodeId node : primaries(cluster).values()) {
      assertNotEquals(victim, node);
    }
    assertEquals(List.of(), world.violations());
  }

  /** As the given ones, with a checkpoint after every few records, and a trim with it. */
  private static NodeSettings forgetful(NodeSettings like) {
    Sequencer.Bounds bounds = like.sequencer();
    return new NodeSettings(
        like.clusterId(),
        like.address(),
        like.host(),
        like.traits(),
        like.tickNanos(),
        like.heartbeatNanos(),
        like.persistNanos(),
        like.housekeepNanos(),
        like.leaseNanos(),
        like.requestNanos(),
        like.askNanos(),
        like.unprovenMax(),
        like.coldRouting(),
        like.participant(),
        like.coordinator(),
        new Sequencer.Bounds(
            bounds.appender(),
            bounds.outcomesKept(),
            bounds.outcomesMax(),
            20,
            bounds.retentionNanos(),
            bounds.floorStep()),
        like.steward(),
        like.streams(),
        like.transfers(),
        like.copyShare(),
        like.hotReplicas(),
        like.balance(),
        like.transactionMax(),
        like.leasesMax(),
        like.changes(),
        like.control());
  }

  /** It is there, so that no other takes its ranges over as from one that is gone (rule 16). */
  @ParameterizedTest
  @Seeds(few = 1, many = 3)
  void aPrimaryThatIsSoonBackOnAnEmptyDiskIsFilledFromItsSiblings(long seed) {
    World world = new World(seed, new Trace(null));
    SimCluster cluster = start(world, FailOverSimTest::forgetful);
    CalmCluster.keepAsking(world, CalmCluster.client(world, cluster), cluster.hosts());
    // The ledger is trimmed below what is folded, which comes in rounds.
    CalmCluster.run(world, 120 * SECOND);
    SimHost victim = host(cluster, first(cluster, Copy.State.SERVING));
    victim.crash();
    cluster.replaceDisk(victim);
    victim.start();
    CalmCluster.run(world, 10 * SECOND);
    assertNotEquals(Map.of(), copies(cluster, Copy.State.LOST), () -> all(cluster));
    CalmCluster.run(world, 180 * SECOND);
    assertWhole(cluster);
    assertEquals(List.of(), world.violations());
  }

  /** A node that has a copy of the first range in some state. */
  private static NodeId first(SimCluster cluster, Copy.State state) {
    return copies(cluster, state).values().iterator().next().getFirst().node();
  }

  @ParameterizedTest
  @Seeds(few = 1, many = 3)
  void twoOfThreeCopiesMayGoAtOnce(long seed) {
    World world = new World(seed, new Trace(null));
    SimCluster cluster = start(world);
    Map<Bytes, NodeId> before = primaries(cluster);
    host(cluster, first(cluster, Copy.State.SERVING)).crash();
    host(cluster, first(cluster, Copy.State.FOLLOWING)).crash();
    CalmCluster.run(world, 20 * SECOND);
    assertEquals(before.keySet(), primaries(cluster).keySet());
    assertEquals(List.of(), world.violations());
  }
}
