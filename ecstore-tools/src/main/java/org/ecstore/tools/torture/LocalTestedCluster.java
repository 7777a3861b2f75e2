package org.ecstore.tools.torture;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.ecstore.client.secret.ClusterSecret;
import org.ecstore.cluster.process.NodeProbe;
import org.ecstore.id.NodeId;
import org.ecstore.protocol.ClientReply;
import org.ecstore.protocol.ClientReply.Decided;
import org.ecstore.protocol.ClientReply.StatusReport;
import org.ecstore.protocol.ClientRequest;
import org.ecstore.server.ClusterSettings;
import org.ecstore.server.LocalCluster;
import org.ecstore.server.ReplicationSettings;
import org.ecstore.tools.torture.workload.Workload;

/**
 * A cluster in this process: nodes crash by method call and cannot be paused, and the ledger never
 * does. Quick, for tests.
 */
final class LocalTestedCluster implements TestedCluster {
  private static final Duration ANSWER_WITHIN = Duration.ofSeconds(2);
  private static final long LOOK_MILLIS = 20;

  private final LocalCluster cluster;
  private final NodeProbe probe = new NodeProbe(ANSWER_WITHIN);

  /** All nodes that ever ran. Guarded by this. */
  private final TreeSet<NodeId> known;

  private final String addresses;

  private LocalTestedCluster(LocalCluster cluster) {
    this.cluster = cluster;
    this.known = new TreeSet<>(cluster.nodes());
    this.addresses = cluster.addresses();
  }

  static LocalTestedCluster start(Path directory, int nodes, ReplicationSettings replication)
      throws IOException {
    ClusterSettings settings =
        ClusterSettings.DEFAULT
            .withNodes(nodes)
            .withReplication(replication)
            .withChangesKept(CHANGES_KEPT, 10_000_000)
            .withSplitHints(Workload.splitHints());
    return new LocalTestedCluster(LocalCluster.start(directory, settings));
  }

  /** Those of the nodes it began with, which keep their ports. */
  @Override
  public String addresses() {
    return addresses;
  }

  @Override
  public ClusterSecret secret() {
    return cluster.secret().orElseThrow();
  }

  @Override
  public synchronized List<NodeId> nodes() {
    return List.copyOf(known);
  }

  @Override
  public Optional<NodeId> sequencer() {
    return cluster.nodes().stream().filter(this::sequences).findFirst();
  }

  private boolean sequences(NodeId id) {
    try {
      return cluster.node(id).inspect(ANSWER_WITHIN).sequencing();
    } catch (IllegalStateException | IllegalArgumentException e) {
      // It has ended meanwhile.
      return false;
    }
  }

  @Override
  public boolean bears(Set<NodeId> away) {
    return away.size() <= Math.max(1, (nodes().size() - 1) / 2);
  }

  /** Nodes of one process cannot be paused, and have engines within it. */
  @Override
  public boolean knows(FaultKind kind) {
    return kind != FaultKind.STOP && !kind.isOfDatabase();
  }

  @Override
  public List<NodeId> databases() {
    return List.of();
  }

  @Override
  public void hurtDatabase(NodeId node, FaultKind kind) {
    throw new UnsupportedOperationException("nodes of one process have no database server");
  }

  @Override
  public void restoreDatabase(NodeId node) {
    throw new UnsupportedOperationException("nodes of one process have no database server");
  }

  @Override
  public void kill(NodeId node) {
    cluster.killNode(node);
  }

  @Override
  public void stop(NodeId node) {
    cluster.killNode(node);
  }

  @Override
  public void start(NodeId node) throws IOException {
    cluster.restartNode(node);
  }

  @Override
  public void startLeaving(NodeId node) throws IOException {
    cluster.launchNode(node);
  }

  @Override
  public Optional<StatusReport> map() {
    return running().stream()
        .flatMap(address -> probe.map(address, ANSWER_WITHIN).join().stream())
        .max(Comparator.comparingLong(report -> report.point().mapVersion().value()));
  }

  @Override
  public Optional<Decided> ask(ClientRequest request) {
    for (String address : running()) {
      Optional<ClientReply> reply =
          probe.ask(address, request, cluster.secret(), ANSWER_WITHIN).join();
      if (reply.isPresent() && reply.get() instanceof Decided decided) {
        return Optional.of(decided);
      }
    }
    return Optional.empty();
  }

  private List<String> running() {
    return List.of(cluster.addresses().split(",", -1));
  }

  @Override
  public void pause(NodeId node) {
    throw new UnsupportedOperationException("nodes of one process cannot be paused");
  }

  @Override
  public void resume(NodeId node) {
    throw new UnsupportedOperationException("nodes of one process cannot be paused");
  }

  @Override
  public NodeId addNode() throws IOException {
    NodeId added = cluster.addNode();
    synchronized (this) {
      known.add(added);
    }
    return added;
  }

  @Override
  public void awaitWhole(Duration within) throws IOException, InterruptedException {
    long deadline = System.nanoTime() + within.toNanos();
    for (NodeId id : nodes()) {
      while (!serves(id)) {
        if (System.nanoTime() - deadline > 0) {
          throw new IOException(id + " does not serve within " + within.toSeconds() + " s");
        }
        Thread.sleep(LOOK_MILLIS);
      }
    }
  }

  private boolean serves(NodeId id) {
    try {
      return cluster.node(id).inspect(ANSWER_WITHIN).waitsFor().isEmpty();
    } catch (IllegalStateException | IllegalArgumentException e) {
      // It does not run.
      return false;
    }
  }

  /** Those that the nodes which run have counted since they were started. */
  @Override
  public long falseTakeovers() {
    return cluster.nodes().stream()
        .mapToLong(id -> cluster.node(id).inspect(ANSWER_WITHIN).falseAlarms())
        .sum();
  }

  /** One that failed stays, with what it threw. */
  @Override
  public List<NodeId> findEnded() {
    return List.of();
  }

  @Override
  public List<String> failures() {
    return cluster.failures().entrySet().stream()
        .map(failure -> failure.getKey() + ": " + failure.getValue())
        .toList();
  }

  @Override
  public void close() throws IOException {
    probe.close();
    cluster.close();
  }
}
