package org.ecstore.sim.end;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.ecstore.engines.memory.MemoryStore;
import org.ecstore.engines.window.WindowedEngine;
import org.ecstore.id.NodeId;
import org.ecstore.id.Position;
import org.ecstore.key.KeyRange;
import org.ecstore.model.EngineTraits;
import org.ecstore.model.Row;
import org.ecstore.replication.hotspot.HotReplicaHost;
import org.ecstore.replication.placement.CopyNeeds;
import org.ecstore.sim.check.Finding;
import org.ecstore.sim.check.KindsChecker;
import org.ecstore.sim.check.LedgerModel;
import org.ecstore.sim.check.StateChecker;
import org.ecstore.sim.node.KindsOfNodes;
import org.ecstore.sim.node.SimCluster;
import org.ecstore.sim.node.SimHost;
import org.ecstore.sim.world.SwarmSettings;
import org.ecstore.sim.world.World;
import org.ecstore.txn.node.Departure;
import org.ecstore.txn.node.Node;
import org.ecstore.txn.node.NodeInspection;
import org.ecstore.txn.node.NodeSettings;
import org.ecstore.txn.sequencer.Sequencer;

/** Compares what nodes have with the model of the ledger: at any time, and at rest. */
public final class ClusterWatch {
  /** Longer than any node is waited for (SimSettings), and than its copies take to be made anew. */
  static final long REPLACED_NANOS = 150 * SwarmSettings.SECOND;

  static final long QUIET_STEP_NANOS = SwarmSettings.SECOND / 10;

  /** A window of retention that is over well before the end of a run. */
  private static final long SHORT_RETENTION_NANOS = 10 * SwarmSettings.SECOND;

  private final World world;
  private final SimCluster cluster;
  private final LedgerModel model;
  private final KindsOfNodes kinds;
  private final int copies;
  private final Sequencer.Bounds sequencer;
  private final StateChecker checker;
  private final Absences absences;
  private long endWhenQuiet;
  private Position floorWhenQuiet = Position.ZERO;

  public ClusterWatch(
      World world,
      SimCluster cluster,
      NodeSettings settings,
      LedgerModel model,
      KindsOfNodes kinds) {
    this.world = world;
    this.cluster = cluster;
    this.model = model;
    this.kinds = kinds;
    this.copies = settings.steward().copies();
    this.sequencer = settings.sequencer();
    this.checker = new StateChecker(model);
    this.absences = new Absences(world);
    cluster.onEmptied(host -> replaced(host.id()));
  }

  /** A node has lost what it had. */
  void replaced(NodeId node) {
    checker.replaced(node);
    absences.emptied(node);
  }

  /** Looks at all nodes once. */
  public void check() {
    model.catchUp(cluster.ledger().durable());
    report(model.findings());
    report(checker.check(views()));
    report(KindsChecker.checkPrimaries(model.map(), kinds::engine, kinds.relaxed()));
    cluster.hosts().forEach(host -> absences.look(host, model.map()));
  }

  /** From now on nothing is asked for: what is to go with time has so long to go. */
  public void becomesQuiet() {
    endWhenQuiet = cluster.ledger().end();
    floorWhenQuiet = cluster.floor().now();
  }

  /** Whether each node runs, and is to stay. */
  boolean areAllThere() {
    return cluster.hosts().stream()
        .allMatch(
            host ->
                host.machine() instanceof Node node
                    && node.departure().stage() == Departure.Stage.STAYS);
  }

  /**
   * Whether all that a machine has is elsewhere too, on an engine that persists: else its loss is
   * that of data, or of what serves.
   */
  boolean maySpare(SimHost host) {
    List<EngineTraits> others =
        staying().entrySet().stream()
            .filter(each -> !each.getKey().equals(host.id()))
            .map(Map.Entry::getValue)
            .toList();
    return !kinds.areMixed()
        || (others.stream().anyMatch(engine -> CopyNeeds.primaryRank(engine) == 0)
            && model.map().ranges().stream()
                .allMatch(
                    range ->
                        Stream.concat(Stream.of(range.primary()), range.secondaries().stream())
                            .anyMatch(
                                node -> !node.equals(host.id()) && kinds.engine(node).persists())));
  }

