package org.ecstore.tools.measure;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.LongStream;
import org.ecstore.client.EcStore;
import org.ecstore.client.EcStoreOptions;
import org.ecstore.id.NodeId;
import org.ecstore.key.Bytes;
import org.ecstore.key.Tuple;
import org.ecstore.server.ClusterSettings;
import org.ecstore.server.LocalCluster;
import org.ecstore.txn.node.NodeInspection;
import org.ecstore.txn.sequencer.BatchSizes;

/** A cluster in this process, on one kind of ledger, with a client that speaks to it over TCP. */
final class Subject implements AutoCloseable {
  private static final int HINTS = 32;
  private static final Duration TIMEOUT = Duration.ofMinutes(2);

  private final LocalCluster cluster;
  private final EcStore store;

  private Subject(LocalCluster cluster, EcStore store) {
    this.cluster = cluster;
    this.store = store;
  }

  /** Starts one, or opens what the directory holds. */
  static Subject start(Path directory, int nodes, int copies, LocalCluster.LedgerOpening ledger)
      throws IOException {
    ClusterSettings settings =
        ClusterSettings.DEFAULT.withNodes(nodes).withCopies(copies).withSplitHints(splitHints());
    LocalCluster cluster = LocalCluster.start(directory, settings, ledger);
    return new Subject(
        cluster, EcStore.connect(cluster.addresses(), EcStoreOptions.DEFAULT.deadline(TIMEOUT)));
  }

  /** Keys that cut those of {@link CommitLoad} into equal parts. */
  static List<Bytes> splitHints() {
    Bytes table = CommitLoad.TABLE.keys().start();
    return LongStream.range(1, HINTS)
        .mapToObj(i -> Tuple.of(i * CommitLoad.KEYS / HINTS).encode(table))
        .toList();
  }

  LocalCluster cluster() {
    return cluster;
  }

  EcStore store() {
    return store;
  }

  /** The node that is sequencer, if one is. */
  Optional<NodeId> sequencer() {
    return cluster.nodes().stream().filter(node -> look(node).sequencing()).findFirst();
  }

  NodeInspection look(NodeId node) {
    return cluster.node(node).inspect(TIMEOUT);
  }

  /** What group commit has done so far, on the node that is sequencer. */
  BatchSizes batches() {
    return look(sequencer().orElseThrow()).batches();
  }

  /** Which cluster it is. */
  UUID id() {
    return UUID.fromString(cluster.clusterId());
  }

  @Override
  public void close() throws IOException {
    store.close();
    cluster.close();
  }
}
