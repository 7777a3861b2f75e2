package org.ecstore.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.ecstore.core.map.RangeDescriptor;
import org.ecstore.id.Epoch;
import org.ecstore.id.NodeId;
import org.ecstore.id.Position;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.model.AdminRequest;
import org.ecstore.model.EngineTraits;
import org.ecstore.model.NodeFact;
import org.ecstore.model.NodeTraits;
import org.ecstore.replication.copy.Copy;
import org.ecstore.sim.FailOverSimTest.Held;
import org.ecstore.sim.check.LedgerModel;
import org.ecstore.sim.node.KindsOfNodes;
import org.ecstore.sim.node.NodeMutation;
import org.ecstore.sim.node.SimCluster;
import org.ecstore.sim.node.SimHost;
import org.ecstore.sim.world.SwarmSettings;
import org.ecstore.sim.world.Trace;
import org.ecstore.sim.world.World;
import org.ecstore.txn.node.Node;
import org.ecstore.txn.node.NodeInspection;
import org.ecstore.txn.node.NodeParts;
import org.ecstore.txn.node.NodeSettings;
import org.ecstore.txn.qos.ServiceLevels;
import org.ecstore.txn.qos.control.ControlledCluster;
import org.ecstore.txn.steward.decision.Decision;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Nodes on engines of several kinds (rule 23), some of which lose what they have under their living
 * nodes (decision 0056).
 */
class KindsOfNodesSimTest {
  private static final long MILLI = SwarmSettings.MILLI;
  private static final long SECOND = SwarmSettings.SECOND;
  private static final int SEEDS = 60;

  @Test
  @Tag("slow")
  void copiesAreWhereTheyShouldBeAndWhatIsLostIsFilledAnew() {
    Map<String, Integer> happened = new HashMap<>();
    int mixed = 0;
    for (long seed = 0; seed < SEEDS; seed++) {
      if (KindsOfNodes.livesIn(seed)) {
        SimResult result = Simulation.run(seed, NodeMutation.RIGHT);
        assertEquals(List.of(), result.violations(), "seed " + seed);
        result.faults().forEach((what, times) -> happened.merge(what, times, Integer::sum));
        mixed++;
      }
    }
    assertEquals(SEEDS / 5, mixed);
    assertTrue(
        happened.containsKey("a store is emptied under its living node"), happened::toString);
    assertTrue(happened.containsKey("a node ends that has lost its store"), happened::toString);
  }

  /**
   * Seeds that went wrong. 701459: of two copies none was fit for the primary, none was missing for
   * all that, and the range was served from where it had been promoted to, for ever. 701979: nodes
   * outside the overlay were asked where keys are, and never answered, as they have no links.
   */
  @ParameterizedTest
  @ValueSource(longs = {701_459, 701_979})
  void nodesOfSeveralKindsGetOn(long seed) {
    assertEquals(List.of(), Simulation.run(seed, NodeMutation.RIGHT).violations());
  }

  /**
   * Machines with engines of some kinds, all started, after a while in which nothing goes wrong.
   */
  private static SimCluster calm(World world, boolean relaxed, EngineTraits... engines) {
    SimCluster cluster =
        new SimCluster(
            world,
            CalmCluster.settings(engines.length, MILLI),
            NodeMutation.RIGHT,
            node ->
                NodeSettings.defaults("sim", "")
                    .withCopies(3)
                    .withTimeout(3_600 * SECOND, SECOND)
                    .withRelaxedPlacement(relaxed)
                    .withTraits(NodeTraits.UNKNOWN.with("", engines[(int) node.value() - 1])));
    cluster.hosts().forEach(SimHost::start);
    CalmCluster.run(world, 60 * SECOND);
    return cluster;
  }

  private static NodeInspection inspect(SimHost host) {
    return ((Node) Objects.requireNonNull(host.machine())).inspect();
  }

  private static List<String> placement(SimCluster cluster) {
    return cluster.hosts().stream()
        .flatMap(host -> inspect(host).facts().stream())
        .filter(fact -> fact.name().equals(NodeFact.PLACEMENT))
        .map(NodeFact::value)
        .toList();
  }

  private static List<Copy.State> copies(SimHost host) {
    return inspect(host).copies().stream().map(NodeInspection.CopyView::state).toList();
  }

