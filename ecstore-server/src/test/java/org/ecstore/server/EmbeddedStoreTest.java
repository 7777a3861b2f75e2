package org.ecstore.server;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.ecstore.client.Codec;
import org.ecstore.client.EcStore;
import org.ecstore.client.EcStoreOptions;
import org.ecstore.client.Read;
import org.ecstore.client.Reads;
import org.ecstore.client.Snapshot;
import org.ecstore.client.Table;
import org.ecstore.client.error.ClosedException;
import org.ecstore.client.error.TooLargeException;
import org.ecstore.client.error.UnavailableException;
import org.ecstore.client.error.WrongArgumentException;
import org.ecstore.client.large.LargeValues;
import org.ecstore.key.Bytes;
import org.ecstore.key.Tuple;
import org.ecstore.wire.Limits;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code EcStore.open}: a store in the application's own process, found by the service loader. */
@Timeout(180)
class EmbeddedStoreTest {
  private static final Table<String> WORDS = Table.of("words", Codec.utf8());
  private static final Table<Bytes> BLOBS = Table.of("blobs", Codec.bytes());
  private static final Table<MetadataEntry> NOTES =
      Table.of("notes", Codec.record(MetadataEntry.class));

  @TempDir Path directory;

  /** A record of an application. */
  record MetadataEntry(String text, List<Long> readers) {}

  private static Optional<String> word(EcStore store, String key) {
    return store.<Optional<String>, RuntimeException>read(
        snapshot -> snapshot.get(WORDS, Tuple.of(key)));
  }

  @Test
  void whatIsCommittedIsThereAfterClosingAndOpeningAgain() {
    for (int times = 0; times < 3; times++) {
      String before = times == 0 ? "nothing" : "written " + (times - 1);
      String now = "written " + times;
      try (EcStore store = EcStore.open(directory.resolve("store"))) {
        assertEquals(before, word(store, "k").orElse("nothing"));
        store.execute(tx -> tx.put(WORDS, Tuple.of("k"), now));
        assertEquals(Optional.of(now), word(store, "k"));
      }
    }
  }

  @Test
  void aStoreThatIsNotMadeLeavesItsDirectoryFree() {
    byte[] key = new byte[16];
    EcStoreOptions sealing = EcStoreOptions.DEFAULT.tokenKey(key);
    String sealed;
    try (EcStore store = EcStore.open(directory, sealing)) {
      sealed = store.sealedToken();
    }
    key[0] = 1;
    EcStoreOptions another = EcStoreOptions.DEFAULT.tokenKey(key).sessionToken(sealed);
    assertThrows(WrongArgumentException.class, () -> EcStore.open(directory, another));
    EcStore.open(directory, sealing.sessionToken(sealed)).close();
  }

  @Test
  void sessionsMayBeOfOtherApplications() {
    EcStoreOptions options = EcStoreOptions.DEFAULT.application("shop");
    try (EcStore store = EcStore.open(directory, options)) {
      store.application("reports").execute(tx -> tx.put(WORDS, Tuple.of("k"), "counted"));
      assertEquals(Optional.of("counted"), word(store, "k"));
    }
  }

  @Test
  void recordsAreReadAsTheyWereWritten() {
    MetadataEntry note = new MetadataEntry("for two", List.of(1L, 2L));
    try (EcStore store = EcStore.open(directory)) {
      store.execute(tx -> tx.insert(NOTES, Tuple.of(7L), note));
      assertEquals(
          Optional.of(note),
          store.<Optional<MetadataEntry>, RuntimeException>read(s -> s.get(NOTES, Tuple.of(7L))));
    }
  }

  @Test
  void readsOfSeveralTablesAreSentTogether() {
    MetadataEntry note = new MetadataEntry("for two", List.of(1L, 2L));
    try (EcStore store = EcStore.open(directory)) {
      store.execute(
          tx -> {
            tx.put(NOTES, Tuple.of(7L), note);
            tx.put(WORDS, Tuple.of("k"), "v");
            assertEquals(List.of(Optional.of(note), Optional.of("v")), together(tx));
          });
      assertEquals(
          List.of(Optional.of(note), Optional.of("v")),
          store.<List<Optional<?>>, RuntimeException>read(EmbeddedStoreTest::together));
      store.execute(
          tx -> {
            tx.delete(NOTES, Tuple.of(7L));
            assertEquals(List.of(Optional.empty(), Optional.of("v")), together(tx));
          });
    }
  }

  private static List<Optional<?>> together(Snapshot at) {
    Reads reads = at.reads();
    Read<Optional<MetadataEntry>> entry = reads.get(NOTES, Tuple.of(7L));
    Read<Optional<String>> text = reads.get(WORDS, Tuple.of("k"));
    reads.run();
    return List.of(entry.get(), text.get());
  }

  @Test
  void aLargeValueAndARequestThatIsDoneOnceAreThereAfterOpeningAgain() throws Exception {
    byte[] content = new byte[20_000_000];
    new Random(1).nextBytes(content);
    Tuple key = Tuple.of("film");
    try (EcStore store = EcStore.open(directory)) {
      LargeValues.in(store, "files").write(key, new ByteArrayInputStream(content));
      assertTrue(store.execute("request 1", tx -> tx.put(WORDS, Tuple.of("k"), "done")));
    }
    try (EcStore store = EcStore.open(directory)) {
      try (InputStream film = LargeValues.in(store, "files").read(key).orElseThrow()) {
        assertArrayEquals(content, film.readAllBytes());
      }
      assertFalse(store.execute("request 1", tx -> tx.put(WORDS, Tuple.of("k"), "done again")));
      assertEquals(Optional.of("done"), word(store, "k"));
    }
  }

