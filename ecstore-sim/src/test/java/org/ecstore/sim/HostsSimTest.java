package org.ecstore.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.ecstore.core.map.RangeDescriptor;
import org.ecstore.id.NodeId;
import org.ecstore.key.Bytes;
import org.ecstore.model.AdminRequest;
import org.ecstore.replication.copy.Copy;
import org.ecstore.sim.FailOverSimTest.Held;
import org.ecstore.sim.check.LedgerModel;
import org.ecstore.sim.node.NodeMutation;
import org.ecstore.sim.node.SimCluster;
import org.ecstore.sim.node.SimHost;
import org.ecstore.sim.world.SwarmSettings;
import org.ecstore.sim.world.Trace;
import org.ecstore.sim.world.World;
import org.ecstore.txn.node.NodeSettings;
import org.ecstore.txn.steward.decision.Decision;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nodes share machines in pairs: no two copies of a range are on one (rule 22). */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
final class HostsSimTest {
  private static final long MILLI = SwarmSettings.MILLI;
  private static final long SECOND = SwarmSettings.SECOND;
  private static final int NODES = 8;

  private static String label(NodeId node) {
    return "host-" + node.value() % (NODES / 2);
  }

  private static SimCluster start(World world, int copies) {
    SimCluster cluster =
        new SimCluster(
            world,
            CalmCluster.settings(NODES, 20 * MILLI),
            NodeMutation.RIGHT,
            id ->
                NodeSettings.defaults("sim", "n" + id + ":1")
                    .withHost(label(id))
                    .withCopies(copies));
    cluster.hosts().forEach(SimHost::start);
    CalmCluster.run(world, 90 * SECOND);
    return cluster;
  }

  /** Every range is served, and has so many copies, each on a host of its own. */
  private static void assertSpread(SimCluster cluster, int copies) {
    Map<Bytes, List<Held>> following = FailOverSimTest.copies(cluster, Copy.State.FOLLOWING);
    for (Map.Entry<Bytes, NodeId> range : FailOverSimTest.primaries(cluster).entrySet()) {
      List<String> hosts =
          Stream.concat(
                  Stream.of(range.getValue()),
                  following.getOrDefault(range.getKey(), List.of()).stream().map(Held::node))
              .map(HostsSimTest::label)
              .toList();
      String seen = range + " on " + hosts + ": " + FailOverSimTest.all(cluster);
      assertEquals(copies, hosts.size(), seen);
      assertEquals(hosts.stream().distinct().count(), hosts.size(), seen);
    }
  }

  private static SimHost host(SimCluster cluster, NodeId id) {
    return cluster.hosts().stream().filter(each -> each.id().equals(id)).findFirst().orElseThrow();
  }

  @ParameterizedTest
  @Seeds(few = 1, many = 4)
  void copiesAreOnHostsOfTheirOwnAlsoAfterAMachineIsGoneForLong(long seed) {
    World world = new World(seed, new Trace(null));
    SimCluster cluster = start(world, 3);
    assertSpread(cluster, 3);
    NodeId victim = FailOverSimTest.primaries(cluster).values().iterator().next();
    List<SimHost> machine =
        cluster.hosts().stream().filter(host -> label(host.id()).equals(label(victim))).toList();
    machine.forEach(SimHost::crash);
    CalmCluster.run(world, 240 * SECOND);
    assertSpread(cluster, 3);
    machine.forEach(node -> host(cluster, node.id()).start());
    CalmCluster.run(world, 120 * SECOND);
    assertSpread(cluster, 3);
    assertEquals(List.of(), world.violations());
  }

  private static Decision adminRequest(SimCluster cluster, AdminRequest request, long id) {
    return CalmCluster.leading(cluster).adminRequest(request, id);
  }

  private static RangeDescriptor range(LedgerModel model, SimCluster cluster, Bytes start) {
    model.catchUp(cluster.ledger().durable());
    return model.map().ranges().stream()
        .filter(range -> range.keys().start().equals(start))
        .findFirst()
        .orElseThrow(() -> new AssertionError(model.map() + " " + FailOverSimTest.all(cluster)));
  }

  /** The copies of the one half are on the other nodes of the same hosts, in another order. */
  @Test
  void copiesThatAreBroughtTogetherToBeMergedAreOnHostsOfTheirOwn() {
    World world = new World(1, new Trace(null));
    SimCluster cluster = start(world, 3);
    LedgerModel model = new LedgerModel();
    Bytes at = Bytes.utf8("\t");
    RangeDescriptor first = range(model, cluster, Bytes.EMPTY);
    adminRequest(cluster, new AdminRequest.Split(first.id(), Optional.of(at)), 1);
    CalmCluster.run(world, 10 * SECOND);
    RangeDescriptor left = range(model, cluster, Bytes.EMPTY);
    long request = 2;
    for (NodeId from : left.secondaries().reversed()) {
      NodeId to = new NodeId((from.value() - 1 + NODES / 2) % NODES + 1);
      RangeDescriptor right = range(model, cluster, at);
      adminRequest(cluster, new AdminRequest.Move(right.id(), to, Optional.of(from)), request++);
      CalmCluster.run(world, 10 * SECOND);
    }
    RangeDescriptor right = range(model, cluster, at);
    assertEquals(
        List.of(), left.secondaries().stream().filter(right.secondaries()::contains).toList());

    AdminRequest merge = new AdminRequest.Merge(left.id(), right.id());
    for (int i = 0;
        i < 60_000 && adminRequest(cluster, merge, request).outcome() == Decision.Outcome.UNDER_WAY;
        i++) {
      CalmCluster.run(world, MILLI);
      model.catchUp(cluster.ledger().durable());
      for (RangeDescriptor range : model.map().ranges()) {
        List<String> hosts =
            Stream.concat(Stream.of(range.primary()), range.secondaries().stream())
                .map(HostsSimTest::label)
                .toList();
        assertEquals(hosts.stream().distinct().toList(), hosts, range::toString);
      }
    }
    assertEquals(
        Decision.Outcome.DONE,
        adminRequest(cluster, merge, request).outcome(),
        () -> FailOverSimTest.all(cluster));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2})
  void whereHostsAreFewerThanCopiesEachHasOne(long seed) {
    World world = new World(seed, new Trace(null));
    SimCluster cluster = start(world, 6);
    assertSpread(cluster, NODES / 2);
    assertEquals(List.of(), world.violations());
  }
}
