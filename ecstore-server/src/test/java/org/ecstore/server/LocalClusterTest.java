package org.ecstore.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.ecstore.client.Codec;
import org.ecstore.client.EcStore;
import org.ecstore.client.EcStoreOptions;
import org.ecstore.client.Entry;
import org.ecstore.client.ManualSnapshot;
import org.ecstore.client.Snapshot;
import org.ecstore.client.StoreStatus.StoreRange;
import org.ecstore.client.Table;
import org.ecstore.client.error.SnapshotTooOldException;
import org.ecstore.client.error.UnavailableException;
import org.ecstore.core.runtime.NodeContext;
import org.ecstore.core.testing.Await;
import org.ecstore.engines.EngineSettings;
import org.ecstore.id.NodeId;
import org.ecstore.key.Bytes;
import org.ecstore.key.Tuple;
import org.ecstore.model.ReadLevel;
import org.ecstore.replication.copy.CopyTable;
import org.ecstore.replication.copy.WriteHolds;
import org.ecstore.replication.read.ReadOutcome;
import org.ecstore.replication.read.SnapshotReads;
import org.ecstore.replication.view.LedgerView;
import org.ecstore.server.file.DirectoryInUseException;
import org.ecstore.server.ledger.FullDisk;
import org.ecstore.server.ledger.LedgerSettings;
import org.ecstore.server.ledger.LocalLedgerStore;
import org.ecstore.txn.node.NodeParts;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Real nodes with real engines, files and sockets. */
@Timeout(300)
class LocalClusterTest {
  static final Table<String> WORDS = Table.of("words", Codec.utf8());
  static final int KEYS = 120;

  /** Three nodes, each with a part of the keys from 0 to 120. */
  static final ClusterSettings SETTINGS =
      ClusterSettings.DEFAULT
          .withSplitHints(
              LongStream.of(30, 60, 90)
                  .mapToObj(key -> Tuple.of(key).encode(WORDS.keys().start()))
                  .toList())
          .withLedger(LedgerSettings.DEFAULT.withSegmentBytes(4 << 20))
          .withEngine(EngineSettings.DEFAULT.withCacheBytes(32 << 20));

  private static final EcStoreOptions PATIENT =
      EcStoreOptions.DEFAULT.deadline(Duration.ofSeconds(90)).readLevel(ReadLevel.STRONG);

  @TempDir Path directory;

  private static void write(EcStore store, long key, String value) {
    store.execute(tx -> tx.put(WORDS, Tuple.of(key), value));
  }

  private static void writeAll(EcStore store, String value) {
    for (long key = 0; key < KEYS; key++) {
      write(store, key, value);
    }
  }

  private static Map<Long, String> readAll(EcStore store) {
    return store.<Map<Long, String>, RuntimeException>read(
        snapshot ->
            snapshot.scan(WORDS).stream()
                .collect(Collectors.toMap(entry -> entry.key().number(0), Entry::value)));
  }

  private static void assertAll(EcStore store, String value) {
    Map<Long, String> found = readAll(store);
    assertEquals(KEYS, found.size());
    assertEquals(Set.of(value), Set.copyOf(found.values()));
  }