  @Test
  void aClusterOfOneKindThatLacksANeedBeginsOnlyIfItMay() {
    EngineTraits[] reading = {KindsOfNodes.READ, KindsOfNodes.READ, KindsOfNodes.READ};
    SimCluster waiting = calm(new World(1, new Trace(null)), false, reading);
    assertTrue(waiting.hosts().stream().allMatch(host -> copies(host).isEmpty()));
    assertEquals(
        List.of(
            "no range yet: of the engines that are there, none is fast at writing: start a node"
                + " of another kind, or set placement.relaxed"),
        placement(waiting));

    SimCluster relaxed = calm(new World(1, new Trace(null)), true, reading);
    assertTrue(relaxed.hosts().stream().allMatch(host -> copies(host).size() >= 3));
    assertEquals(
        List.of(
            "copies of each range lack: one that is fit for the primary, 2 fewer that are fast at"
                + " writing"),
        placement(relaxed));
  }

  @Test
  void withoutACopyThatPersistsTheLedgerIsKeptWholeAndThatIsSaid() {
    SimCluster cluster =
        calm(
            new World(1, new Trace(null)),
            true,
            KindsOfNodes.MEMORY,
            KindsOfNodes.MEMORY,
            KindsOfNodes.MEMORY);
    assertEquals(
        List.of(
            "copies of each range lack: 2 fewer that persist, one that is fit for the primary; the"
                + " ledger is kept whole, for a range"
                + " has no copy that persists"),
        placement(cluster));
  }

  private static Decision drain(SimCluster cluster, int node) {
    return CalmCluster.leading(cluster)
        .adminRequest(new AdminRequest.Drain(new NodeId(node)), node);
  }

  private static void assertRefused(String lack, Decision decision) {
    assertEquals(Decision.Outcome.REFUSED, decision.outcome());
    assertTrue(
        decision.detail().endsWith("no node is there that has " + lack + ": add one first"),
        decision::detail);
  }

  /** Its copies would be all that the ledger may be trimmed by (seed 720019). */
  @Test
  void theLastNodeThatPersistsIsNotDrained() {
    World world = new World(1, new Trace(null));
    SimCluster cluster =
        calm(
            world,
            false,
            KindsOfNodes.BOTH,
            KindsOfNodes.READ,
            KindsOfNodes.MEMORY,
            KindsOfNodes.MEMORY,
            KindsOfNodes.MEMORY);
    assertRefused("an engine fit for primaries", drain(cluster, 1));
    cluster.hosts().getFirst().crash();
    CalmCluster.run(world, 60 * SECOND);
    assertRefused("an engine that persists", drain(cluster, 2));
    assertEquals(Decision.Outcome.UNDER_WAY, drain(cluster, 5).outcome());
  }

  /** Another one persists, and would have the only copy of each range that does. */
  @Test
  void aNodeWithoutWhichFewerCopiesPersistIsNotDrained() {
    SimCluster cluster =
        calm(
            new World(1, new Trace(null)),
            false,
            KindsOfNodes.BOTH,
            KindsOfNodes.BOTH,
            KindsOfNodes.MEMORY,
            KindsOfNodes.MEMORY);
    Decision refused = drain(cluster, 2);
    assertEquals(Decision.Outcome.REFUSED, refused.outcome());
    assertEquals(
        "without n2 copies of each range would lack: 1 fewer that persist; add a node first",
        refused.detail());
    assertEquals(Decision.Outcome.UNDER_WAY, drain(cluster, 4).outcome());
  }

  /** The keys that are served and of which no other copy is on one of some nodes. */
  private static List<KeyRange> without(SimCluster cluster, List<SimHost> keeping) {
    List<KeyRange> kept =
        keeping.stream()
            .flatMap(host -> inspect(host).copies().stream())
            .filter(
                copy -> copy.closed().isAfter(Position.ZERO) && !copy.epoch().equals(Epoch.ZERO))
            .map(NodeInspection.CopyView::keys)
            .toList();
    return cluster.hosts().stream()
        .filter(SimHost::isUp)
        .flatMap(host -> inspect(host).copies().stream())
        .filter(copy -> copy.state() == Copy.State.SERVING)
        .map(NodeInspection.CopyView::keys)
        .filter(keys -> kept.stream().noneMatch(whole -> whole.contains(keys)))
        .toList();
  }

