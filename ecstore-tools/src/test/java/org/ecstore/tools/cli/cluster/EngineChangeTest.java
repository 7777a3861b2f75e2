package org.ecstore.tools.cli.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.ecstore.client.Codec;
import org.ecstore.client.EcStore;
import org.ecstore.client.EcStoreOptions;
import org.ecstore.client.Table;
import org.ecstore.cluster.process.NewCluster;
import org.ecstore.cluster.process.ProcessCluster;
import org.ecstore.key.Tuple;
import org.ecstore.server.ReplicationSettings;
import org.ecstore.tools.terminal.BadInputException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Processes of nodes on Berkeley DB get RocksDB, one after the other, while a client goes on. */
@Timeout(300)
class EngineChangeTest {
  private static final int NODES = 2;
  private static final int WAIT_SECONDS = 120;
  private static final Table<Long> COUNTS = Table.of("counts", Codec.longs());

  @TempDir private Path directory;

  private ProcessCluster cluster(boolean relaxed) {
    NewCluster made =
        NewCluster.DEFAULT.withReplication(
            ReplicationSettings.DEFAULT.withCopies(1).withRelaxed(relaxed));
    return ProcessCluster.during(directory, Duration.ofSeconds(WAIT_SECONDS), made);
  }

  private static EngineChange change(
      ProcessCluster cluster, Consumer<String> say, String from, String to) {
    return new EngineChange(cluster, say, WAIT_SECONDS, from, to);
  }

  /** Counts one up and says what it found, again and again. */
  private static void count(
      EcStore store, AtomicBoolean over, AtomicReference<Optional<String>> wrong) {
    long expected = 0;
    try {
      while (!over.get()) {
        long before = expected;
        store.transact(
            tx -> {
              long found = tx.get(COUNTS, Tuple.of(1)).orElse(0L);
              assertEquals(before, found);
              tx.put(COUNTS, Tuple.of(1), found + 1);
              return found;
            });
        expected++;
      }
    } catch (RuntimeException | AssertionError e) {
      wrong.set(Optional.of(e.toString()));
    }
  }

  @Test
  @Tag("slow")
  void nodesGetAnotherEngineOneAfterTheOtherAlsoAfterAnInterruption() throws Exception {
    try (ProcessCluster cluster = cluster(true)) {
      cluster.up(NODES, _ -> {});
      List<String> said = new ArrayList<>();
      change(cluster, said::add, "je", "rocksdb").preview();
      assertEquals(NODES + 1, said.size(), said::toString);
      assertEquals("je", cluster.engineKind(1), "nothing was done");

      AtomicBoolean over = new AtomicBoolean();
      AtomicReference<Optional<String>> wrong = new AtomicReference<>(Optional.empty());
      try (EcStore store = EcStore.connect(cluster.addresses(), EcStoreOptions.DEFAULT)) {
        Thread client = Thread.ofVirtual().start(() -> count(store, over, wrong));
        Consumer<String> interrupts =
            line -> {
              if (line.startsWith("node 1 has an empty")) {
                throw new IllegalStateException("interrupted");
              }
            };
        EngineChange first = change(cluster, interrupts, "je", "rocksdb");
        assertThrows(IllegalStateException.class, first::run);
        assertEquals("rocksdb", cluster.engineKind(1));
        assertEquals("je", cluster.engineKind(2));
        assertTrue(!cluster.isRunning(1), "it had not been started yet");
        assertEquals(List.of(1, 2), change(cluster, _ -> {}, "je", "rocksdb").plan());

        said.clear();
        change(cluster, said::add, "je", "rocksdb").run();
        assertTrue(said.getLast().contains("--from rocksdb --to je"), said::toString);
        over.set(true);
        client.join();
        assertEquals(Optional.empty(), wrong.get());
      }
      for (int node : cluster.nodes()) {
        assertEquals("rocksdb", cluster.engineKind(node));
        assertTrue(cluster.isRunning(node));
        assertTrue(hasFileNamed("CURRENT", node), "RocksDB is there");
        assertTrue(!hasFileNamed("00000000.jdb", node), "Berkeley DB is not");
      }
      assertEquals(List.of(), change(cluster, _ -> {}, "je", "rocksdb").plan());
    }
  }

  private boolean hasFileNamed(String name, int node) throws IOException {
    try (var files = Files.walk(directory.resolve("node-" + node + "/data/engine"))) {
      return files.anyMatch(file -> file.getFileName().toString().equals(name));
    }
  }

  @Test
  void whatCannotBeIsRefusedBeforeAnythingIsDone() throws Exception {
    try (ProcessCluster cluster = cluster(false)) {
      configure(1);
      assertRefused(cluster, "je", "je", "there is nothing to change");
      assertRefused(cluster, "je", "fire", "--to: ");
      assertRefused(cluster, "redis", "rocksdb", "no node of this cluster is of the kind redis");
      assertRefused(cluster, "je", "rocksdb", "there is one node");
      configure(2);
      assertRefused(cluster, "je", "rocksdb", "none is fast at reading");
    }
  }

  private void configure(int node) throws IOException {
    Path home = Files.createDirectories(directory.resolve("node-" + node));
    Files.writeString(
        home.resolve("ecstore.toml"),
        """
        coordination = "zookeeper"
        node.id = %d
        node.directory = "data"
        zookeeper.connect = "127.0.0.1:2181"
        ledger.kind = "bookkeeper"
        """
            .formatted(node));
  }

  private static void assertRefused(
      ProcessCluster cluster, String from, String to, String expected) {
    String message =
        assertThrows(BadInputException.class, () -> change(cluster, _ -> {}, from, to).preview())
            .getMessage();
    assertTrue(String.valueOf(message).contains(expected), message);
  }
}
