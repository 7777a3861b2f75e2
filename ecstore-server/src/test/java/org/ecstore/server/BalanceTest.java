package org.ecstore.server;

import static org.ecstore.server.LocalClusterTest.SETTINGS;
import static org.ecstore.server.LocalClusterTest.WORDS;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.ecstore.client.EcStore;
import org.ecstore.client.EcStoreOptions;
import org.ecstore.core.testing.Await;
import org.ecstore.id.NodeId;
import org.ecstore.key.Tuple;
import org.ecstore.replication.copy.Copy;
import org.ecstore.txn.balance.RebalanceSettings;
import org.ecstore.txn.node.NodeInspection.CopyView;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Real engines and sockets: what grows is split, and shared with neighbours while it is written.
 */
@Timeout(300)
class BalanceTest {
  private static final Duration PATIENCE = Duration.ofSeconds(90);
  private static final Duration ANSWER_WITHIN = Duration.ofSeconds(30);
  private static final long KEYS = 400;
  private static final int NODES = 3;
  private static final RebalanceSettings SOON =
      new RebalanceSettings(true, 200_000_000L, 16_000, 0, 0, 8_000);

  @TempDir Path directory;

  /** How many ranges each node serves. */
  private static Map<NodeId, Integer> served(LocalCluster cluster) {
    Map<NodeId, Integer> served = new TreeMap<>();
    for (NodeId node : cluster.nodes()) {
      for (CopyView copy : cluster.node(node).inspect(ANSWER_WITHIN).copies()) {
        if (copy.state() == Copy.State.SERVING) {
          served.merge(node, 1, Integer::sum);
        }
      }
    }
    return served;
  }

  @Test
  @Tag("slow")
  void aTableThatGrowsIsSplitAndSpread() throws Exception {
    ReplicationSettings replication = ReplicationSettings.DEFAULT.withCopies(2).withBalance(SOON);
    try (LocalCluster cluster =
            LocalCluster.start(directory, SETTINGS.withNodes(NODES).withReplication(replication));
        EcStore store =
            EcStore.connect(cluster.addresses(), EcStoreOptions.DEFAULT.deadline(PATIENCE))) {
      String value = "x".repeat(250);
      for (long key = 0; key < KEYS; key++) {
        Tuple at = Tuple.of(key);
        store.execute(tx -> tx.put(WORDS, at, value));
      }
      // All the data are in one range at first.
      Await.until(
          "each node serves some ranges",
          () -> served(cluster).values().stream().filter(ranges -> ranges > 1).count() == NODES);
      for (long key = 0; key < KEYS; key++) {
        Tuple at = Tuple.of(key);
        assertEquals(
            Optional.of(value),
            store.<Optional<String>, RuntimeException>read(snapshot -> snapshot.get(WORDS, at)));
      }
      assertEquals(Map.of(), cluster.failures());
    }
  }
}
