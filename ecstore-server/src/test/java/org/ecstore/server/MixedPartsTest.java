package org.ecstore.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.ecstore.client.Codec;
import org.ecstore.client.EcStore;
import org.ecstore.client.Table;
import org.ecstore.client.error.UnavailableException;
import org.ecstore.core.port.Coordination.Member;
import org.ecstore.core.port.Event;
import org.ecstore.core.port.Ledger;
import org.ecstore.core.port.OperatorLog;
import org.ecstore.core.runtime.NodeContext;
import org.ecstore.core.testing.Await;
import org.ecstore.core.testing.Pause;
import org.ecstore.id.NodeId;
import org.ecstore.key.Tuple;
import org.ecstore.replication.copy.Copy;
import org.ecstore.replication.view.LedgerView;
import org.ecstore.server.ledger.LedgerClaim;
import org.ecstore.server.ledger.LedgerService;
import org.ecstore.server.ledger.LedgerSettings;
import org.ecstore.server.ledger.LocalLedgerStore;
import org.ecstore.txn.node.NodeParts;
import org.ecstore.txn.node.NodeSettings;
import org.ecstore.txn.sequencer.Sequencer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A store's directory whose parts do not belong together: each restored by itself, cut, emptied or
 * another store's. What could lose an acknowledged write is refused, by one line that says which
 * part it is and what to do.
 */
@Timeout(300)
@Order(1)
class MixedPartsTest {
  private static final Table<String> WORDS = Table.of("words", Codec.utf8());
  private static final String LEDGER = "ledger";
  private static final String COORDINATION = "coordination";
  private static final String ENGINE = "node-1";
  private static final String MARK = "part-of";
  private static final ClusterSettings SETTINGS = LocalClusterTest.SETTINGS;

  @TempDir Path temp;

  private Path directory() {
    return temp.resolve("store");
  }

  private Path part(String name) {
    return directory().resolve(name);
  }

  private Path aside(String name) {
    return temp.resolve("aside").resolve(name);
  }

  private static Optional<String> word(EcStore store, String key) {
    return store.<Optional<String>, RuntimeException>read(
        snapshot -> snapshot.get(WORDS, Tuple.of(key)));
  }

  private static void put(EcStore store, String key, String value) {
    store.execute(tx -> tx.put(WORDS, Tuple.of(key), value));
  }

  private void write(String key, String value) {
    try (EcStore store = EcStore.open(directory())) {
      put(store, key, value);
    }
  }

  private String read(String key) {
    try (EcStore store = EcStore.open(directory())) {
      return word(store, key).orElse("nothing");
    }
  }

  static void copy(Path from, Path to) throws IOException {
    delete(to);
    try (Stream<Path> all = Files.walk(from)) {
      for (Path file : all.toList()) {
        Path target = to.resolve(from.relativize(file).toString());
        if (Files.isDirectory(file)) {
          Files.createDirectories(target);
        } else {
          Files.copy(file, target);
        }
      }
    }
  }

