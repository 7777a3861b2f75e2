package org.ecstore.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.ecstore.client.retry.Backoff;
import org.ecstore.client.routing.SessionToken;
import org.ecstore.client.routing.TimeLimit;
import org.ecstore.client.session.Backend;
import org.ecstore.client.session.BytesSnapshot;
import org.ecstore.client.session.BytesTransaction;
import org.ecstore.core.port.Event;
import org.ecstore.core.port.Provisioner;
import org.ecstore.id.NodeId;
import org.ecstore.id.ReadPoint;
import org.ecstore.key.Bytes;
import org.ecstore.model.AdminRequest;
import org.ecstore.model.Isolation;
import org.ecstore.model.ReadLevel;
import org.ecstore.model.control.ControlAction;
import org.ecstore.model.control.ControlMode;
import org.ecstore.model.control.ControlSettings;
import org.ecstore.model.objective.LatencySketch;
import org.ecstore.model.objective.Objective;
import org.ecstore.model.objective.ServiceFields;
import org.ecstore.model.objective.ServiceSample;
import org.ecstore.replication.hotspot.HotReplicaStreams;
import org.ecstore.sim.history.SimKeys;
import org.ecstore.sim.node.NodeMutation;
import org.ecstore.sim.node.SimCluster;
import org.ecstore.sim.node.SimHost;
import org.ecstore.sim.world.SwarmSettings;
import org.ecstore.sim.world.Trace;
import org.ecstore.sim.world.World;
import org.ecstore.txn.node.Node;
import org.ecstore.txn.node.NodeSettings;
import org.ecstore.txn.qos.control.book.ControlBook;
import org.ecstore.txn.steward.decision.Decision;
import org.ecstore.txn.steward.decision.Decision.Outcome;

/**
 * A client library reads one key all the time, of nodes to which one read is a sixtieth of what
 * they can do in a second: they have too much to do long before they make hot-spot replicas by
 * their configuration. Reads, replicas and controller are as they are; what a read costs a node and
 * how long it takes then is a model, of a queue (decision 0090).
 */
final class HotKeysRun implements AutoCloseable {
  private static final long MILLI = SwarmSettings.MILLI;
  private static final long SECOND = SwarmSettings.SECOND;
  private static final int NODES = 4;

  /** One read after the other: a hundred a second. */
  private static final long READ_EVERY = 10 * MILLI;

  private static final double READ_COST_NANOS = 17.0 * MILLI;
  private static final double SERVICE_NANOS = 5.0 * MILLI;
  private static final double BUSY_MAX = 0.98;
  private static final long REPORT_NANOS = 5 * SECOND;
  private static final Duration DEADLINE = Duration.ofSeconds(60);
  private static final Bytes HOT = Bytes.utf8("100hot");
  private static final String SHOP = "shop";

  private final SessionToken session = new SessionToken(ReadPoint.ZERO);
  private final SortedMap<NodeId, Integer> answered = new TreeMap<>();
  private final SortedMap<NodeId, Double> busy = new TreeMap<>();
  private final World world;
  private final SimCluster cluster;
  private final ControlSight sight;
  private final ClientInSim client;
  private final Backend backend;
  private long requests;

  HotKeysRun(long seed) {
    world = new World(seed, new Trace(null));
    cluster =
        new SimCluster(
            world,
            CalmCluster.settings(NODES, 20 * MILLI),
            new NodeMutation(
                "hot keys",
                (self, settings, ports) ->
                    new Node(
                        self,
                        settings,
                        new ControlledNode(
                            self,
                            of -> busy.getOrDefault(of, 0.0),
                            Provisioner.NONE,
                            ControlledRun.Parts::right),
                        ports),
                NodeMutation.ClientBehaviour.RIGHT),
            id ->
                NodeSettings.defaults("sim", ClientInSim.address(id))
                    .withCopies(2)
                    .withControl(ControlledRun.TIMING)
                    .withSplitHints(
                        List.of(SimKeys.bound(60), SimKeys.bound(120), SimKeys.bound(180))));
    sight = new ControlSight(cluster);
    cluster.hosts().forEach(SimHost::start);
    client = new ClientInSim(world, cluster.network(), cluster.hosts());
    client.pause(60 * SECOND);
    CalmCluster.every(world, REPORT_NANOS, this::report);
    backend =
        new Backend(
            client,
            client,
            new Backoff(2 * MILLI, 500 * MILLI),
            Duration.ofSeconds(5),
            DEADLINE,
            seed);
    for (int place = 10; place < 250; place++) {
      write(Bytes.utf8("%03dcold".formatted(place)));
    }
    write(HOT);
    tell(
        new AdminRequest.SetObjective(
            Objective.guaranteed(SHOP).p99(Duration.ofMillis(20)).rate(1_000_000), 1));
  }

