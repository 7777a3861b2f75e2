package org.ecstore.tools.torture;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.locks.ReentrantLock;
import org.ecstore.cluster.process.NewCluster;
import org.ecstore.cluster.process.NodeStatus;
import org.ecstore.cluster.process.ProcessCluster;
import org.ecstore.cluster.process.ProcessClusterException;
import org.ecstore.id.NodeId;
import org.ecstore.protocol.ClientReply.Decided;
import org.ecstore.protocol.ClientReply.StatusReport;
import org.ecstore.protocol.ClientRequest;
import org.ecstore.server.ReplicationSettings;
import org.ecstore.server.secret.ClusterSecret;
import org.ecstore.tools.torture.workload.Workload;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A cluster of processes, hurt by signals. The first three nodes, if there are so many, host
 * ZooKeeper's servers, and each node a bookie.
 */
final class ProcessTestedCluster implements TestedCluster {
  private static final Logger LOG = LoggerFactory.getLogger(ProcessTestedCluster.class);
  private static final Duration START_WITHIN = Duration.ofMinutes(2);
  private static final int ZOOKEEPERS = 3;
  private static final long LOOK_MILLIS = 100;
  private static final int LOG_LINES = 8;

  private final ProcessCluster cluster;
  private final ReentrantLock joining = new ReentrantLock();

  /** All nodes that were ever started. Guarded by this. */
  private final TreeSet<NodeId> known = new TreeSet<>();

  /** Those of them that have no reason to be down. Guarded by this. */
  private final TreeSet<NodeId> running = new TreeSet<>();

  /** Guarded by this. */
  private final List<String> failures = new ArrayList<>();

  /**
   * A cluster to be made in an empty directory; nothing is started yet.
   *
   * @param guarded whether nodes are started again that have ended by themselves
   */
  ProcessTestedCluster(Path directory, ReplicationSettings replication, boolean guarded) {
    NewCluster made =
        NewCluster.DEFAULT.withSplitHints(Workload.splitHints()).withReplication(replication);
    this.cluster = ProcessCluster.during(directory, START_WITHIN, made, guarded);
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

  /** A majority of all nodes, and of those that host ZooKeeper, must be there. */
  @Override
  public synchronized boolean bears(Set<NodeId> away) {
    long hosts = known.stream().filter(ProcessTestedCluster::hostsZooKeeper).count();
    long hostsAway = away.stream().filter(ProcessTestedCluster::hostsZooKeeper).count();
    return known.size() < ZOOKEEPERS
        ? away.size() <= 1
        : 2 * away.size() < known.size() && 2 * hostsAway < hosts;
  }

  private static boolean hostsZooKeeper(NodeId node) {
    return node.value() <= ZOOKEEPERS;
  }

  @Override
  public boolean pauses() {
    return true;
  }

  @Override
  public void kill(NodeId node) throws IOException, InterruptedException {
    leaves(node);
    cluster.kill(number(node));
  }

  @Override
  public void stop(NodeId node) throws IOException, InterruptedException {
    leaves(node);
    cluster.stop(number(node));
  }

  private synchronized void leaves(NodeId node) {
    running.remove(node);
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
    cluster.launch(number(node));
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
            failures.add(node + " ended by itself: " + last);
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
      cluster.endings(node).forEach(line -> all.add("the guard says: " + line));
    }
    synchronized (this) {
      all.addAll(failures);
    }
    return all;
  }

  @Override
  public void close() {
    cluster.close();
  }
}