  /** The engines of the nodes that are there to stay. */
  private Map<NodeId, EngineTraits> staying() {
    Map<NodeId, EngineTraits> staying = new TreeMap<>();
    for (SimHost host : cluster.hosts()) {
      if (host.machine() instanceof Node node
          && node.departure().stage() == Departure.Stage.STAYS) {
        staying.put(host.id(), kinds.engine(host.id()));
      }
    }
    return staying;
  }

  private List<View> views() {
    List<View> views = new ArrayList<>();
    for (SimHost host : cluster.hosts()) {
      // One whose store has been emptied answers nothing any more, and ends.
      if (host.machine() instanceof Node node && !cluster.disk(host).isLost()) {
        views.add(
            new View(
                host,
                node,
                node.inspect(),
                cluster.disk(host),
                cluster.engine(host),
                cluster.changes(host)));
      }
    }
    return views;
  }

  /**
   * A node as it is at a moment.
   *
   * @param state looked at once: it lists all copies, and counts all that waits
   */
  private record View(
      SimHost host,
      Node node,
      NodeInspection state,
      MemoryStore disk,
      WindowedEngine engine,
      long changes)
      implements StateChecker.NodeView {
    @Override
    public NodeId id() {
      return host.id();
    }

    @Override
    public int life() {
      return host.life();
    }

    @Override
    public List<Row> rows(KeyRange keys, Position at, List<Row> stored) {
      return engine.look(keys, at, stored);
    }

    @Override
    public List<Row> stored(KeyRange keys) {
      return disk.look(keys);
    }

    @Override
    public long changes() {
      return changes;
    }

    @Override
    public List<HotReplicaHost.View> hotReplicas() {
      return node.hotReplicasHeld();
    }
  }

  void report(List<Finding> findings) {
    findings.stream().limit(3).forEach(found -> world.violated(found.rule(), found.detail()));
  }

  /** Whether the cluster comes to rest, as it has to be then; ranges may still be moved. */
  boolean isAtRest() {
    if (world.violations().isEmpty()) {
      report(quiet(REPLACED_NANOS));
    }
    return world.violations().isEmpty();
  }

  /** What is wrong with the state of a cluster at rest, and stays so. */
  private List<Finding> quiet(long withinNanos) {
    long until = world.nowNanos() + withinNanos;
    List<Finding> found = notQuiet();
    while (!found.isEmpty() && world.nowNanos() < until && world.runFor(QUIET_STEP_NANOS)) {
      model.catchUp(cluster.ledger().durable());
      found = notQuiet();
    }
    return found;
  }

  private List<Finding> notQuiet() {
    List<View> views = views();
    List<Finding> found = new ArrayList<>(checker.checkQuiet(views, copies));
    found.addAll(KindsChecker.checkQuiet(model.map(), staying(), copies, kinds.relaxed()));
    long floor = cluster.floor().now().value();
    boolean follows =
        sequencer.retentionNanos() > SHORT_RETENTION_NANOS
            || floor + sequencer.floorStep() >= endWhenQuiet;
    if (!follows) {
      found.add(
          new Finding(
              "the version floor follows (rule 14)",
              "it is at " + floor + ", the ledger was at " + endWhenQuiet + " long ago"));
    }
    for (View node : views) {
      Position pruned = node.state().pruned();
      if (floorWhenQuiet.isAfter(pruned)) {
        found.add(
            new Finding(
                "old versions go in the end (rule 14)",
                node.id() + " is at " + pruned + ", the floor was at " + floorWhenQuiet));
      }
    }
    model.checkpointFollows(endWhenQuiet, sequencer.checkpointRecords()).ifPresent(found::add);
    return found;
  }
}
