package org.ecstore.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.ecstore.core.port.Event;
import org.ecstore.core.port.StateMachine;
import org.ecstore.id.NodeId;
import org.ecstore.id.ReadPoint;
import org.ecstore.txn.node.Node;
import org.ecstore.txn.node.NodeParts;
import org.ecstore.txn.node.NodeSettings;
import org.ecstore.txn.sequencer.Sequencer;
import org.ecstore.wire.client.ClientRequest;
import org.ecstore.wire.client.ReadLevel;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Another process joins under the id of the node that leads. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
final class DisplacedNodeSimTest {
  private static final long MILLI = SwarmSettings.MILLI;
  private static final long SECOND = SwarmSettings.SECOND;

  /** Against its being told: it goes on as if it were a member and led. */
  private static final Variant GOES_ON =
      new Variant(
          "displaced-node-goes-on",
          (self, settings, ports) -> new Deaf(new Node(self, settings, new NodeParts(), ports)),
          Variant.Habit.RIGHT);

  private record Deaf(Node node) implements StateMachine {
    @Override
    public void start() {
      node.start();
    }

    @Override
    public void on(Event event) {
      if (!(event instanceof Event.Displaced)) {
        node.on(event);
      }
    }

    @Override
    public void flush() {
      node.flush();
    }
  }

  private final List<NodeId> takers = new ArrayList<>();

  private static SwarmSettings calm() {
    return new SwarmSettings(
        0,
        SwarmSettings.Promise.STRICT,
        3,
        0,
        1,
        3,
        2,
        60 * SECOND,
        16,
        MILLI,
        true,
        false,
        new SwarmSettings.NetworkFaults(50_000, 500_000, 0, 0, 0, MILLI, true),
        new SwarmSettings.LedgerFaults(
            2 * MILLI, 20 * MILLI, 2 * MILLI, 1, 50, false, 0, 0, 0, 0, 0, 0, 0),
        new SwarmSettings.CoordinationFaults(2 * MILLI, SECOND, SECOND, 1, 0, 0),
        new SwarmSettings.EngineFaults(MILLI, MILLI, 0, 0, MILLI, true),
        new SwarmSettings.Nemesis(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 0));
  }

  private SimCluster start(World world, Variant variant) {
    SimCluster cluster =
        new SimCluster(world, calm(), variant, id -> NodeSettings.defaults("sim", "n" + id + ":1"));
    cluster
        .ledger()
        .onTakeOver(
            (step, node) -> {
              if (step == SegmentStore.TakeOverStep.SWAPPED) {
                takers.add(node);
              }
            });
    cluster.hosts().forEach(SimHost::start);
    SimClient client =
        new SimClient(
            world,
            cluster.network(),
            0,
            cluster.hosts().stream().map(SimHost::id).toList(),
            world.random("client"),
            Variant.Habit.RIGHT);
    keepAsking(world, client, cluster.hosts());
    run(world, 15 * SECOND);
    return cluster;
  }

  /** Each strong start makes the sequencer append. */
  private static void keepAsking(World world, SimClient client, List<SimHost> hosts) {
    for (SimHost host : hosts) {
      client.call(
          host.id(), new ClientRequest.Begin(ReadLevel.STRONG, ReadPoint.ZERO), SECOND, _ -> {});
    }
    world.scheduler().after(50 * MILLI, () -> keepAsking(world, client, hosts));
  }

  private static void run(World world, long nanos) {
    long until = world.nowNanos() + nanos;
    while (world.scheduler().step(until)) {
      // On with the next task.
    }
  }

  private static List<SimHost> sequencers(SimCluster cluster) {
    return cluster.hosts().stream().filter(host -> leads(host.machine())).toList();
  }

  private static boolean leads(@org.jspecify.annotations.Nullable StateMachine machine) {
    return switch (machine) {
      case Node node -> node.inspect().sequencer() == Sequencer.State.ACTIVE;
      case Deaf(var node) -> node.inspect().sequencer() == Sequencer.State.ACTIVE;
      case null, default -> false;
    };
  }

  /** Whether a node goes on of which coordination says that it is another. */
  private boolean leaderOutlivesItsDisplacement(World world, Variant variant) {
    SimCluster cluster = start(world, variant);
    SimHost leader = sequencers(cluster).getFirst();
    cluster.coordination().displace(leader.id(), 20 * SECOND);
    run(world, 5 * SECOND);
    boolean outlived = leader.isUp();
    assertEquals(List.of(), world.violations());
    return outlived;
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void displacedLeaderEndsAndOneTakesOver(long seed) {
    World world = new World(seed, new Trace(null));
    SimCluster cluster = start(world, Variant.RIGHT);
    SimHost displaced = sequencers(cluster).getFirst();
    cluster.coordination().displace(displaced.id(), 20 * SECOND);
    run(world, 10 * SECOND);
    assertFalse(displaced.isUp(), "it has ended");
    SimHost successor = sequencers(cluster).getFirst();
    assertNotEquals(displaced.id(), successor.id());
    assertEquals(List.of(displaced.id(), successor.id()), takers, "one take-over");
    displaced.start();
    run(world, 20 * SECOND);
    assertEquals(List.of(successor), sequencers(cluster));
    assertEquals(List.of(), world.violations());
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void oneThatGoesOnIsNoticed(long seed) {
    assertEquals(
        List.of(false, true),
        List.of(
            leaderOutlivesItsDisplacement(new World(seed, new Trace(null)), Variant.RIGHT),
            leaderOutlivesItsDisplacement(new World(seed, new Trace(null)), GOES_ON)));
  }
}
