package org.ecstore.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.ecstore.core.message.Envelope;
import org.ecstore.core.port.Event;
import org.ecstore.core.runtime.NodeContext;
import org.ecstore.id.MapVersion;
import org.ecstore.id.Position;
import org.ecstore.id.ReadPoint;
import org.ecstore.replication.message.ReplicationMessage.MapNews;
import org.ecstore.replication.view.LedgerView;
import org.ecstore.sim.client.SimClient;
import org.ecstore.sim.node.NodeMutation;
import org.ecstore.sim.node.SimCluster;
import org.ecstore.sim.node.SimHost;
import org.ecstore.sim.world.SwarmSettings;
import org.ecstore.sim.world.Trace;
import org.ecstore.sim.world.World;
import org.ecstore.txn.node.Node;
import org.ecstore.txn.node.NodeParts;
import org.ecstore.txn.node.NodeSettings;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages in the name of nodes say that the ledger goes to 2^63-6 (decision 0035). */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
final class ForgerSimTest {
  private static final long SECOND = SwarmSettings.SECOND;

  private static SimCluster forgedAt(World world, NodeMutation variant) {
    SimCluster cluster =
        new SimCluster(
            world,
            CalmCluster.settings(3, SECOND),
            variant,
            id -> NodeSettings.defaults("sim", "n" + id + ":1"));
    cluster.hosts().forEach(SimHost::start);
    SimClient client = CalmCluster.client(world, cluster);
    CalmCluster.keepAsking(world, client, cluster.hosts());
    CalmCluster.run(world, 10 * SECOND);
    SimForger forger = new SimForger(world, cluster, NodeSettings.UNPROVEN_MAX);
    for (int i = 0; i < 100; i++) {
      forger.forge();
      CalmCluster.run(world, SECOND / 10);
    }
    return cluster;
  }

  private static Position adopted(SimHost host) {
    return host.machine() instanceof Node node
        ? node.inspect().adopted().position()
        : Position.ZERO;
  }

  @ParameterizedTest
  @Seeds(few = 1, many = 4)
  void noNodeBelievesThatTheLedgerGoesWhereItDoesNot(long seed) {
    World world = new World(seed, new Trace(null));
    SimCluster cluster = forgedAt(world, NodeMutation.RIGHT);
    long end = cluster.ledger().end();
    CalmCluster.run(world, 10 * SECOND);
    assertTrue(cluster.ledger().end() > end, "the ledger goes on");
    for (SimHost host : cluster.hosts()) {
      assertTrue(host.isUp());
      assertTrue(adopted(host).value() >= end, "and each node with it");
      assertTrue(adopted(host).value() <= cluster.ledger().end());
    }
    assertEquals(List.of(), world.violations());
  }

  /**
   * Seed 952127 with real adapters: while the ledger was asked whether it goes so far it had come
   * near, and what was forged was believed.
   */
  @ParameterizedTest
  @Seeds(few = 1, many = 4)
  void whatIsNotInTheLedgerIsNotBelievedAsTheLedgerComesNear(long seed) {
    long near = 20;
    Map<String, NodeMutation> variants = new TreeMap<>();
    PlantSource.add(
        variants,
        "near",
        new NodeParts() {
          @Override
          public LedgerView ledgerView(NodeContext context, NodeSettings settings) {
            return new LedgerView(context, settings.askNanos(), near);
          }
        });
    World world = new World(seed, new Trace(null));
    SimCluster cluster =
        new SimCluster(
            world,
            CalmCluster.settings(3, SECOND),
            Objects.requireNonNull(variants.get("near")),
            id -> NodeSettings.defaults("sim", "n" + id + ":1"));
    cluster.hosts().forEach(SimHost::start);
    CalmCluster.keepAsking(world, CalmCluster.client(world, cluster), cluster.hosts());
    CalmCluster.run(world, 10 * SECOND);
    for (int i = 0; i < 500; i++) {
      SimHost from = cluster.hosts().get(i % 3);
      SimHost to = cluster.hosts().get((i + 1) % 3);
      ReadPoint beyond =
          new ReadPoint(new Position(cluster.ledger().end() + near + 1), MapVersion.ZERO);
      to.currentLife()
          .post(
              new Event.Delivered(
                  new Envelope(
                      from.id(),
                      from.incarnation(),
                      to.id(),
                      beyond,
                      new MapNews(List.of(), Optional.empty()))));
      for (int look = 0; look < 20; look++) {
        CalmCluster.run(world, SECOND / 1_000);
        assertTrue(adopted(to).value() <= cluster.ledger().end(), to.id() + " at " + adopted(to));
      }
    }
    assertEquals(List.of(), world.violations());
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2})
  void nodesThatBelieveAnythingAreNoticed(long seed) {
    World world = new World(seed, new Trace(null));
    SimCluster cluster = forgedAt(world, Plants.named("believe-any-position"));
    assertFalse(
        cluster.hosts().stream().allMatch(host -> adopted(host).value() <= cluster.ledger().end()));
  }
}
