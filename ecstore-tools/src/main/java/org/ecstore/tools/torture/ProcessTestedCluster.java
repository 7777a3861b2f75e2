package org.ecstore.tools.torture;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.locks.ReentrantLock;
import org.ecstore.client.secret.ClusterSecret;
import org.ecstore.cluster.layout.EngineMix;
import org.ecstore.cluster.node.ExitStatus;
import org.ecstore.cluster.process.NewCluster;
import org.ecstore.cluster.process.NodeStatus;
import org.ecstore.cluster.process.ProcessCluster;
import org.ecstore.cluster.process.ProcessClusterException;
import org.ecstore.id.NodeId;
import org.ecstore.protocol.ClientReply.Decided;
import org.ecstore.protocol.ClientReply.StatusReport;
import org.ecstore.protocol.ClientRequest;
import org.ecstore.tools.torture.workload.Workload;
import org.ecstore.txn.sequencer.LeaderWatch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A cluster of processes, hurt by signals. The first three hosts, if there are so many, have
 * ZooKeeper's servers, and each host a bookie, on its first node.
 */
final class ProcessTestedCluster implements TestedCluster {
  private static final Logger LOG = LoggerFactory.getLogger(ProcessTestedCluster.class);
  private static final Duration START_WITHIN = Duration.ofMinutes(2);
  private static final int ZOOKEEPERS = 3;
  private static final long LOOK_MILLIS = 100;
  private static final int LOG_LINES = 8;

  /** What a node says that ends as its server has lost what it had. */
  private static final String LOST = "has lost what it had";

  /** What its guard says then. */
  private static final String BROKEN = "with status " + ExitStatus.BROKEN;

  private final ProcessCluster cluster;
  private final Optional<EngineMix> mix;
  private final ReentrantLock joining = new ReentrantLock();

  /** All nodes that were ever started. Guarded by this. */
  private final TreeSet<NodeId> known = new TreeSet<>();

  /** Those of them that have no reason to be down. Guarded by this. */
  private final TreeSet<NodeId> running = new TreeSet<>();

  /** Nodes whose database server was killed: these may lose what they had. Guarded by this. */
  private final TreeSet<NodeId> bereaved = new TreeSet<>();

  /** Guarded by this. */
  private final List<String> failures = new ArrayList<>();

  /**
   * A cluster to be made in an empty directory; nothing is started yet.
   *
   * @param settings of which the directory, the copies, the engines and the guards count
   */
  ProcessTestedCluster(TortureSettings settings) {
    NewCluster plain =
        NewCluster.DEFAULT
            .withSplitHints(Workload.splitHints())
            .withReplication(settings.replication())
            .withChangesKept(CHANGES_KEPT);
    this.mix = settings.mix();
    this.cluster =
        ProcessCluster.during(
            settings.directory(),
            START_WITHIN,
            mix.map(plain::withMix).orElse(plain),
            settings.guarded());
  }

  /** Starts it, and returns once every node serves. */
  void up(int nodes) throws IOException, InterruptedException {
    cluster.up(nodes, line -> LOG.info("{}", line));
    synchronized (this) {
      for (int node : cluster.nodes()) {
        known.add(new NodeId(node));
        running.add(new NodeId(node));
      }
    }
  }

  private static int number(NodeId node) {
    return Math.toIntExact(node.value());
  }

  @Override
  public String addresses() throws IOException {
    return cluster.addresses();
  }

  @Override
  public ClusterSecret secret() throws IOException {
    return cluster.secret();
  }

  @Override
  public synchronized List<NodeId> nodes() {
    return List.copyOf(known);
  }

  @Override
  public Optional<NodeId> sequencer() throws IOException {
    return cluster.sequencer().map(NodeId::new);
  }

  /** A majority of all nodes, and of those that host ZooKeeper, or a bookie, must be there. */
  @Override
  public synchronized boolean bears(Set<NodeId> away) {
    long hosts = known.stream().filter(this::isHost).count();
    long hostsAway = away.stream().filter(this::isHost).count();
    return known.size() < ZOOKEEPERS
        ? away.size() <= 1
        : 2 * away.size() < known.size() && 2 * hostsAway < hosts;
  }

  private boolean isHost(NodeId node) {
    return mix.map(all -> all.isFirstOfHost(number(node))).orElse(node.value() <= ZOOKEEPERS);
  }

  @Override
  public boolean areAlike(NodeId one, NodeId other) {
    return mix.map(all -> all.kind(number(one)).equals(all.kind(number(other)))).orElse(true);
  }

  /** A cluster of several kinds of engines has all its nodes from the beginning. */
  @Override
  public boolean knows(FaultKind kind) {
    return switch (kind) {
      case JOIN -> mix.isEmpty();
      case KILL_DATABASE, STOP_DATABASE -> mix.isPresent();
      case KILL, STOP, RESTART, SPLIT, MERGE, MOVE, MOVE_COPY, LEAVE -> true;
    };
  }

  @Override
  public List<NodeId> databases() {
    return nodes().stream().filter(node -> cluster.hasDatabase(number(node))).toList();
  }