  private static Set<NodeId> holders(EcStore store) {
    return store.status(WORDS).ranges().stream()
        .map(StoreRange::primary)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void aTokenIsReadAtForAsLongAsVersionsAreKeptAndAnOpenSnapshotForAsLongAsItIsOpen()
      throws Exception {
    ClusterSettings brief = SETTINGS.withNodes(1).withVersionsKept(Duration.ofSeconds(2));
    try (LocalCluster cluster = LocalCluster.start(directory, brief);
        EcStore store = EcStore.connect(cluster.addresses(), PATIENT)) {
      write(store, 1, "old");
      String token = store.read(Snapshot::token);
      assertEquals(
          Optional.of("old"), store.readAt(token, moment -> moment.get(WORDS, Tuple.of(1))));
      for (int i = 0; i < 10; i++) {
        writeAll(store, "newer"); // The floor moves by no less than a thousand commits.
      }
      try (ManualSnapshot open = store.snapshot()) {
        long begin = System.nanoTime();
        while (isKept(store, token)) {
          writeAll(store, "newest");
          assertTrue(
              System.nanoTime() - begin < Duration.ofMinutes(2).toNanos(),
              "versions are kept for ever");
        }
        assertEquals(Optional.of("newer"), open.get(WORDS, Tuple.of(1)));
      }
    }
  }

  private static boolean isKept(EcStore store, String token) {
    try {
      return store.<Boolean, RuntimeException>readAt(
          token, moment -> moment.get(WORDS, Tuple.of(1)).isPresent());
    } catch (SnapshotTooOldException e) {
      return false;
    }
  }

  @Test
  void whatWasWrittenIsThereWhenTheDirectoryIsOpenedAgain() throws Exception {
    String id;
    try (LocalCluster cluster = LocalCluster.start(directory, SETTINGS);
        EcStore store = EcStore.connect(cluster.addresses(), PATIENT)) {
      id = cluster.clusterId();
      writeAll(store, "first");
      assertEquals(3, holders(store).size(), "every node holds a part");
    }
    try (LocalCluster cluster = LocalCluster.start(directory, SETTINGS);
        EcStore store = EcStore.connect(cluster.addresses(), PATIENT)) {
      assertEquals(id, cluster.clusterId());
      assertAll(store, "first");
      assertTrue(cluster.failures().isEmpty());
    }
  }

  @Test
  void aNodeThatWasKilledComesBackWithItsDataAndOthersServeMeanwhile() throws Exception {
    try (LocalCluster cluster = LocalCluster.start(directory, SETTINGS);
        EcStore store = EcStore.connect(cluster.addresses(), PATIENT)) {
      writeAll(store, "before");
      NodeId killed = store.status(WORDS).ranges().getLast().primary();
      NodeId other = store.status(WORDS).ranges().getFirst().primary();
      assertNotEquals(killed, other);
      cluster.killNode(killed);
      write(store, 0, "meanwhile");
      write(store, 0, "before");
      cluster.restartNode(killed);
      assertAll(store, "before");
      writeAll(store, "after");
      assertAll(store, "after");
    }
  }

  @Test
  void theNodeThatLeadsIsKilledAndAnotherLeads() throws Exception {
    try (LocalCluster cluster = LocalCluster.start(directory, SETTINGS);
        EcStore store = EcStore.connect(cluster.addresses(), PATIENT)) {
      writeAll(store, "before");
      NodeId leader =
          cluster.nodes().stream()
              .filter(node -> cluster.node(node).inspect(Duration.ofSeconds(30)).sequencing())
              .findFirst()
              .orElseThrow();
      StoreRange elsewhere =
          store.status(WORDS).ranges().stream()
              .filter(range -> !range.primary().equals(leader))
              .findFirst()
              .orElseThrow();
      long key =
          LongStream.range(0, KEYS)
              .filter(
                  candidate ->
                      elsewhere.keys().contains(Tuple.of(candidate).encode(WORDS.keys().start())))
              .findFirst()
              .orElseThrow();
      cluster.killNode(leader);
      write(store, key, "meanwhile");
      write(store, key, "before");
      cluster.restartNode(leader);
      assertAll(store, "before");
    }
  }

  @Test
  void aNodeThatJoinsTakesOverAPartWhileClientsWrite() throws Exception {
    try (LocalCluster cluster = LocalCluster.start(directory, SETTINGS);
        EcStore store = EcStore.connect(cluster.addresses(), PATIENT)) {
      writeAll(store, "before");
      AtomicBoolean joined = new AtomicBoolean();
      Thread writer =
          Thread.ofVirtual()
              .start(
                  () -> {
                    do {
                      writeAll(store, "while it joined");
                    } while (!joined.get());
                  });
      NodeId newcomer = cluster.addNode();
      joined.set(true);
      writer.join();
      assertAll(store, "while it joined");
      assertTrue(holders(store).contains(newcomer));
      assertTrue(cluster.failures().isEmpty());
    }
  }

  @Test
  void aDirectoryIsOpenedOnceInAProcess() throws Exception {
    try (LocalCluster cluster = LocalCluster.start(directory, SETTINGS.withNodes(1))) {
      assertEquals(1, cluster.nodes().size());
      var refused =
          assertThrows(
              DirectoryInUseException.class, () -> LocalCluster.start(directory, SETTINGS));
      assertTrue(String.valueOf(refused.getMessage()).contains("this process"));
    }
  }

  /** Tries to open a directory and says what came of it. */
  static final class Opener {
    private Opener() {}

    public static void main(String[] arguments) throws Exception {
      try (LocalCluster cluster = LocalCluster.start(Path.of(arguments[0]), SETTINGS)) {
        System.out.println("opened by " + cluster.nodes());
      } catch (DirectoryInUseException e) {
        System.out.println("refused: " + e.getMessage());
      }
    }
  }

  @Test
  void anotherProcessIsToldWhoHasTheDirectoryAndHarmsNothing() throws Exception {
    try (LocalCluster cluster = LocalCluster.start(directory, SETTINGS);
        EcStore store = EcStore.connect(cluster.addresses(), PATIENT)) {
      writeAll(store, "mine");
      try (ChildProcess other = new ChildProcess(Opener.class, directory)) {
        String said = other.rest();
        assertTrue(said.contains("refused: "), said);
        assertTrue(said.contains("(" + ProcessHandle.current().pid() + ")"), said);
        assertEquals(0, other.exitStatus());
      }
      assertAll(store, "mine");
    }
  }

  @Test
  void aFileInPlaceOfTheDirectoryIsAnError() throws Exception {
    Path file = Files.writeString(directory.resolve("file"), "not a directory");
    assertThrows(java.io.IOException.class, () -> LocalCluster.start(file, SETTINGS));
  }

  @Test
  void aDamagedClusterIdIsAnErrorThatNamesTheFile() throws Exception {
    Files.writeString(directory.resolve("cluster-id"), "hello");
    var thrown =
        assertThrows(java.io.IOException.class, () -> LocalCluster.start(directory, SETTINGS));
    assertTrue(String.valueOf(thrown.getMessage()).contains("cluster-id"), thrown.getMessage());
    // The lock was given back.
    Files.delete(directory.resolve("cluster-id"));
    LocalCluster.start(directory, SETTINGS.withNodes(1)).close();
  }

  @Test
  void withoutRoomForTheLedgerCommitsAreUnavailableAndNothingAcknowledgedIsLost() throws Exception {
    AtomicBoolean full = new AtomicBoolean();
    Set<Long> acknowledged = new ConcurrentSkipListSet<>();
    EcStoreOptions brief = EcStoreOptions.DEFAULT.deadline(Duration.ofSeconds(2));
    try (LocalCluster cluster =
            LocalCluster.start(
                directory,
                SETTINGS,
                true,
                new LocalCluster.Seams(
                    (where, id, settings, claim, log) ->
                        FullDisk.open(where, id, settings, log, full),
                    new NodeParts()));
        EcStore hasty = EcStore.connect(cluster.addresses(), brief);
        EcStore store = EcStore.connect(cluster.addresses(), PATIENT)) {
      writeUntil(hasty, acknowledged, 0, 40);
      full.set(true);
      assertThrows(UnavailableException.class, () -> write(hasty, 40, "no room"));
      assertTrue(readAll(hasty).keySet().containsAll(acknowledged), "reads go on");
      full.set(false);
      write(store, 41, "room again");
      acknowledged.add(41L);
      writeUntil(store, acknowledged, 42, KEYS);
      assertTrue(readAll(store).keySet().containsAll(acknowledged));
      assertTrue(cluster.failures().isEmpty());
    }
    try (LocalCluster cluster = LocalCluster.start(directory, SETTINGS);
        EcStore store = EcStore.connect(cluster.addresses(), PATIENT)) {
      assertTrue(readAll(store).keySet().containsAll(acknowledged));
    }
  }

  private static void writeUntil(EcStore store, Set<Long> acknowledged, long from, long to) {
    for (long key = from; key < to; key++) {
      write(store, key, "written");
      acknowledged.add(key);
    }
  }

  /** Reads that fail once, while a test says so: a planted bug. */
  private static final class BuggyParts extends NodeParts {
    private final AtomicBoolean broken = new AtomicBoolean();

    @Override
    public SnapshotReads reads(
        NodeContext context, LedgerView ledgerView, CopyTable copies, WriteHolds holds) {
      return new SnapshotReads(context, ledgerView, copies, holds) {
        @Override
        public void get(At at, List<Bytes> keys, Consumer<ReadOutcome> then) {
          if (broken.getAndSet(false)) {
            throw new IllegalStateException("planted by a test: a bug in a read");
          }
          super.get(at, keys, then);
        }
      };
    }
  }

  @Test
  void aNodeWithABugStopsIsSeenToHaveAndComesBackByARestart() throws Exception {
    BuggyParts parts = new BuggyParts();
    try (LocalCluster cluster =
            LocalCluster.start(
                directory, SETTINGS, true, new LocalCluster.Seams(LocalLedgerStore::open, parts));
        EcStore store = EcStore.connect(cluster.addresses(), PATIENT)) {
      writeAll(store, "before");
      NodeId failing = store.status(WORDS).ranges().getLast().primary();
      parts.broken.set(true);
      CompletableFuture<Optional<String>> read =
          store.readAsync(snapshot -> snapshot.get(WORDS, Tuple.of(KEYS - 1L)));
      Await.until("the node has failed", () -> !cluster.failures().isEmpty());
      assertEquals(Set.of(failing), cluster.failures().keySet());
      cluster.restartNode(failing);
      assertEquals(Optional.of("before"), read.get());
      assertAll(store, "before");
      assertTrue(cluster.failures().isEmpty());
    }
  }
}