  @Test
  void incrementsOfManyThreadsAreAllCounted() throws Exception {
    int threads = 8;
    int each = 25;
    try (EcStore store = EcStore.open(directory)) {
      store.execute(tx -> tx.put(WORDS, Tuple.of("sum"), "0"));
      List<Thread> running = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        running.add(Thread.ofVirtual().start(() -> increment(store, each)));
      }
      for (Thread thread : running) {
        thread.join();
      }
      assertEquals(Optional.of(Integer.toString(threads * each)), word(store, "sum"));
    }
  }

  private static void increment(EcStore store, int times) {
    for (int i = 0; i < times; i++) {
      store.execute(
          tx -> {
            int sum = Integer.parseInt(tx.get(WORDS, Tuple.of("sum")).orElseThrow());
            tx.put(WORDS, Tuple.of("sum"), Integer.toString(sum + 1));
          });
    }
  }

  @Test
  void aClosedStoreSaysSo() {
    EcStore store = EcStore.open(directory);
    store.close();
    assertThrows(ClosedException.class, () -> word(store, "k"));
    assertThrows(
        ClosedException.class, () -> store.execute(tx -> tx.put(WORDS, Tuple.of("k"), "v")));
    store.close();
  }

  @Test
  void keysAndValuesUpToTheLimitsAreKeptAndLongerOnesNamed() {
    Bytes longest = Bytes.wrap(new byte[Limits.VALUE_BYTES_MAX]);
    Bytes tooLong = Bytes.wrap(new byte[Limits.VALUE_BYTES_MAX + 1]);
    String key = "k".repeat(Limits.KEY_BYTES_MAX - 20);
    String tooLongKey = "k".repeat(Limits.KEY_BYTES_MAX + 1);
    try (EcStore store = EcStore.open(directory)) {
      store.execute(tx -> tx.put(BLOBS, Tuple.of(key), longest));
      assertEquals(
          Optional.of(longest),
          store.<Optional<Bytes>, RuntimeException>read(s -> s.get(BLOBS, Tuple.of(key))));
      assertThrows(
          TooLargeException.class,
          () -> store.execute(tx -> tx.put(BLOBS, Tuple.of("k"), tooLong)));
      assertThrows(
          TooLargeException.class,
          () -> store.execute(tx -> tx.put(BLOBS, Tuple.of(tooLongKey), longest)));
    }
  }

  @Test
  void aDirectoryIsOpenedOnce() throws Exception {
    try (EcStore store = EcStore.open(directory)) {
      var refused = assertThrows(UnavailableException.class, () -> EcStore.open(directory));
      assertTrue(String.valueOf(refused.getMessage()).contains("in use"), refused.getMessage());
      try (ChildProcess other = new ChildProcess(LocalClusterTest.Opener.class, directory)) {
        String said = other.rest();
        assertTrue(said.contains("refused: "), said);
      }
      store.execute(tx -> tx.put(WORDS, Tuple.of("k"), "still open"));
    }
  }

  @Test
  void aDirectoryOfSeveralNodesIsNotForAnEmbeddedStore() throws Exception {
    LocalCluster.start(directory, LocalClusterTest.SETTINGS.withNodes(2)).close();
    var refused = assertThrows(UnavailableException.class, () -> EcStore.open(directory));
    assertTrue(
        String.valueOf(refused.getMessage()).contains("several nodes"), refused.getMessage());
  }

  @Test
  void whatBeganEmbeddedGoesOnWithMoreNodes() throws Exception {
    try (EcStore store = EcStore.open(directory)) {
      store.execute(tx -> tx.put(WORDS, Tuple.of("k"), "kept"));
    }
    try (LocalCluster cluster =
            LocalCluster.start(directory, LocalClusterTest.SETTINGS.withNodes(1));
        EcStore store = EcStore.connect(cluster.addresses())) {
      cluster.addNode();
      assertEquals(Optional.of("kept"), word(store, "k"));
    }
  }

  @Test
  void aFileInPlaceOfTheDirectoryIsNamed() throws Exception {
    Path file = Files.writeString(directory.resolve("file"), "not a directory");
    var refused = assertThrows(UnavailableException.class, () -> EcStore.open(file));
    assertTrue(String.valueOf(refused.getMessage()).contains(file.toString()));
  }

  @Test
  void aLedgerThatIsGoneIsMissedAtOnce() throws Exception {
    EcStore.open(directory).close();
    Path ledger = directory.resolve("ledger");
    List<Path> files;
    try (Stream<Path> all = Files.list(ledger)) {
      files = all.toList();
    }
    for (Path file : files) {
      Files.delete(file);
    }
    var refused = assertThrows(UnavailableException.class, () -> EcStore.open(directory));
    assertTrue(refused.getMessage().contains("the ledger is missing"), refused.getMessage());
    try (Stream<Path> all = Files.list(ledger)) {
      assertEquals(List.of(), all.toList(), "nothing was changed");
    }
  }

  @Test
  void aClusterStateThatIsGoneIsMissedAtOnce() throws Exception {
    EcStore.open(directory).close();
    Path coordination = directory.resolve("coordination");
    try (Stream<Path> all = Files.list(coordination)) {
      for (Path file : all.toList()) {
        Files.delete(file);
      }
    }
    Files.delete(coordination);
    var refused = assertThrows(UnavailableException.class, () -> EcStore.open(directory));
    assertTrue(refused.getMessage().contains("cluster's state is missing"), refused.getMessage());
    assertTrue(Files.notExists(coordination), "nothing was changed");
  }
}
