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
import org.ecstore.protocol.ClientReply.Inspected;
import org.ecstore.protocol.ClientReply.SlavesFed;
import org.ecstore.protocol.ClientReply.SlavesSeen;
import org.ecstore.replication.hotspot.SlaveSettings;
import org.ecstore.server.ReplicationSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Rules 24 to 26 on processes: load makes a slave, and it answers. */
@Timeout(300)
class SlavesProcessTest {
  private static final Table<String> WORDS = Table.of("words", Codec.utf8());
  private static final Tuple KEY = Tuple.of("popular");
  private static final EcStoreOptions PATIENT =
      EcStoreOptions.DEFAULT.deadline(Duration.ofMinutes(1));
  private static final int READS = 200_000;

  @TempDir private Path directory;

  private static List<SlavesSeen> slaves(ProcessCluster cluster) throws Exception {
    return cluster.status().stream()
        .flatMap(node -> node.seen().stream())
        .map(Inspected::slaves)
        .toList();
  }

  private static CopyRole read(EcStore store) {
    try (ManualSnapshot snapshot = store.snapshot()) {
      assertEquals(Optional.of("said"), snapshot.get(WORDS, KEY));
      return snapshot.lastRead().orElseThrow().role();
    }
  }

  /** Whether reads are answered by a slave, and the nodes say so. */
  private static boolean isSeen(ProcessCluster cluster) throws Exception {
    List<SlavesSeen> seen = slaves(cluster);
    return seen.stream().anyMatch(node -> node.held() > 0 && node.milliReads() > 0)
        && seen.stream().flatMap(node -> node.fed().stream()).mapToInt(SlavesFed::slaves).sum() > 0;
  }

  @Test
  void slavesComeWithTheLoad() throws Exception {
    NewCluster made =
        NewCluster.DEFAULT.withReplication(
            ReplicationSettings.DEFAULT.withCopies(1).withSlaves(SlaveSettings.of(8 << 20, 20)));
    try (ProcessCluster cluster = ProcessCluster.in(directory, Duration.ofMinutes(2), made)) {
      try {
        cluster.up(2, _ -> {});
        try (EcStore store = EcStore.connect(cluster.addresses(), PATIENT)) {
          store.execute(tx -> tx.put(WORDS, KEY, "said"));
          assertTrue(
              slaves(cluster).stream().allMatch(SlavesSeen.NONE::equals), "nothing is read yet");
          int bySlaves = 0;
          boolean seen = false;
          for (int i = 0; i < READS && !seen; i++) {
            bySlaves += read(store) == CopyRole.SLAVE ? 1 : 0;
            seen = bySlaves > 0 && i % 500 == 0 && isSeen(cluster);
          }
          assertTrue(seen, "of reads by slaves: " + bySlaves + ", and " + slaves(cluster));
        }
      } finally {
        cluster.down();
      }
    }
  }
}
