package org.ecstore.tools.cli.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
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
import org.ecstore.tools.cli.EcStoreMain;
import org.ecstore.tools.terminal.BadInputException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * Processes of nodes on Berkeley DB get RocksDB, one after the other, and Berkeley DB again, while
 * a client goes on.
 */
@Timeout(300)
class EngineChangeTest {
  private static final int NODES = 2;
  private static final int WAIT_SECONDS = 120;

  /** What the ledger no longer has is copied from the others after it. */
  private static final Duration LONG_FAILURE = Duration.ofSeconds(20);

  private static final Table<Long> COUNTS = Table.of("counts", Codec.longs());

  @TempDir private Path directory;

  private ProcessCluster cluster(boolean relaxed) {
    return cluster(1, relaxed);
  }

  private ProcessCluster cluster(int copies, boolean relaxed) {
    NewCluster made =
        NewCluster.DEFAULT.withReplication(
            ReplicationSettings.DEFAULT
                .withCopies(copies)
                .withTimeout(LONG_FAILURE, Duration.ofSeconds(1))
                .withRelaxed(relaxed));
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
  void nodesGetAnotherEngineAlsoAfterAnInterruptionAndTheFirstOneAgain() throws Exception {
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
        assertAreOn("rocksdb", "CURRENT", "00000000.jdb", cluster);
        assertEquals(List.of(), change(cluster, _ -> {}, "je", "rocksdb").plan());

        // The way back.
        change(cluster, said::add, "rocksdb", "je").run();
        over.set(true);
        client.join();
        assertEquals(Optional.empty(), wrong.get());
      }
      assertAreOn("je", "00000000.jdb", "CURRENT", cluster);
    }
  }

  /** All nodes run with a kind of engine, whose file is there, and no file of another one. */
  private void assertAreOn(String kind, String file, String other, ProcessCluster cluster)
      throws IOException {
    for (int node : cluster.nodes()) {
      assertEquals(kind, cluster.engineKind(node));
      assertTrue(cluster.isRunning(node));
      assertTrue(hasFileNamed(file, node), kind + " is there");
      assertTrue(!hasFileNamed(other, node), "what was there before is not");
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
      assertRefused(cluster, "je", "rocksdb", "leave some nodes of another kind, as ");
      assertRefused(cluster, "je", "mysql", "none is fast at writing");
      assertEquals(List.of(2), only(cluster, 2).plan());
      String message =
          String.valueOf(
              assertThrows(BadInputException.class, () -> only(cluster, 2, 7).plan()).getMessage());
      assertEquals("--only: there is no node 7", message);
    }
  }

  private static EngineChange only(ProcessCluster cluster, Integer... nodes) {
    return new EngineChange(cluster, _ -> {}, WAIT_SECONDS, "je", "rocksdb", List.of(nodes));
  }

  /** The steward would refuse to drain it, once others had been changed. */
  @Test
  void aNodeThatTheOthersCannotDoWithoutIsNotChanged() throws Exception {
    String redis = "engine.kind = \"redis\"";
    try (ProcessCluster cluster = cluster(false)) {
      configure(1);
      configure(2, redis, "engine.url = \"redis://127.0.0.1:6380\"");
      configure(3, redis, "engine.url = \"redis://127.0.0.1:6381\"");
      configure(4, redis, "engine.url = \"redis://127.0.0.1:6382\"");
      assertRefused(cluster, "je", "rocksdb", "without node 1 no engine is there that persists");
      configure(4, "engine.kind = \"mysql\"", "engine.url = \"jdbc:mariadb://127.0.0.1/shop\"");
      assertRefused(
          cluster, "je", "rocksdb", "without node 1 no engine is there that is fit for primaries");
    }
  }

  @Test
  void thePreviewSaysWhereACopyIsMissingMeanwhile() throws Exception {
    List<String> said = new ArrayList<>();
    try (ProcessCluster cluster = cluster(false)) {
      for (int node = 1; node <= 3; node++) {
        configure(node, "placement.relaxed = true", "node.host = \"node-" + node + '"');
      }
      change(cluster, said::add, "je", "rocksdb").preview();
      assertTrue(said.getFirst().contains("ranges have one copy fewer meanwhile"), said::toString);
      assertTrue(said.get(3).contains("\"cluster add\" first"), said::toString);
      assertTrue(said.get(3).contains("after 5min"), said::toString);
      said.clear();
      configure(4, "placement.relaxed = true", "node.host = \"node-4\"");
      change(cluster, said::add, "je", "rocksdb").preview();
      assertEquals(5, said.size(), said::toString);
      assertTrue(said.getFirst().contains("hands over its ranges and copies"), said::toString);
    }
  }

  /** Killed after it began to delete, before the configuration says so. */
  @Test
  void whatWasInterruptedBetweenDeletingAndWritingIsStillOurs() throws Exception {
    try (ProcessCluster cluster = cluster(false)) {
      configure(1);
      configure(2, "engine.kind = \"redis\"", "engine.url = \"redis://127.0.0.1:6380\"");
      configure(3);
      Files.createDirectories(directory.resolve("node-2/database"));
      Path written = directory.resolve("node-2/ecstore.toml.tmp");
      Files.createDirectories(written.resolve("in its way"));
      assertThrows(IOException.class, () -> cluster.changeEngine(2, "rocksdb"));
      assertTrue(!cluster.hasDatabase(2), "it is deleted");
      assertEquals("redis", cluster.engineKind(2));
      assertEquals(List.of(2), change(cluster, _ -> {}, "redis", "rocksdb").plan());

      Files.delete(written.resolve("in its way"));
      Files.delete(written);
      cluster.changeEngine(2, "rocksdb");
      assertEquals("rocksdb", cluster.engineKind(2));
      assertEquals(List.of(2), change(cluster, _ -> {}, "redis", "rocksdb").plan(), "not filled");
      cluster.engineChanged(2);
      assertEquals(List.of(), change(cluster, _ -> {}, "redis", "rocksdb").plan());
    }
  }

  /** It would be found once the first node has ended, and its engine is deleted. */
  @Test
  @EnabledOnOs(value = OS.LINUX, architectures = "amd64")
  void programsOfServersAreLookedForBeforeAnythingIsPromised() throws Exception {
    for (int node = 1; node <= 4; node++) {
      configure(node, "placement.relaxed = true", "node.host = \"node-" + node + '"');
    }
    configure(5, "placement.relaxed = true", "node.host = \"c\"", "engine.kind = \"rocksdb\"");
    Path nothing = Files.createDirectories(directory.resolve("nothing"));
    ProcessBuilder asking =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-Duser.home=" + nothing,
                "-cp",
                System.getProperty("java.class.path"),
                EcStoreMain.class.getName(),
                "cluster",
                "change-engine",
                "--from=je",
                "--to=redis",
                "--dry-run",
                "--dir=" + directory)
            .redirectErrorStream(true);
    asking.environment().put("PATH", nothing.toString());
    Process process = asking.start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertTrue(process.waitFor() != 0, said);
    assertTrue(said.contains("there is no mvn on the PATH"), said);
    assertTrue(!said.contains("hands over"), said);
  }

  /** No node could take what another has: three hosts for three copies, as clusters usually are. */
  @Test
  @Tag("slow")
  void nodesThatCannotBeDrainedAreChangedWhereTheyAre() throws Exception {
    try (ProcessCluster cluster = cluster(3, true)) {
      cluster.up(3, _ -> {});
      List<String> said = new ArrayList<>();
      AtomicBoolean over = new AtomicBoolean();
      AtomicReference<Optional<String>> wrong = new AtomicReference<>(Optional.empty());
      try (EcStore store = EcStore.connect(cluster.addresses(), EcStoreOptions.DEFAULT)) {
        Thread client = Thread.ofVirtual().start(() -> count(store, over, wrong));
        Consumer<String> interrupts =
            line -> {
              if (line.startsWith("node 2 has an empty")) {
                throw new IllegalStateException("interrupted");
              }
            };
        EngineChange first = change(cluster, interrupts, "je", "rocksdb");
        assertThrows(IllegalStateException.class, first::run);
        assertTrue(!cluster.isRunning(2), "it had not been started yet");
        assertEquals(List.of(2, 3), change(cluster, _ -> {}, "je", "rocksdb").plan());
        change(cluster, said::add, "je", "rocksdb").run();
        over.set(true);
        client.join();
        assertEquals(Optional.empty(), wrong.get());
        assertTrue(
            said.contains("node 3 ends: ranges have one copy fewer meanwhile"), said::toString);
        assertAreOn("rocksdb", "CURRENT", "00000000.jdb", cluster);
        // Each of the others has been emptied since the first value was written.
        long last = store.transact(tx -> tx.get(COUNTS, Tuple.of(1)).orElse(0L));
        assertTrue(last > 0, "something was counted");
        cluster.kill(1);
        long again = store.transact(tx -> tx.get(COUNTS, Tuple.of(1)).orElse(0L));
        assertEquals(last, again);
      }
    }
  }

  /** Its tables would stay there, and the way back lead to a server that is made. */
  @Test
  void aNodeOnAServerOfTheUsersIsChangedByHand() throws Exception {
    try (ProcessCluster cluster = cluster(false)) {
      configure(1);
      configure(2, "engine.kind = \"redis\"", "engine.url = \"redis://db.example.org:6379\"");
      configure(3, "engine.kind = \"redis\"", "engine.url = \"redis://127.0.0.1:6380\"");
      Files.createDirectories(directory.resolve("node-3/database"));
      assertRefused(cluster, "redis", "rocksdb", "node 2 keeps its data on a server of your own");
      Files.createDirectories(directory.resolve("node-2/database"));
      assertEquals(List.of(2, 3), change(cluster, _ -> {}, "redis", "rocksdb").plan());
    }
  }

  /** Also the first one, for a change may have been interrupted: here none says what there is. */
  @Test
  void noNodeIsDrainedBeforeAllRangesHaveTheirCopies() throws Exception {
    try (ProcessCluster cluster = cluster(true)) {
      configure(1, "placement.relaxed = true", "replication.copies = 1");
      configure(2, "placement.relaxed = true", "node.host = \"b\"");
      List<String> said = new ArrayList<>();
      EngineChange change = new EngineChange(cluster, said::add, 0, "je", "rocksdb");
      String message =
          String.valueOf(assertThrows(BadInputException.class, change::run).getMessage());
      assertTrue(
          message.contains("the cluster has not come to rest after 0 s: node 1 is down"), message);
      assertEquals(List.of(), said, "none was asked to drain a node");
      assertTrue(!cluster.isDrained(1));
    }
  }

  private void configure(int node, String... more) throws IOException {
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
                .formatted(node)
            + String.join("\n", more));
  }

  private static void assertRefused(
      ProcessCluster cluster, String from, String to, String expected) {
    String message =
        assertThrows(BadInputException.class, () -> change(cluster, _ -> {}, from, to).preview())
            .getMessage();
    assertTrue(String.valueOf(message).contains(expected), message);
  }
}
