package org.ecstore.tools.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.ecstore.client.Codec;
import org.ecstore.client.EcStore;
import org.ecstore.client.EcStoreOptions;
import org.ecstore.client.Table;
import org.ecstore.engines.EngineSettings;
import org.ecstore.key.Tuple;
import org.ecstore.model.ReadLevel;
import org.ecstore.server.ClusterSettings;
import org.ecstore.server.LocalCluster;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Nodes whose engine comes from an artifact of its own. */
@Timeout(300)
class NodesOnRocksDbTest {
  private static final Table<String> WORDS = Table.of("words", Codec.utf8());
  private static final int KEYS = 200;

  @TempDir private Path directory;

  private static ClusterSettings settings(String kind) {
    return ClusterSettings.DEFAULT
        .withNodes(1)
        .withEngine(EngineSettings.DEFAULT.withKind(kind).withCacheBytes(16 << 20));
  }

  private static EcStore connect(LocalCluster cluster) {
    return EcStore.connect(cluster.addresses(), EcStoreOptions.DEFAULT.readLevel(ReadLevel.STRONG));
  }

  private static String word(long key) {
    return "word " + key;
  }

  @Test
  void whatIsCommittedIsThereAfterARestartAndNoOtherEngineOpensTheDirectory() throws Exception {
    try (LocalCluster cluster = LocalCluster.start(directory, settings("rocksdb"));
        EcStore store = connect(cluster)) {
      for (long key = 0; key < KEYS; key++) {
        long each = key;
        store.execute(tx -> tx.put(WORDS, Tuple.of(each), word(each)));
      }
    }
    try (LocalCluster cluster = LocalCluster.start(directory, settings("rocksdb"));
        EcStore store = connect(cluster)) {
      for (long key = 0; key < KEYS; key++) {
        long each = key;
        assertEquals(
            Optional.of(word(key)), store.read(snapshot -> snapshot.get(WORDS, Tuple.of(each))));
      }
    }
    IOException refused =
        assertThrows(
            IOException.class, () -> LocalCluster.start(directory, settings("je")).close());
    String message = String.valueOf(refused.getMessage());
    assertTrue(message.contains("holds an engine \"rocksdb"), message);
  }
}