  static void delete(Path tree) throws IOException {
    if (Files.exists(tree)) {
      try (Stream<Path> all = Files.walk(tree)) {
        for (Path file : all.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
  }

  private void keep(String part) throws IOException {
    copy(part(part), aside(part));
  }

  private void restore(String part) throws IOException {
    copy(aside(part), part(part));
  }

  /** As if the store had been made before its parts said to which store they belong. */
  private void forgetPartMarks() throws IOException {
    try (Stream<Path> all = Files.walk(directory())) {
      for (Path file : all.filter(f -> f.getFileName().toString().equals(MARK)).toList()) {
        Files.delete(file);
      }
    }
  }

  /** What every file of a part holds, but for locks and the engine's own bookkeeping. */
  private static Map<String, Integer> contents(Path part) throws IOException {
    Map<String, Integer> found = new TreeMap<>();
    try (Stream<Path> all = Files.walk(part)) {
      for (Path file : all.filter(Files::isRegularFile).toList()) {
        if (!file.getFileName().toString().endsWith("lock")) {
          found.put(part.relativize(file).toString(), Arrays.hashCode(Files.readAllBytes(file)));
        }
      }
    }
    return found;
  }

  private void assertRefused(String... reasons) throws IOException {
    Map<String, Integer> ledger = Files.exists(part(LEDGER)) ? contents(part(LEDGER)) : Map.of();
    var refused = assertThrows(UnavailableException.class, () -> EcStore.open(directory()).close());
    String message = String.valueOf(refused.getMessage());
    for (String reason : reasons) {
      assertTrue(message.contains(reason), message);
    }
    assertEquals(1, message.lines().count(), message);
    if (!ledger.isEmpty()) {
      assertEquals(ledger, contents(part(LEDGER)), "the ledger is as it was");
    }
  }

  private Path segment() throws IOException {
    try (Stream<Path> all = Files.list(part(LEDGER))) {
      return all.filter(f -> f.toString().endsWith(".ledger")).findFirst().orElseThrow();
    }
  }

  private static long used(Path file) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    int end = bytes.length;
    while (end > 0 && bytes[end - 1] == 0) {
      end--;
    }
    return end;
  }

  // The ledger.

  @Test
  void anOlderLedgerIsRefused() throws Exception {
    write("k", "old");
    keep(LEDGER);
    write("k", "new");
    restore(LEDGER);
    assertRefused("ledger", "older", "restore the whole directory");
  }

  @Test
  void anOlderLedgerOfTheSameRunIsRefused() throws Exception {
    try (EcStore store = EcStore.open(directory())) {
      put(store, "k", "old");
      keep(LEDGER);
      put(store, "k", "new");
    }
    restore(LEDGER);
    assertRefused("ledger", "ends at position", "restore the whole directory");
    forgetPartMarks();
    assertRefused("ledger", "ends at position", "restore the whole directory");
  }

  @Test
  void anOlderLedgerIsRefusedWhereTheEngineHasAppliedAndNotYetFoldedWhatItLacks() throws Exception {
    // The process is killed a moment after an acknowledged write: the engine has noted how far the
    // ledger reaches, and its notes of fold positions are older.
    write("k", "first");
    try (ChildProcess writer =
        new ChildProcess(Writer.class, directory(), aside(LEDGER).toAbsolutePath())) {
      // What a log says may come before it.
      String line = writer.line();
      while (!line.equals("written")) {
        assertNotEquals("", line, "it ended");
        line = writer.line();
      }
      writer.kill();
      writer.exitStatus();
    }
    restore(LEDGER);
    assertRefused("ledger", "ends at position");
  }

  /** Writes, keeps the ledger aside, writes once more, and waits to be killed. */
  static final class Writer {
    /** More than it takes until the engine notes how far the ledger reaches. */
    private static final Duration NOTED = Duration.ofMillis(500);

    private Writer() {}

    public static void main(String[] args) throws Exception {
      Path directory = Path.of(args[0]);
      EcStore store = EcStore.open(directory);
      put(store, "k", "second");
      copy(directory.resolve(LEDGER), Path.of(args[1]));
      put(store, "k", "third");
      word(store, "k");
      Pause.of(NOTED);
      System.out.println("written");
      System.out.flush();
      System.in.read();
    }
  }

  @Test
  void aLedgerCutInHalfIsRefused() throws Exception {
    try (EcStore store = EcStore.open(directory())) {
      for (int i = 0; i < 50; i++) {
        put(store, "k" + i, "value");
      }
    }
    Path segment = segment();
    long half = used(segment) / 2;
    try (FileChannel file = FileChannel.open(segment, StandardOpenOption.WRITE)) {
      file.truncate(half);
    }
    assertRefused("ledger", "ends at position");
    forgetPartMarks();
    assertRefused("ledger", "ends at position");
  }

  @Test
  void aTornTailThatLostAcknowledgedRecordsIsRefused() throws Exception {
    long before;
    try (EcStore store = EcStore.open(directory())) {
      put(store, "k", "old");
      before = used(segment());
      put(store, "k", "new");
    }
    // Behind the last commit there may be a record that no engine holds anything of.
    long torn = before + 8;
    int length = (int) (used(segment()) - torn);
    try (FileChannel file = FileChannel.open(segment(), StandardOpenOption.WRITE)) {
      file.write(ByteBuffer.allocate(length), torn);
    }
    assertRefused("ledger", "ends at position");
  }

  @Test
  void aTornTailThatWasNeverAcknowledgedIsCut() throws Exception {
    write("k", "kept");
    Path segment = segment();
    byte[] torn =
        "LEnt what was being written when the power went".getBytes(StandardCharsets.US_ASCII);
    long used = used(segment);
    try (FileChannel file = FileChannel.open(segment, StandardOpenOption.WRITE)) {
      file.write(ByteBuffer.wrap(torn), used + 8);
    }
    assertEquals("kept", read("k"));
  }

  @Test
  void anEmptyLedgerIsRefusedThoughTheEngineIsTakenAway() throws Exception {
    write("k", "lost");
    delete(part(ENGINE));
    delete(part(LEDGER));
    assertRefused("the ledger is missing");
    Files.createDirectories(part(LEDGER));
    assertRefused("the ledger is missing");
  }

  @Test
  void anotherStoresLedgerIsRefused() throws Exception {
    write("k", "kept");
    try (EcStore other = EcStore.open(temp.resolve("other"))) {
      for (int i = 0; i < 20; i++) {
        put(other, "k", "other");
      }
    }
    copy(temp.resolve("other").resolve(LEDGER), part(LEDGER));
    assertRefused("ledger", "belongs to");
    forgetPartMarks();
    assertRefused("ledger", "belongs to");
  }

  @Test
  void aLedgerThatWentOnElsewhereIsRefused() throws Exception {
    // Two copies of one directory go on by themselves: one id, two histories.
    write("k", "common");
    copy(directory(), temp.resolve("fork"));
    write("k", "here");
    try (EcStore fork = EcStore.open(temp.resolve("fork"))) {
      put(fork, "k", "there");
      put(fork, "k", "there, later");
    }
    copy(temp.resolve("fork").resolve(LEDGER), part(LEDGER));
    assertRefused("ledger", "restore the whole directory");
  }

  // The cluster's state.

  @Test
  void anOlderClusterStateIsRefused() throws Exception {
    write("k", "old");
    keep(COORDINATION);
    write("k", "new");
    restore(COORDINATION);
    assertRefused(COORDINATION, "older");
    forgetPartMarks();
    assertRefused(COORDINATION, "older");
  }

  @Test
  void anOlderClusterStateIsRefusedThoughTheEngineIsTakenAway() throws Exception {
    write("k", "old");
    keep(COORDINATION);
    write("k", "new");
    restore(COORDINATION);
    delete(part(ENGINE));
    assertRefused(COORDINATION, "older");
    forgetPartMarks();
    assertRefused("cluster state", "older");
  }

  @Test
  void anEmptyClusterStateIsRefused() throws Exception {
    write("k", "kept");
    Files.delete(part(COORDINATION).resolve("coordination"));
    assertRefused("cluster's state is missing");
    delete(part(ENGINE));
    assertRefused("cluster's state is missing");
  }

  @Test
  void anotherStoresClusterStateIsRefused() throws Exception {
    write("k", "kept");
    try (EcStore other = EcStore.open(temp.resolve("other"))) {
      put(other, "k", "other");
    }
    copy(temp.resolve("other").resolve(COORDINATION), part(COORDINATION));
    assertRefused(COORDINATION, "belongs to");
  }

  // The engine.

  @Test
  void anOlderEngineIsFilledFromTheLedger() throws Exception {
    write("k", "old");
    keep(ENGINE);
    write("k", "new");
    restore(ENGINE);
    assertEquals("new", read("k"));
  }

  @Test
  void anEngineThatIsTakenAwayIsFilledFromAWholeLedger() throws Exception {
    write("k", "kept");
    delete(part(ENGINE));
    assertEquals("kept", read("k"));
  }

  @Test
  void anotherStoresEngineIsRefused() throws Exception {
    write("k", "kept");
    try (EcStore other = EcStore.open(temp.resolve("other"))) {
      put(other, "k", "other");
    }
    copy(temp.resolve("other").resolve(ENGINE), part(ENGINE));
    assertRefused(ENGINE, "belongs to");
  }

  @Test
  void anEngineInAnotherNodesPlaceIsRefused() throws Exception {
    LocalCluster.start(directory(), SETTINGS.withNodes(2)).close();
    copy(part("node-2"), aside("node-2"));
    copy(part(ENGINE), part("node-2"));
    copy(aside("node-2"), part(ENGINE));
    var refused =
        assertThrows(IOException.class, () -> LocalCluster.start(directory(), SETTINGS).close());
    assertTrue(String.valueOf(refused.getMessage()).contains("node-1"), refused.getMessage());
  }

  @Test
  @Tag("slow")
  void anOlderEngineThatTheLedgerIsTrimmedPastIsRefused() throws Exception {
    write("k", "old");
    keep(ENGINE);
    trim();
    restore(ENGINE);
    assertRefused("the engine in", "ends at position", "the ledger begins after position");
    forgetPartMarks();
    assertRefused("the engine in", "ends at position", "the ledger begins after position");
  }

  @Test
  @Tag("slow")
  void anEngineThatIsTakenAwayFromATrimmedLedgerIsRefused() throws Exception {
    trim();
    delete(part(ENGINE));
    assertRefused("there is no engine in", "the ledger begins after position");
    Files.createDirectories(part(ENGINE));
    assertRefused("the engine in", "the ledger begins after position");
  }

  /** Writes until the ledger has forgotten its beginning. */
  private void trim() throws Exception {
    ClusterSettings small =
        SETTINGS
            .withNodes(1)
            .withVersionsKept(Duration.ofSeconds(1))
            .withLedger(LedgerSettings.DEFAULT.withSegmentBytes(64 << 10));
    String value = "v".repeat(8 << 10);
    LocalCluster.Seams often =
        new LocalCluster.Seams(LocalCluster::openLocalLedger, new TrimsOften());
    try (LocalCluster cluster = LocalCluster.start(directory(), small, true, often);
        EcStore store = EcStore.connect(cluster.addresses())) {
      while (Files.exists(part(LEDGER).resolve("segment-0000000000000001.ledger"))) {
        put(store, "filler", value);
      }
    }
    // The next opening takes the rest of an older segment from the file of the last one.
    LocalCluster.start(directory(), small, true, often).close();
  }

  /** A node whose sequencer writes a checkpoint every few records. */
  private static final class TrimsOften extends NodeParts {
    @Override
    public Sequencer sequencer(
        NodeContext context,
        LedgerView ledgerView,
        NodeSettings settings,
        Supplier<List<Member>> members,
        Runnable activated) {
      Sequencer.Bounds bounds = settings.sequencer();
      Sequencer.Bounds often =
          new Sequencer.Bounds(
              bounds.appender(),
              10,
              bounds.outcomesMax(),
              10,
              bounds.retentionNanos(),
              bounds.floorStep());
      return new Sequencer(context, ledgerView, often, members, activated);
    }
  }

  // A ledger on other servers, which does not say at once how far it reaches.

  /** The ledger in files, as one on bookies looks to a process that starts. */
  private record Elsewhere(LocalLedgerStore ledger) implements LedgerService {
    static LedgerService open(
        Path directory, UUID cluster, LedgerSettings settings, LedgerClaim claim, OperatorLog log)
        throws IOException {
      return new Elsewhere(LocalLedgerStore.open(directory, cluster, settings, log));
    }

    @Override
    public Ledger handle(NodeId node, Consumer<Event> sink) {
      return ledger.handle(node, sink);
    }

    @Override
    public void close() throws IOException {
      ledger.close();
    }
  }

  private void assertRefusedElsewhere(int nodes, String... reasons) {
    var refused =
        assertThrows(
            IOException.class,
            () ->
                LocalCluster.start(directory(), SETTINGS.withNodes(nodes), Elsewhere::open)
                    .close());
    for (String reason : reasons) {
      assertTrue(String.valueOf(refused.getMessage()).contains(reason), refused.getMessage());
    }
  }

  @Test
  void theNodeThatLeadsRefusesALedgerElsewhereThatEndsBelowItsEngine() throws Exception {
    try (EcStore store = EcStore.open(directory())) {
      put(store, "k", "old");
      keep(LEDGER);
      put(store, "k", "new");
    }
    restore(LEDGER);
    forgetPartMarks();
    Map<String, Integer> ledger = contents(part(LEDGER));
    assertRefusedElsewhere(1, "the ledger ends at position", "the engine of n1 holds records");
    assertEquals(ledger, contents(part(LEDGER)), "nothing was appended");
  }

  @Test
  void aNodeThatDoesNotLeadRefusesALedgerElsewhereThatEndsBelowItsEngine() throws Exception {
    try (LocalCluster cluster = LocalCluster.start(directory(), SETTINGS.withNodes(2));
        EcStore store = EcStore.connect(cluster.addresses())) {
      put(store, "k", "old");
      awaitAllCopies(cluster);
      keep(LEDGER);
      for (int i = 0; i < 200; i++) {
        put(store, "k" + i, "new");
      }
    }
    restore(LEDGER);
    forgetPartMarks();
    // The first to start leads, and its engine says nothing against the ledger.
    delete(part(ENGINE));
    assertRefusedElsewhere(2, "the ledger ends at position", "the engine of n2 holds records");
  }

  /** From then on the map stays as it is: each of two nodes has a copy of each of two ranges. */
  private static void awaitAllCopies(LocalCluster cluster) {
    Await.until(
        "each node has two copies",
        () -> cluster.nodes().stream().allMatch(node -> liveCopies(cluster, node) == 2));
  }

  private static long liveCopies(LocalCluster cluster, NodeId node) {
    return cluster.node(node).inspect(Duration.ofSeconds(30)).copies().stream()
        .filter(copy -> copy.state() == Copy.State.SERVING || copy.state() == Copy.State.FOLLOWING)
        .count();
  }

  @Test
  void anOlderClusterStateIsRefusedByANodeWithoutAnEngine() throws Exception {
    write("k", "old");
    keep(COORDINATION);
    write("k", "new");
    restore(COORDINATION);
    forgetPartMarks();
    delete(part(ENGINE));
    assertRefusedElsewhere(1, "the cluster state in coordination is older than the ledger");
  }

  // All of it.

  @Test
  void aWholeOlderDirectoryIsServed() throws Exception {
    write("k", "old");
    copy(directory(), temp.resolve("backup"));
    write("k", "new");
    copy(temp.resolve("backup"), directory());
    assertEquals("old", read("k"));
  }

  @Test
  void aStoreMadeBeforePartsWereMarkedIsAdopted() throws Exception {
    write("k", "old");
    forgetPartMarks();
    assertEquals("old", read("k"));
    try (Stream<Path> all = Files.walk(directory())) {
      List<Path> marks = all.filter(f -> f.getFileName().toString().equals(MARK)).toList();
      assertEquals(4, marks.size(), marks::toString);
    }
  }

  @Test
  void whatWasRefusedIsServedOnceThePartIsBack() throws Exception {
    write("k", "old");
    keep(LEDGER);
    keep(COORDINATION);
    write("k", "new");
    copy(part(LEDGER), temp.resolve("newer").resolve(LEDGER));
    copy(part(COORDINATION), temp.resolve("newer").resolve(COORDINATION));
    restore(LEDGER);
    assertRefused("ledger");
    copy(temp.resolve("newer").resolve(LEDGER), part(LEDGER));
    restore(COORDINATION);
    forgetPartMarks();
    delete(part(ENGINE));
    assertRefused("cluster state", "older");
    copy(temp.resolve("newer").resolve(COORDINATION), part(COORDINATION));
    forgetPartMarks();
    assertEquals("new", read("k"));
  }
}
