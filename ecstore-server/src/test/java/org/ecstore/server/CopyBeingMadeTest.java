package org.ecstore.server;

import static org.ecstore.server.LocalClusterTest.KEYS;
import static org.ecstore.server.LocalClusterTest.SETTINGS;
import static org.ecstore.server.LocalClusterTest.WORDS;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.ecstore.client.EcStore;
import org.ecstore.client.spi.NodeConnection;
import org.ecstore.core.runtime.NodeContext;
import org.ecstore.core.testing.Await;
import org.ecstore.id.NodeId;
import org.ecstore.key.KeyRange;
import org.ecstore.key.Tuple;
import org.ecstore.model.CopyState;
import org.ecstore.protocol.ClientReply;
import org.ecstore.protocol.ClientReply.CopyLine;
import org.ecstore.protocol.ClientRequest;
import org.ecstore.replication.copy.CopyBuilder;
import org.ecstore.replication.copy.CopySource;
import org.ecstore.replication.copy.CopyTable;
import org.ecstore.replication.copy.EngineWriter;
import org.ecstore.txn.node.NodeParts;
import org.ecstore.txn.node.NodeSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A node says which copies it is being given, before it has all of their rows. */
@Timeout(120)
class CopyBeingMadeTest {
  private static final Duration ANSWER_WITHIN = Duration.ofSeconds(30);
  private static final NodeId FIRST = new NodeId(1);
  private static final NodeId SECOND = new NodeId(2);

  @TempDir private Path directory;

  /** One row at a time, and a rest after each. */
  private static final class RowByRow extends NodeParts {
    @Override
    public CopySource source(NodeContext context, CopyTable copies, NodeSettings settings) {
      CopySource.Bounds one = new CopySource.Bounds(1, 1);
      return new CopySource(context, copies, settings.leaseNanos(), one);
    }

    @Override
    public CopyBuilder builder(
        NodeContext context, CopyTable copies, EngineWriter writer, NodeSettings settings) {
      CopyBuilder.Timing seldom = new CopyBuilder.Timing(settings.askNanos(), 1e-6);
      return new CopyBuilder(context, copies, writer, seldom);
    }
  }

  private static List<CopyLine> copies(NodeConnection node) {
    ClientReply answer = node.call(new ClientRequest.Inspect(), ANSWER_WITHIN).join();
    return answer instanceof ClientReply.Inspected seen ? seen.copies() : List.of();
  }

  private static boolean holdsOnly(NodeConnection node, CopyState state) {
    List<CopyLine> copies = copies(node);
    return !copies.isEmpty() && copies.stream().allMatch(copy -> copy.state() == state);
  }

  @Test
  void aCopyIsSeenWhileItIsMade() throws Exception {
    try (LocalCluster cluster =
            LocalCluster.start(
                directory,
                SETTINGS.withNodes(1),
                true,
                new LocalCluster.Seams(LocalCluster::openLocalLedger, new RowByRow()));
        EcStore store = EcStore.connect(cluster.addresses())) {
      store.execute(
          tx -> {
            for (long key = 0; key < KEYS; key++) {
              tx.put(WORDS, Tuple.of(key), "word");
            }
          });
      CompletableFuture<NodeId> added =
          CompletableFuture.supplyAsync(
              () -> {
                try {
                  return cluster.addNode();
                } catch (Exception e) {
                  throw new IllegalStateException(e);
                }
              });
      Await.until("the second node is there", () -> cluster.nodes().contains(SECOND));
      try (NodeConnection second = cluster.connection(SECOND, Optional.empty());
          NodeConnection first = cluster.connection(FIRST, Optional.empty())) {
        Await.until("its copy is being made", () -> holdsOnly(second, CopyState.BUILDING));
        assertEquals(SECOND, added.get());
        Await.until("its copy is there", () -> holdsOnly(second, CopyState.SERVING));
        assertEquals(
            List.of(KeyRange.ALL),
            KeyRange.merged(
                Stream.of(first, second)
                    .flatMap(node -> copies(node).stream())
                    .map(CopyLine::keys)
                    .toList()));
      }
    }
  }
}