  @Override
  public void hurtDatabase(NodeId node, FaultKind kind) throws IOException, InterruptedException {
    leaves(node);
    if (kind == FaultKind.STOP_DATABASE) {
      cluster.pauseDatabase(number(node));
    } else {
      synchronized (this) {
        bereaved.add(node);
      }
      cluster.killDatabase(number(node));
    }
  }

  @Override
  public void restoreDatabase(NodeId node) throws IOException, InterruptedException {
    cluster.resumeDatabase(number(node));
    cluster.startDatabase(number(node));
    if (!cluster.isRunning(number(node))) {
      cluster.launch(number(node), _ -> {});
    }
    // One that has not asked its server yet may end still, which is for findEnded() then.
    synchronized (this) {
      running.add(node);
    }
  }

  @Override
  public void kill(NodeId node) throws IOException, InterruptedException {
    leaves(node);
    try {
      cluster.kill(number(node));
    } catch (ProcessClusterException e) {
      hasNotLeft(node);
      throw e;
    }
  }

  @Override
  public void stop(NodeId node) throws IOException, InterruptedException {
    leaves(node);
    try {
      cluster.stop(number(node));
    } catch (ProcessClusterException e) {
      hasNotLeft(node);
      throw e;
    }
  }

  private synchronized void leaves(NodeId node) {
    running.remove(node);
  }

  /** One that could not be ended runs, or has ended by itself: {@link #findEnded} tells. */
  private synchronized void hasNotLeft(NodeId node) {
    running.add(node);
  }

  @Override
  public void start(NodeId node) throws IOException, InterruptedException {
    cluster.start(number(node));
    synchronized (this) {
      running.add(node);
    }
  }

  @Override
  public void startLeaving(NodeId node) throws IOException, InterruptedException {
    cluster.launch(number(node), _ -> {});
    long deadline = System.nanoTime() + START_WITHIN.toNanos();
    while (cluster.status().stream()
        .noneMatch(status -> status.node() == number(node) && status.seen().isPresent())) {
      if (System.nanoTime() - deadline > 0) {
        throw new IOException(node + " does not answer");
      }
      Thread.sleep(LOOK_MILLIS);
    }
    synchronized (this) {
      running.add(node);
    }
  }

  @Override
  public Optional<StatusReport> map() throws IOException {
    return cluster.map(cluster.status());
  }

  @Override
  public Optional<Decided> ask(ClientRequest request) throws IOException {
    try {
      return Optional.of(cluster.askSteward(request));
    } catch (ProcessClusterException e) {
      LOG.info("{}", e.getMessage());
      return Optional.empty();
    }
  }

  @Override
  public void pause(NodeId node) throws IOException, InterruptedException {
    cluster.pause(number(node));
  }

  @Override
  public void resume(NodeId node) throws IOException, InterruptedException {
    cluster.resume(number(node));
  }

  @Override
  public NodeId addNode() throws IOException, InterruptedException {
    joining.lock();
    try {
      NodeId added = new NodeId(cluster.addNode());
      synchronized (this) {
        known.add(added);
        running.add(added);
      }
      return added;
    } finally {
      joining.unlock();
    }
  }

  @Override
  public void awaitWhole(Duration within) throws IOException, InterruptedException {
    long deadline = System.nanoTime() + within.toNanos();
    while (true) {
      List<NodeStatus> lacking =
          cluster.status().stream()
              .filter(status -> status.state() != NodeStatus.State.SERVING)
              .toList();
      if (lacking.isEmpty()) {
        return;
      }
      if (System.nanoTime() - deadline > 0) {
        throw new IOException("not serving within " + within.toSeconds() + " s: " + lacking);
      }
      Thread.sleep(LOOK_MILLIS);
    }
  }

  /** By their logs, which go on when a node is started again. */
  @Override
  public long falseTakeovers() throws IOException {
    long all = 0;
    for (int node : cluster.nodes()) {
      all += cluster.linesWith(node, LeaderWatch.IN_VAIN);
    }
    return all;
  }

  @Override
  public List<NodeId> findEnded() throws IOException {
    List<NodeId> expected;
    synchronized (this) {
      expected = List.copyOf(running);
    }
    List<NodeId> ended = new ArrayList<>();
    for (NodeStatus status : cluster.status()) {
      NodeId node = new NodeId(status.node());
      if (status.state() == NodeStatus.State.DOWN && expected.contains(node)) {
        String last = String.join(" | ", cluster.lastLines(status.node(), LOG_LINES));
        synchronized (this) {
          // Unless it was killed since.
          if (running.remove(node)) {
            if (!bereaved.contains(node) || !last.contains(LOST)) {
              failures.add(node + " ended by itself: " + last);
            }
            ended.add(node);
          }
        }
      }
    }
    return ended;
  }

  @Override
  public List<String> failures() throws IOException {
    List<String> all = new ArrayList<>();
    for (int node : cluster.nodes()) {
      boolean mayEnd = isBereaved(new NodeId(node));
      cluster.endings(node).stream()
          .filter(line -> !mayEnd || !line.contains(BROKEN))
          .forEach(line -> all.add("the guard says: " + line));
    }
    synchronized (this) {
      all.addAll(failures);
    }
    return all;
  }

  private synchronized boolean isBereaved(NodeId node) {
    return bereaved.contains(node);
  }

  @Override
  public void close() {
    cluster.close();
  }
}