  /** The controller may do what it thinks right, and there can be no more nodes. */
  void act() {
    tell(new AdminRequest.SetControl(new ControlSettings(ControlMode.ACT, NODES, 0)));
  }

  private static TimeLimit limit() {
    return new TimeLimit(DEADLINE, Optional.empty());
  }

  private void write(Bytes key) {
    BytesTransaction tx =
        backend.transaction(ReadLevel.SESSION, Isolation.SERIALIZABLE, session, limit());
    tx.put(key, key);
    tx.commit();
  }

  /** The key is read for so long. */
  void readFor(long nanos) {
    long until = world.nowNanos() + nanos;
    while (world.nowNanos() < until) {
      try (BytesSnapshot snapshot = backend.snapshot(ReadLevel.SESSION, session, limit())) {
        for (int i = 0; i < 20; i++) {
          long next = world.nowNanos() + READ_EVERY;
          assertEquals(Map.of(HOT, HOT), snapshot.get(List.of(HOT)));
          snapshot.lastRead().ifPresent(by -> answered.merge(by.node(), 1, Integer::sum));
          client.pause(Math.max(0, next - world.nowNanos()));
        }
      }
    }
  }

  /** What nodes have had to do since the last report, and how long that made clients wait. */
  private void report() {
    long[] counts = new long[LatencySketch.INTERVALS];
    int operations = 0;
    double nanos = 0;
    busy.clear();
    for (Map.Entry<NodeId, Integer> of : answered.entrySet()) {
      double used = Math.min(BUSY_MAX, of.getValue() * READ_COST_NANOS / REPORT_NANOS);
      busy.put(of.getKey(), used);
      double each = SERVICE_NANOS / (1 - used);
      counts[LatencySketch.interval(Math.round(each))] += of.getValue();
      operations += of.getValue();
      nanos += each * of.getValue();
    }
    answered.clear();
    if (operations > 0) {
      ServiceSample sample =
          new ServiceSample(
              "", operations, 0, Math.round(nanos / operations), LatencySketch.of(counts));
      cluster
          .hosts()
          .getFirst()
          .currentLife()
          .post(new Event.Reported(1, SHOP, ServiceFields.report(List.of(sample))));
    }
  }

  private void tell(AdminRequest request) {
    requests++;
    for (int look = 0; look < 1_000; look++) {
      Decision decision = CalmCluster.leading(cluster).adminRequest(request, requests);
      if (decision.number() > 0 && decision.outcome() == Outcome.DONE) {
        return;
      }
      CalmCluster.run(world, 20 * MILLI);
    }
    throw new AssertionError(request + " is not done");
  }

  /** The key is not read for so long. */
  void rest(long nanos) {
    CalmCluster.run(world, nanos);
  }

  ControlBook book() {
    return sight.book();
  }

  List<ControlAction> actions() {
    return sight.actions();
  }

  /** What was found to be wrong by now. */
  List<String> violations() {
    return world.violations().stream().map(Object::toString).toList();
  }

  List<HotReplicaStreams.View> hotReplicas() {
    List<HotReplicaStreams.View> all = new ArrayList<>();
    for (SimHost host : cluster.hosts()) {
      if (host.machine() instanceof Node node) {
        all.addAll(node.hotReplicasFed());
      }
    }
    return all;
  }

  /** How much of its capacity the busiest node uses. */
  double busiest() {
    return busy.values().stream().mapToDouble(Double::doubleValue).max().orElse(0);
  }

  @Override
  public void close() {
    backend.close();
  }
}