  /**
   * Its neighbours in the order of keys forget what they have, and one that persists is there and
   * has no copy yet (seed 800529 of those with adapters).
   */
  @Test
  void aNodeThatLeavesKeepsTheLastCopyThatPersistsUntilAnotherHasIt() {
    World world = new World(1, new Trace(null));
    SimCluster cluster =
        new SimCluster(
            world,
            CalmCluster.settings(4, MILLI),
            NodeMutation.RIGHT,
            node ->
                NodeSettings.defaults("sim", "")
                    .withCopies(2)
                    .withTimeout(3_600 * SECOND, SECOND)
                    .withRelaxedPlacement(true)
                    .withTraits(
                        NodeTraits.UNKNOWN.with(
                            "", node.value() > 2 ? KindsOfNodes.BOTH : KindsOfNodes.MEMORY)));
    List<SimHost> hosts = cluster.hosts();
    hosts.get(0).start();
    hosts.get(1).start();
    CalmCluster.run(world, 60 * SECOND);
    hosts.get(2).start();
    CalmCluster.run(world, 60 * SECOND);
    assertEquals(List.of(), without(cluster, List.of(hosts.get(2))));
    hosts.get(3).start();
    CalmCluster.run(world, 100 * MILLI);
    assertEquals(Decision.Outcome.UNDER_WAY, drain(cluster, 3).outcome());
    List<SimHost> persisting = hosts.subList(2, 4);
    for (int i = 0; i < 6_000; i++) {
      CalmCluster.run(world, 10 * MILLI);
      assertEquals(List.of(), without(cluster, persisting), "after " + 10 * i + " ms");
    }
    assertEquals(List.of(), copies(hosts.get(2)), "it has left");
  }

  @Test
  void aCopyWhoseStoreIsEmptiedIsFilledAtOnceAndIsNeverThePrimarys() {
    World world = new World(1, new Trace(null));
    SimCluster cluster =
        calm(world, false, KindsOfNodes.MEMORY, KindsOfNodes.BOTH, KindsOfNodes.BOTH);
    SimHost forgetful = cluster.hosts().getFirst();
    List<Copy.State> before = copies(forgetful);
    assertEquals(List.of(Copy.State.FOLLOWING), before.stream().distinct().toList());
    int life = forgetful.life();
    cluster.emptyStore(forgetful);
    CalmCluster.run(world, 20 * SECOND);
    assertEquals(life + 1, forgetful.life(), "it has ended, and was started again");
    assertEquals(before, copies(forgetful));
    assertEquals(List.of(), placement(cluster));
  }

  /**
   * Seed 457889 at 5e7b4a1: its primaries took what it had acknowledged in its former life for what
   * it has, and told it nothing (rules 11, 19).
   */
  @Test
  void aSecondaryOnAnEmptyDiskIsFilledThoughNothingIsCommitted() {
    World world = new World(1, new Trace(null));
    SimCluster cluster =
        calm(world, false, KindsOfNodes.BOTH, KindsOfNodes.BOTH, KindsOfNodes.READ);
    SimHost secondary = cluster.hosts().getLast();
    Position end = inspect(secondary).adopted().position();
    assertEquals(List.of(end), closed(secondary));
    secondary.crash();
    cluster.replaceDisk(secondary);
    secondary.start();
    CalmCluster.run(world, 30 * SECOND);
    assertEquals(end, inspect(secondary).adopted().position(), "nothing was committed");
    assertEquals(List.of(end), closed(secondary));
  }

  private static List<Position> closed(SimHost host) {
    return inspect(host).copies().stream().map(NodeInspection.CopyView::closed).distinct().toList();
  }

  /** Three hosts, on each a node of each kind: as {@code cluster up --hosts 3} makes them. */
  private static SimCluster threeHosts(World world) {
    SimCluster cluster = threeHosts(world, NodeMutation.RIGHT);
    // Those of one kind are there first, and have all copies.
    for (int kind = 0; kind < 3; kind++) {
      start(cluster, kind);
      CalmCluster.run(world, 60 * SECOND);
    }
    return cluster;
  }

  /** The nodes of a kind start. */
  private static void start(SimCluster cluster, int kind) {
    for (int host = 0; host < 3; host++) {
      cluster.hosts().get(3 * host + kind).start();
    }
  }

  private static SimCluster threeHosts(World world, NodeMutation variant) {
    EngineTraits[] ofHost = {KindsOfNodes.BOTH, KindsOfNodes.READ, KindsOfNodes.MEMORY};
    return new SimCluster(
        world,
        CalmCluster.settings(9, MILLI),
        variant,
        node -> {
          int number = (int) node.value() - 1;
          return NodeSettings.defaults("sim", "")
              .withHost("host-" + number / 3)
              .withCopies(3)
              .withTraits(NodeTraits.UNKNOWN.with("", ofHost[number % 3]));
        });
  }

  /** What the controllers of all nodes see. */
  private static final class Sights extends NodeParts {
    private final List<ControlledCluster> seen = new ArrayList<>();

