package org.ecstore.server;

import static org.ecstore.server.LocalClusterTest.SETTINGS;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.List;
import org.ecstore.client.Codec;
import org.ecstore.client.EcStore;
import org.ecstore.client.Page;
import org.ecstore.client.Table;
import org.ecstore.key.Tuple;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A scan goes on behind a key of the greatest length, also where no route is known yet. */
@Timeout(120)
class LongestKeyScanTest {
  private static final Table<String> TABLE = Table.of("long", Codec.utf8());

  @TempDir Path directory;

  @Test
  void aTokenBehindTheLongestKeyIsGoodForAnotherClient() throws Exception {
    // "long" and the framing of the tuple make 8 bytes: the key has 4096.
    String longest = "a".repeat(4088);
    try (LocalCluster cluster =
        LocalCluster.start(
            directory, SETTINGS.withNodes(2).withSplitHints(List.of(TABLE.keys().start())))) {
      String token;
      try (EcStore store = EcStore.connect(cluster.addresses())) {
        store.transact(
            tx -> {
              tx.put(TABLE, Tuple.of(longest), "1");
              tx.put(TABLE, Tuple.of("b"), "2");
              return null;
            });
        token = store.read(snapshot -> snapshot.scan(TABLE).limit(1).page()).next().orElseThrow();
      }
      try (EcStore store = EcStore.connect(cluster.addresses())) {
        Page<String> page = store.read(snapshot -> snapshot.scan(TABLE).resume(token).page());
        assertEquals(1, page.entries().size());
      }
    }
  }
}
