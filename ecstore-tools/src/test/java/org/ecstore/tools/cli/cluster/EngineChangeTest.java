package org.ecstore.tools.cli.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
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
import java.util.stream.Stream;
import org.ecstore.client.Codec;
import org.ecstore.client.EcStore;
import org.ecstore.client.EcStoreOptions;
import org.ecstore.client.Table;
import org.ecstore.cluster.process.NewCluster;
import org.ecstore.cluster.process.ProcessCluster;
import org.ecstore.core.testing.Await;
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

  @Test
  void aKindThatIsNoneIsSaidWithoutControlCharacters() {
    BadInputException refused =
        assertThrows(
            BadInputException.class, () -> change(cluster(false), _ -> {}, "je", "m\u001b[31m"));
    assertTrue(
        String.valueOf(refused.getMessage()).contains("\"m\\u001b[31m\""), refused::getMessage);
  }

  /** One that relaxes placement, and waits for nothing. */
  private static EngineChange relaxing(
      ProcessCluster cluster, Consumer<String> say, String from, String to) {
    return new EngineChange(cluster, say, 0, from, to, List.of(), true);
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
      assertEquals("je", cluster.engines().kind(1), "nothing was done");

      AtomicBoolean over = new AtomicBoolean();
      AtomicReference<Optional<String>> wrong = new AtomicReference<>(Optional.empty());
      try (EcStore store = EcStore.connect(cluster.addresses(), EcStoreOptions.DEFAULT)) {
        Thread client = Thread.ofVirtual().start(() -> count(store, over, wrong));
        // Killed before it had asked the steward.
        cluster.engines().leave(2, "rocksdb");
        EngineChange back = change(cluster, said::add, "rocksdb", "je");
        Await.until("the steward says that it has not begun", () -> back.plan().isEmpty());
        back.run();
        assertTrue(
            said.contains(
                "node 2: a change from je to rocksdb was noted and not begun, and is forgotten"),
            said::toString);
        assertTrue(!cluster.engines().isChanging(2) && cluster.isRunning(2));

        Consumer<String> interruptsAtOnce =
            line -> {
              throw new IllegalStateException(line);
            };
        EngineChange drained = change(cluster, interruptsAtOnce, "je", "rocksdb");
        String first =
            String.valueOf(assertThrows(IllegalStateException.class, drained::run).getMessage());
        assertTrue(!first.startsWith("node"), first);
        assertTrue(cluster.engines().isChanging(1), "it is noted before it is drained");
        assertTrue(!cluster.isDrained(1) && cluster.isRunning(1), "the steward goes on with that");
        Await.until("it is known that it has begun", () -> back.plan().equals(List.of(1)));

        Consumer<String> interrupts =
            line -> {
              if (line.startsWith("node 1 has an empty")) {
                throw new IllegalStateException("interrupted");
              }
            };
        EngineChange emptied = change(cluster, interrupts, "je", "rocksdb");
        assertThrows(IllegalStateException.class, emptied::run);
        assertEquals("rocksdb", cluster.engines().kind(1));
        assertEquals("je", cluster.engines().kind(2));
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
      assertEquals(kind, cluster.engines().kind(node));
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
      assertRefused(cluster, "je", "rocksdb", ", by --only; or go without, by --relaxed");
      assertRefused(cluster, "je", "mysql", "none is fast at writing");
      assertEquals(List.of(2), only(cluster, 2).plan());
      String message =
          String.valueOf(
              assertThrows(BadInputException.class, () -> only(cluster, 2, 7).plan()).getMessage());
      assertEquals("--only: there is no node 7", message);
    }
  }

  @Test
  void nodesOfAnotherKindThanIsSaidAreNotChangedWithoutAWord() throws Exception {
    try (ProcessCluster cluster = cluster(false)) {
      configure(1);
      configure(2, "engine.kind = \"rocksdb\"");
      configure(3);
      configure(4);
      EngineChange wrong =
          new EngineChange(cluster, _ -> {}, 0, "je", "mysql", List.of(1, 2), false);
      String message =
          String.valueOf(assertThrows(BadInputException.class, wrong::plan).getMessage());
      assertEquals("--only: node 2 is on rocksdb, not on je", message);
      List<String> said = new ArrayList<>();
      new EngineChange(cluster, said::add, 0, "je", "rocksdb", List.of(1, 2), false).preview();
      assertTrue(
          said.contains("node 2: is on rocksdb already, and stays as it is"), said::toString);
      // The way back is not that of node 2.
      assertTrue(said.getLast().endsWith(" Back: --from rocksdb --to je --only 1"), said::toString);
      said.clear();
      new EngineChange(cluster, said::add, 0, "je", "rocksdb", List.of(2), false).preview();
      assertEquals(
          "no node of the kind je is left to change: there is nothing to do", said.getLast());
    }
  }

  /** Below the table; no node has to run for it. */
  @Test
  void statusSaysThatAnEngineIsBeingChanged() throws Exception {
    try (ProcessCluster cluster = cluster(false)) {
      configure(1);
      configure(2);
      assertFalse(status().contains("a change of its engine"));
      cluster.engines().leave(2, "rocksdb");
      String status = status();
      assertTrue(
          status.contains("node 2: a change of its engine from je to rocksdb is under way"),
          status);
    }
  }

  private String status() {
    StringWriter said = new StringWriter();
    PrintWriter to = new PrintWriter(said, true);
    EcStoreMain.commandLine()
        .setOut(to)
        .setErr(to)
        .execute("cluster", "status", "--dir=" + directory);
    return said.toString();
  }

  private static EngineChange only(ProcessCluster cluster, Integer... nodes) {
    return new EngineChange(cluster, _ -> {}, WAIT_SECONDS, "je", "rocksdb", List.of(nodes), false);
  }

  /** The nodes that go on need it for nothing. */
  @Test
  void placementIsRelaxedInAllConfigurationsWhereThatIsWanted() throws Exception {
    try (ProcessCluster cluster = cluster(false)) {
      for (int node = 1; node <= 4; node++) {
        configure(node, "node.host = \"node-" + node + '"');
      }
      List<String> said = new ArrayList<>();
      EngineChange change = relaxing(cluster, said::add, "je", "rocksdb");
      change.preview();
      assertTrue(
          said.get(4)
              .startsWith(
                  "placement.relaxed = true is written into ecstore.toml of all nodes first: of the"
                      + " engines that there would be, none is fast at reading."),
          said::toString);
      assertTrue(!cluster.engines().relaxed(), "it is said only");
      said.clear();
      assertThrows(BadInputException.class, change::run);
      assertTrue(cluster.engines().relaxed());
      assertEquals(List.of("placement.relaxed = true is in ecstore.toml of all nodes"), said);
      assertEquals(List.of(1, 2, 3, 4), change(cluster, _ -> {}, "je", "rocksdb").plan());
      EngineChange last = relaxing(cluster, _ -> {}, "je", "mysql");
      String message =
          String.valueOf(assertThrows(BadInputException.class, last::plan).getMessage());
      assertTrue(message.startsWith("without node 4 no engine is there"), message);
    }
  }

  /** An operator took it out, or the controller did. */
  @Test
  void aNodeThatWasDrainedToStayDownIsLeftOut() throws Exception {
    try (ProcessCluster cluster = cluster(false)) {
      for (int node = 1; node <= 5; node++) {
        String kind = node == 5 ? "engine.kind = \"rocksdb\"" : "";
        configure(node, "placement.relaxed = true", "node.host = \"node-" + node + '"', kind);
      }
      cluster.drained(4);
      cluster.drained(5);
      List<String> said = new ArrayList<>();
      EngineChange change = change(cluster, said::add, "je", "rocksdb");
      assertEquals(List.of(1, 2, 3), change.plan());
      change.preview();
      assertTrue(
          said.contains(
              "node 4: was drained and is down, and stays so: \"cluster start 4\" first, to change"
                  + " it too"),
          said::toString);
      // Drained for this, by a command that was interrupted then.
      cluster.engines().leave(4, "rocksdb");
      assertEquals(List.of(1, 2, 3, 4), change.plan());
      assertEquals(List.of(4), change(cluster, _ -> {}, "rocksdb", "je").plan());
    }
  }

  /** Killed between the note and the drain; the next command is of other nodes. */
  @Test
  void aChangeThatWasNotBegunIsForgottenByTheNextCommand() throws Exception {
    try (ProcessCluster cluster = cluster(false)) {
      for (int node = 1; node <= 4; node++) {
        configure(node, "placement.relaxed = true", "node.host = \"node-" + node + '"');
      }
      cluster.engines().leave(2, "rocksdb");
      cluster.engines().leave(3, "rocksdb");
      cluster.drained(3);
      List<String> said = new ArrayList<>();
      assertEquals(List.of(3), change(cluster, _ -> {}, "rocksdb", "je").plan());
      EngineChange other =
          new EngineChange(cluster, said::add, 0, "je", "rocksdb", List.of(4), false);
      assertThrows(BadInputException.class, other::run);
      assertEquals(
          List.of("node 2: a change from je to rocksdb was noted and not begun, and is forgotten"),
          said);
      assertTrue(!cluster.engines().isChanging(2));
      assertTrue(cluster.engines().isChanging(3), "it has handed over what it had");
      // An operator takes the node out since.
      cluster.drained(2);
      assertEquals(List.of(1, 3, 4), change(cluster, _ -> {}, "je", "rocksdb").plan());
    }
  }

  /** No command of before takes it up again; here no steward hears of it. */
  @Test
  void aNodeThatAnOperatorDrainsIsNotDrainedForAChange() throws Exception {
    try (ProcessCluster cluster = cluster(false)) {
      configure(1);
      configure(2);
      cluster.engines().leave(2, "rocksdb");
      StringWriter said = new StringWriter();
      PrintWriter to = new PrintWriter(said, true);
      int status =
          EcStoreMain.commandLine()
              .setOut(to)
              .setErr(to)
              .execute("cluster", "drain", "2", "--dir=" + directory, "--wait=1");
      assertTrue(status != 0, said::toString);
      assertTrue(
          said.toString()
              .contains("node 2: a change of its engine from je to rocksdb is forgotten"),
          said::toString);
      assertTrue(!cluster.engines().isChanging(2));
    }
  }

  /** Its engine is of no use while the others are there without it. */
  @Test
  void anEngineThatIsLeftOutCountsForNothing() throws Exception {
    try (ProcessCluster cluster = cluster(false)) {
      configure(1);
      configure(2);
      configure(3);
      assertEquals(List.of(1, 2), only(cluster, 1, 2).plan());
      cluster.drained(3);
      String message =
          String.valueOf(
              assertThrows(BadInputException.class, () -> only(cluster, 1, 2).plan()).getMessage());
      assertTrue(message.contains("none is fast at reading"), message);
    }
  }

  /** Killed after it has deleted, before the configuration says so. */
  private void interruptedChange(ProcessCluster cluster, int node, String kind) throws IOException {
    Path written = directory.resolve("node-" + node + "/ecstore.toml.tmp");
    Path obstacle = Files.createDirectories(written.resolve("in its way"));
    assertThrows(IOException.class, () -> cluster.engines().change(node, kind, _ -> {}));
    Files.delete(obstacle);
    Files.delete(written);
  }

  @Test
  void thePreviewSaysWhatIsLeftToDoOfAnInterruptedChange() throws Exception {
    try (ProcessCluster cluster = cluster(false)) {
      for (int node = 1; node <= 4; node++) {
        configure(node, "placement.relaxed = true", "node.host = \"node-" + node + '"');
      }
      cluster.engines().change(2, "rocksdb", _ -> {});
      interruptedChange(cluster, 3, "rocksdb");
      List<String> said = new ArrayList<>();
      change(cluster, said::add, "je", "rocksdb").preview();
      assertTrue(said.get(0).startsWith("node 1: hands over"), said::toString);
      assertEquals(
          List.of(
              "node 2: is on rocksdb already, and is filled, or started, only",
              "node 3: was interrupted as its engine was deleted: gets an empty rocksdb engine,"
                  + " starts, and is filled"),
          said.subList(1, 3));
      assertTrue(said.get(3).startsWith("node 4: hands over"), said::toString);
    }
  }

  /** Its copies had not come in time, so that it was noted still as the operator took over. */
  @Test
  void aKindThatAnOperatorHasWrittenEndsAChange() throws Exception {
    try (ProcessCluster cluster = cluster(false)) {
      configure(1);
      configure(2);
      configure(3);
      cluster.engines().change(2, "rocksdb", _ -> {});
      assertTrue(cluster.engines().isChanging(2));
      configure(2, "engine.kind = \"mysql\"", "engine.url = \"jdbc:mariadb://127.0.0.1/shop\"");
      assertTrue(!cluster.engines().isChanging(2));
      assertTrue(!cluster.engines().isGone(2), "what it has is not deleted");
      assertRefused(cluster, "mysql", "je", "node 2 keeps its data on a server of your own");
    }
  }

  /** It was found out when the node had handed over and ended. */
  @Test
  void aConfigurationThatCannotBeChangedIsFoundBeforeANodeIsTouched() throws Exception {
    try (ProcessCluster cluster = cluster(false)) {
      configure(1);
      configure(2);
      configure(3);
      assertEquals(List.of(2), only(cluster, 2).plan());
      for (String engine :
          List.of(
              "engine = { kind = \"je\", cache = \"64MiB\" }",
              "[\"engine\"]\nkind = \"je\"",
              "'engine'.kind = \"je\"",
              "[engine]\n\"kind\" = \"je\"")) {
        configure(2, engine);
        String why =
            String.valueOf(
                assertThrows(BadInputException.class, () -> only(cluster, 2).preview())
                    .getMessage());
        assertTrue(why.startsWith("node 2 cannot be given another engine"), why);
        assertTrue(why.contains(directory.resolve("node-2/ecstore.toml") + ":"), why);
        assertTrue(why.contains("its lines as they would be numbered"), why);
        assertEquals(List.of(3), only(cluster, 3).plan());
        assertThrows(BadInputException.class, () -> only(cluster, 2, 3).run());
        assertTrue(!cluster.engines().isChanging(2) && !cluster.engines().isChanging(3), engine);
      }
      // With a password, though there is none yet.
      cluster.engines().mustTake(3, "redis");
      assertEquals(List.of("ecstore.toml"), files(2));
      assertEquals(List.of("ecstore.toml"), files(3));
    }
  }

  /** The plan was made when the change began. */
  @Test
  void aConfigurationThatWasWrittenMeanwhileIsFoundBeforeItsNodeIsTouched() throws Exception {
    try (ProcessCluster cluster = cluster(false)) {
      for (int node = 1; node <= 4; node++) {
        configure(node, "node.host = \"node-" + node + '"');
      }
      Consumer<String> writes =
          line -> {
            try {
              configure(
                  1,
                  "node.host = \"node-1\"",
                  "placement.relaxed = true",
                  "engine = { kind = \"je\" }");
            } catch (IOException e) {
              throw new UncheckedIOException(line, e);
            }
          };
      EngineChange change = relaxing(cluster, writes, "je", "rocksdb");
      String why = String.valueOf(assertThrows(BadInputException.class, change::run).getMessage());
      assertTrue(why.startsWith("node 1 cannot be given another engine"), why);
      assertTrue(!cluster.engines().isChanging(1));
    }
  }

  /** Of RocksDB it is outside of the heap, and stays in the configuration. */
  @Test
  void aCacheThatDoesNotFitTheHeapIsFoundBeforeANodeIsTouched() throws Exception {
    try (ProcessCluster cluster = cluster(false)) {
      configure(1, "engine.kind = \"je\"");
      configure(2, "engine.kind = \"rocksdb\"", "engine.cache = \"513MiB\"");
      Path flags = directory.resolve("node-2/jvm.options");
      EngineChange change = change(cluster, _ -> {}, "rocksdb", "je");
      for (String heap : List.of("-Xmx512m", "-Xmx524288k", "-Xmx1g\n-Xmx536870912")) {
        Files.writeString(flags, heap + "\n");
        String why =
            String.valueOf(assertThrows(BadInputException.class, change::preview).getMessage());
        assertEquals(
            "node 2 cannot be given another engine: its engine.cache is 513MiB, and its heap 512"
                + " MiB: the cache of je is within the heap. Give less, or take engine.cache out",
            why);
      }
      for (String heap : List.of("-Xmx513M", "-Xmx1G", "-Xmx512m\n-XX:MaxRAMPercentage=50")) {
        Files.writeString(flags, heap + "\n");
        assertEquals(List.of(2), change.plan(), heap);
      }
    }
  }

  private List<String> files(int node) throws IOException {
    try (Stream<Path> files = Files.list(directory.resolve("node-" + node))) {
      return files.map(file -> String.valueOf(file.getFileName())).toList();
    }
  }

  @Test
  void theCacheThatGoesIsSaid() throws Exception {
    try (ProcessCluster cluster = cluster(false)) {
      configure(1);
      configure(2, "engine.cache = \"512MiB\"");
      List<String> said = new ArrayList<>();
      cluster.engines().change(2, "rocksdb", said::add);
      assertEquals(List.of(), said);
      cluster.engines().change(2, "redis", said::add);
      cluster.engines().change(2, "je", said::add);
      assertEquals(1, said.size(), said::toString);
      assertTrue(
          said.getFirst().startsWith("node 2: engine.cache = \"512MiB\" goes"), said::toString);
    }
  }

  /** It was taken for one that has the former engine, and its start gave it the other one. */
  @Test
  void theWayBackAfterAnInterruptionLeadsToTheFormerEngine() throws Exception {
    try (ProcessCluster cluster = cluster(false)) {
      for (int node = 1; node <= 3; node++) {
        configure(node);
      }
      interruptedChange(cluster, 2, "rocksdb");
      assertTrue(cluster.engines().isGone(2));
      Consumer<String> interrupts =
          line -> {
            if (line.startsWith("node 2 has an empty je")) {
              throw new IllegalStateException("interrupted");
            }
          };
      EngineChange back =
          new EngineChange(cluster, interrupts, 0, "rocksdb", "je", List.of(), false);
      assertEquals(List.of(2), back.plan());
      assertThrows(IllegalStateException.class, back::run);
      assertEquals("je", cluster.engines().kind(2));
      assertTrue(!cluster.engines().isGone(2), "no start gives it another one");
      assertTrue(cluster.engines().isChanging(2), "it is not filled yet");
    }
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

  /** Engines that together lack nothing may be too few of those that persist. */
  @Test
  void copiesThatPersistDoNotBecomeFewerUnasked() throws Exception {
    try (ProcessCluster cluster = cluster(false)) {
      for (int node = 1; node <= 3; node++) {
        configure(node, "node.host = \"node-" + node + '"');
      }
      assertWouldLack(cluster, 1, 2);
      assertWouldLack(cluster, 2, 3);
      // One of three may be in memory.
      configure(
          3,
          "node.host = \"node-3\"",
          "engine.kind = \"redis\"",
          "engine.url = \"redis://127.0.0.1:6380\"");
      assertWouldLack(cluster, 2);
    }
  }

  private static void assertWouldLack(ProcessCluster cluster, Integer... nodes) {
    EngineChange change =
        new EngineChange(cluster, _ -> {}, 0, "je", "redis", List.of(nodes), false);
    String message =
        String.valueOf(assertThrows(BadInputException.class, change::plan).getMessage());
    assertTrue(
        message.startsWith(
            "copies of each range would lack: 1 fewer that persist. Leave more nodes"),
        message);
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
      interruptedChange(cluster, 2, "rocksdb");
      assertTrue(!cluster.hasDatabase(2), "it is deleted");
      assertEquals("redis", cluster.engines().kind(2));
      assertEquals(List.of(2), change(cluster, _ -> {}, "redis", "rocksdb").plan());

      cluster.engines().change(2, "rocksdb", _ -> {});
      assertEquals("rocksdb", cluster.engines().kind(2));
      assertEquals(List.of(2), change(cluster, _ -> {}, "redis", "rocksdb").plan(), "not filled");
      cluster.engines().changed(2);
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
    try (ProcessCluster cluster = cluster(3, false)) {
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
        EngineChange first =
            new EngineChange(cluster, interrupts, WAIT_SECONDS, "je", "rocksdb", List.of(), true);
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

  /** Fills and empties servers that are made for the nodes, and go with their engines. */
  @Test
  @Timeout(900)
  @Tag("nightly")
  @EnabledOnOs(value = OS.LINUX, architectures = "amd64")
  void nodesGetDatabaseServersAndGiveThemBack() throws Exception {
    try (ProcessCluster cluster = cluster(3, true)) {
      cluster.up(4, _ -> {});
      AtomicBoolean over = new AtomicBoolean();
      AtomicReference<Optional<String>> wrong = new AtomicReference<>(Optional.empty());
      try (EcStore store = EcStore.connect(cluster.addresses(), EcStoreOptions.DEFAULT)) {
        Thread client = Thread.ofVirtual().start(() -> count(store, over, wrong));
        List<String> said = new ArrayList<>();
        new EngineChange(cluster, said::add, WAIT_SECONDS, "je", "redis", List.of(1, 2), false)
            .run();
        for (int node = 1; node <= 4; node++) {
          assertEquals(node <= 2 ? "redis" : "je", cluster.engines().kind(node), said::toString);
          assertEquals(node <= 2, cluster.databasePid(node).isPresent(), said::toString);
        }
        assertTrue(
            said.stream().anyMatch(line -> line.startsWith("the redis server of node 2 started")),
            said::toString);
        change(cluster, said::add, "redis", "je").run();
        over.set(true);
        client.join();
        assertEquals(Optional.empty(), wrong.get());
        for (int node : cluster.nodes()) {
          assertTrue(!cluster.hasDatabase(node) && cluster.databasePid(node).isEmpty());
        }
        assertAreOn("je", "00000000.jdb", "CURRENT", cluster);
        assertTrue(store.transact(tx -> tx.get(COUNTS, Tuple.of(1)).orElse(0L)) > 0);
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
      assertTrue(!cluster.engines().isChanging(1));
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