    @Override
    public ServiceLevels serviceLevels(ServiceLevels.Surroundings with, NodeSettings settings) {
      seen.add(with.cluster());
      return super.serviceLevels(with, settings);
    }

    boolean isAnyWhole() {
      return seen.stream().anyMatch(ControlledCluster::isWhole);
    }
  }

  /** Else a node is taken away of a cluster that is about to make copies anew (rules 22, 23). */
  @Test
  void aClusterWhoseCopiesLackAKindIsNotWhole() {
    World world = new World(1, new Trace(null));
    Sights sights = new Sights();
    SimCluster cluster =
        threeHosts(
            world,
            new NodeMutation(
                "seen",
                (self, settings, ports) -> new Node(self, settings, sights, ports),
                NodeMutation.ClientBehaviour.RIGHT));
    start(cluster, 0);
    CalmCluster.run(world, 60 * SECOND);
    assertTrue(sights.isAnyWhole(), "they are all that can be");
    start(cluster, 1);
    start(cluster, 2);
    CalmCluster.run(world, 2 * SECOND);
    assertFalse(sights.isAnyWhole(), "copies on two kinds are about to be made");
    CalmCluster.run(world, 120 * SECOND);
    assertTrue(sights.isAnyWhole());
  }

  /**
   * Its heir is on the host of a secondary: if that one persists, this host had all that did, until
   * another copy was made.
   */
  @ParameterizedTest
  @ValueSource(ints = {1, 4, 7})
  void whatPersistsOfARangeIsOnTwoHostsWhileANodeLeaves(int leaver) {
    World world = new World(leaver, new Trace(null));
    SimCluster cluster = threeHosts(world);
    LedgerModel model = new LedgerModel();
    int asks = 0;
    while (drain(cluster, leaver).outcome() == Decision.Outcome.UNDER_WAY && asks++ < 60_000) {
      model.catchUp(cluster.ledger().durable());
      for (RangeDescriptor range : model.map().ranges()) {
        long hosts =
            Stream.concat(Stream.of(range.primary()), range.secondaries().stream())
                .map(node -> (int) node.value() - 1)
                .filter(number -> number % 3 != 2)
                .map(number -> number / 3)
                .distinct()
                .count();
        assertEquals(2, Math.min(2, hosts), range::toString);
      }
      CalmCluster.run(world, MILLI);
    }
    assertEquals(Decision.Outcome.DONE, drain(cluster, leaver).outcome());
    assertEquals(List.of(), world.violations());
  }

  private static long mapVersion(SimCluster cluster) {
    return inspect(cluster.hosts().getFirst()).adopted().mapVersion().value();
  }

  @ParameterizedTest
  @Seeds(few = 2, many = 6)
  void copiesOnHostsWithANodeOfEachKindComeToRestWithOneOnEach(long seed) {
    World world = new World(seed, new Trace(null));
    SimCluster cluster = threeHosts(world);
    long settled = mapVersion(cluster);
    CalmCluster.run(world, 60 * SECOND);
    assertEquals(settled, mapVersion(cluster), "copies are still made and taken away");
    Map<Bytes, List<Held>> following = FailOverSimTest.copies(cluster, Copy.State.FOLLOWING);
    FailOverSimTest.primaries(cluster)
        .forEach(
            (range, primary) -> {
              List<Long> holders =
                  Stream.concat(
                          Stream.of(primary),
                          following.getOrDefault(range, List.of()).stream().map(Held::node))
                      .map(node -> node.value() - 1)
                      .toList();
              String seen = range + " is on " + holders;
              assertEquals(0, holders.getFirst() % 3, seen);
              assertEquals(3, holders.size(), seen);
              assertEquals(3, holders.stream().map(each -> each % 3).distinct().count(), seen);
              assertEquals(3, holders.stream().map(each -> each / 3).distinct().count(), seen);
            });
    assertEquals(List.of(), placement(cluster));
    assertEquals(List.of(), world.violations());
  }

  @Test
  void seedsThatLackANeedAreRelaxedAndSomeDoNot() {
    TreeSet<Boolean> relaxed = new TreeSet<>();
    for (long seed = 4; seed < 200; seed += 5) {
      KindsOfNodes kinds = KindsOfNodes.of(SwarmSettings.of(seed));
      assertTrue(kinds.areMixed(), "seed " + seed);
      relaxed.add(kinds.relaxed());
    }
    assertEquals(2, relaxed.size());
    assertTrue(KindsOfNodes.livesIn(4) && !KindsOfNodes.livesIn(5));
  }
}
