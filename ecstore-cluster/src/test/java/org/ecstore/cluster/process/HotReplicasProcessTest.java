package org.ecstore.cluster.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.ecstore.client.Codec;
import org.ecstore.client.EcStore;
import org.ecstore.client.EcStoreOptions;
import org.ecstore.client.ManualSnapshot;
import org.ecstore.client.Table;
import org.ecstore.key.Tuple;
import org.ecstore.model.CopyRole;
import org.ecstore.protocol.ClientReply.HotReplicasFed;
import org.ecstore.protocol.ClientReply.HotReplicasSeen;
import org.ecstore.protocol.ClientReply.Inspected;
import org.ecstore.replication.hotspot.HotReplicaSettings;
import org.ecstore.server.ReplicationSettings;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Rules 24 to 26 on processes: load makes a hot-spot replica, and it answers. */
@Timeout(300)
@Tag("slow")
class HotReplicasProcessTest {
  private static final Table<String> WORDS = Table.of("words", Codec.utf8());
  private static final Tuple KEY = Tuple.of("popular");
  private static final EcStoreOptions PATIENT =
      EcStoreOptions.DEFAULT.deadline(Duration.ofMinutes(1));
  private static final int READS = 200_000;

  @TempDir private Path directory;

  private static List<HotReplicasSeen> hotReplicas(ProcessCluster cluster) throws Exception {
    return cluster.status().stream()
        .flatMap(node -> node.seen().stream())
        .map(Inspected::hotReplicas)
        .toList();
  }

  private static CopyRole read(EcStore store) {
    try (ManualSnapshot snapshot = store.snapshot()) {
      assertEquals(Optional.of("said"), snapshot.get(WORDS, KEY));
      return snapshot.lastRead().orElseThrow().role();
    }
  }

  /** Whether reads are answered by a hot-spot replica, and the nodes say so. */
  private static boolean isSeen(ProcessCluster cluster) throws Exception {
    List<HotReplicasSeen> seen = hotReplicas(cluster);
    return seen.stream().anyMatch(node -> node.held() > 0 && node.milliReads() > 0)
        && seen.stream()
                .flatMap(node -> node.fed().stream())
                .mapToInt(HotReplicasFed::hotReplicas)
                .sum()
            > 0;
  }

  @Test
  void hotReplicasComeWithTheLoad() throws Exception {
    NewCluster made =
        NewCluster.DEFAULT.withReplication(
            ReplicationSettings.DEFAULT
                .withCopies(1)
                .withHotReplicas(HotReplicaSettings.of(8 << 20, 20)));
    try (ProcessCluster cluster = ProcessCluster.in(directory, Duration.ofMinutes(2), made)) {
      try {
        cluster.up(2, _ -> {});
        try (EcStore store = EcStore.connect(cluster.addresses(), PATIENT)) {
          store.execute(tx -> tx.put(WORDS, KEY, "said"));
          assertTrue(
              hotReplicas(cluster).stream().allMatch(HotReplicasSeen.NONE::equals),
              "nothing is read yet");
          int byHotReplicas = 0;
          boolean seen = false;
          for (int i = 0; i < READS && !seen; i++) {
            byHotReplicas += read(store) == CopyRole.HOT_REPLICA ? 1 : 0;
            seen = byHotReplicas > 0 && i % 500 == 0 && isSeen(cluster);
          }
          assertTrue(
              seen,
              "of reads by hot-spot replicas: " + byHotReplicas + ", and " + hotReplicas(cluster));
        }
      } finally {
        cluster.down();
      }
    }
  }
}
