package org.ecstore.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
import org.ecstore.client.embedded.FaultyCluster;
import org.ecstore.client.embedded.FaultyNode;
import org.ecstore.engines.EngineSettings;
import org.ecstore.id.NodeId;
import org.ecstore.server.fault.ClusterFaults;
import org.ecstore.server.fault.FaultyCoordination;
import org.ecstore.server.fault.FaultyLedger;
import org.ecstore.server.ledger.LedgerSettings;
import org.ecstore.txn.node.NodeInspection;
import org.ecstore.txn.node.NodeParts;

/**
 * A {@link LocalCluster} whose nodes fail when they are told to: with real engines, files and
 * sockets, and with faults in what it has instead of a network between machines, bookies and
 * ZooKeeper. Safe for use by several threads.
 */
final class LocalFaultyCluster implements FaultyCluster {
  private static final Duration LOOK_WITHIN = Duration.ofSeconds(2);

  /** Small: tests hold little, and all nodes share a heap. */
  private static final int SEGMENT_BYTES = 4 << 20;

  private static final long ENGINE_BYTES = 16 << 20;

  private final LocalCluster cluster;
  private final ClusterFaults faults;
  private final FaultyCoordination coordination;
  private final List<NodeId> known;

  /** Where each was reached last. Guarded by this. */
  private final Map<NodeId, String> addresses = new TreeMap<>();

  private LocalFaultyCluster(
      LocalCluster cluster, ClusterFaults faults, FaultyCoordination coordination) {
    this.cluster = cluster;
    this.faults = faults;
    this.coordination = coordination;
    this.known = cluster.nodes();
    known.forEach(node -> addresses.put(node, cluster.node(node).address()));
  }

  /**
   * Starts one in a directory and returns once all nodes serve.
   *
   * @throws IOException as {@link LocalCluster#start}
   */
  static LocalFaultyCluster start(Path directory, int nodes) throws IOException {
    ClusterFaults faults = new ClusterFaults();
    AtomicReference<FaultyCoordination> coordination = new AtomicReference<>();
    LocalCluster.Seams seams =
        new LocalCluster.Seams(
            (where, id, settings, claim, log) ->
                new FaultyLedger(
                    LocalCluster.openLocalLedger(where, id, settings, claim, log), faults),
            new NodeParts(),
            local -> {
              FaultyCoordination faulty = new FaultyCoordination(local, faults);
              coordination.set(faulty);
              return faulty;
            },
            faults::from);
    ClusterSettings settings =
        ClusterSettings.DEFAULT
            .withNodes(nodes)
            .withLedger(LedgerSettings.DEFAULT.withSegmentBytes(SEGMENT_BYTES))
            .withEngine(
                EngineSettings.DEFAULT.withCacheBytes(ENGINE_BYTES).withWindowBytes(ENGINE_BYTES));
    try {
      LocalCluster cluster = LocalCluster.start(directory, settings, true, seams);
      return new LocalFaultyCluster(cluster, faults, coordination.get());
    } catch (IOException | RuntimeException e) {
      faults.close();
      throw e;
    }
  }

  /** What clients connect to. */
  String addresses() {
    return cluster.addresses();
  }

  @Override
  public synchronized List<FaultyNode> look() {
    return known.stream().map(this::look).toList();
  }

  private FaultyNode look(NodeId id) {
    if (!isUp(id)) {
      return seen(id, FaultyNode.State.DOWN, false, "");
    }
    NodeRuntime node = cluster.node(id);
    Optional<Throwable> failure = node.failure();
    if (failure.isPresent()) {
      return seen(id, FaultyNode.State.FAILED, false, failure.get().toString());
    }
    if (faults.isPaused(id)) {
      return seen(id, FaultyNode.State.PAUSED, false, "");
    }
    try {
      NodeInspection inspected = node.inspect(LOOK_WITHIN);
      Optional<String> waits = inspected.waitsFor();
      FaultyNode.State state = waits.isEmpty() ? FaultyNode.State.SERVES : FaultyNode.State.STARTS;
      return seen(id, state, inspected.sequencing(), waits.orElse(""));
    } catch (IllegalStateException e) {
      return seen(id, FaultyNode.State.STARTS, false, String.valueOf(e.getMessage()));
    }
  }

  private FaultyNode seen(NodeId id, FaultyNode.State state, boolean sequences, String trouble) {
    return new FaultyNode(id, addresses.getOrDefault(id, ""), state, sequences, trouble);
  }

  private boolean isUp(NodeId node) {
    return cluster.nodes().contains(node);
  }

  private void check(boolean holds, NodeId node, String what) {
    if (!known.contains(node)) {
      throw new IllegalArgumentException(
          "there is no %s in this cluster: it has %s".formatted(node, known));
    }
    if (!holds) {
      throw new IllegalStateException(node + " " + what);
    }
  }

  @Override
  public synchronized void kill(NodeId node) {
    check(isUp(node), node, "does not run: it was killed already");
    cluster.killNode(node);
    faults.paused(node, false);
    coordination.changed(node);
  }

  @Override
  public synchronized void start(NodeId node) {
    check(!isUp(node), node, "runs: only one that was killed is started again");
    try {
      addresses.put(node, cluster.launchNode(node).address());
    } catch (IOException e) {
      throw new UncheckedIOException(node + " does not start", e);
    }
  }

  @Override
  public synchronized void pause(NodeId node) {
    check(isUp(node), node, "does not run: it was killed");
    check(!faults.isPaused(node), node, "stands still already");
    cluster.node(node).pause();
    faults.paused(node, true);
    coordination.changed(node);
  }

  @Override
  public synchronized void resume(NodeId node) {
    check(faults.isPaused(node), node, "does not stand still");
    faults.paused(node, false);
    cluster.node(node).resume();
    coordination.changed(node);
  }

  @Override
  public synchronized void cutOff(Set<NodeId> apart) {
    apart.forEach(node -> check(true, node, ""));
    Set<NodeId> lesser = new TreeSet<>(apart);
    if (2 * apart.size() > known.size()) {
      lesser = new TreeSet<>(known);
      lesser.removeAll(apart);
    }
    faults.part(lesser);
    known.forEach(coordination::changed);
  }

  @Override
  public synchronized void slow(NodeId from, NodeId to, Duration delay) {
    for (NodeId end : List.of(from, to)) {
      check(true, end, "");
    }
    if (delay.isNegative() || delay.compareTo(DELAY_MAX) > 0) {
      throw new IllegalArgumentException(
          "a message is late by 0 to %d s, not by %s".formatted(DELAY_MAX.toSeconds(), delay));
    }
    faults.slow(from, to, delay);
  }

  @Override
  public synchronized void close() {
    cutOff(Set.of());
    List<NodeId> standing = new ArrayList<>(known);
    standing.removeIf(node -> !faults.isPaused(node));
    standing.forEach(this::resume);
    try {
      cluster.close();
    } catch (IOException e) {
      throw new UncheckedIOException("the cluster did not close in order", e);
    } finally {
      faults.close();
    }
  }
}
