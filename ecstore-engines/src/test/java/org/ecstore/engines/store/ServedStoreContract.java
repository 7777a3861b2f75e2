package org.ecstore.engines.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.ecstore.core.port.Engine.MetadataEntry;
import org.ecstore.engines.EngineLockedException;
import org.ecstore.engines.EngineOpenException;
import org.ecstore.engines.OtherEngineException;
import org.ecstore.engines.store.OrderedStore.ScanBounds;
import org.ecstore.id.Position;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.model.Row;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a store behind a server promises beyond {@link OrderedStoreContract} (rule W10). */
public abstract class ServedStoreContract {
  protected static final ScanBounds WHOLE =
      new ScanBounds(false, Integer.MAX_VALUE, Integer.MAX_VALUE, false);

  /** More rows than a store takes in one step. */
  private static final int FOLDED = 2_100;

  private static int names;

  @TempDir private Path root;

  /** A store with a name of its own on the server, empty at first. */
  protected final String name = "contract_" + number();

  private static synchronized int number() {
    names++;
    return names;
  }

  private final Server server;
  private final Opening opening;

  /** A server as a process of these tests. */
  public interface Server {
    /** Where it serves, {@code host:port}. */
    String address();

    /** What stores on it are opened with: its address is in it. */
    String url();

    /** What is on the wire when a change of the row that has the value "held up" is committed. */
    String commitOfHeldUp();

    /** Stops it without ending it (SIGSTOP). */
    void pause() throws Exception;

    /** Lets it go on. */
    void resume() throws Exception;

    /** Kills it (SIGKILL) and starts it again. */
    void kill() throws Exception;
  }

  /** How a store is opened by its name, in this process or in another one. */
  public abstract static class Opening implements StoreChild.Opening {
    /** Opens a store; calls of it fail after a second without an answer. */
    protected abstract OrderedStore open(Path directory, String url, String store);

    @Override
    public final OrderedStore open(String place) {
      String[] parts = place.split(" ", -1);
      return open(Path.of(parts[0]), parts[1], parts[2]);
    }
  }

  protected ServedStoreContract(Server server, Opening opening) {
    this.server = server;
    this.opening = opening;
  }

  /** Opens the store of a name. */
  protected final OrderedStore open(Path directory, String store) {
    return opening.open(directory, server.url(), store);
  }

  /** Opens a store whose calls wait for an answer for longer than a server takes to start. */
  protected abstract OrderedStore openWithPatience(Path directory, String url, String store);

  /**
   * Where a fold of 2,100 rows and as many deletes is cut off, by what is on the wire of a store
   * that is open and has not been written to: before and behind each kind of step. One of an answer
   * that is lost is that of the last step.
   */
  protected abstract List<TappedLine.Cut> cutsOfAFold();

  /** A line to the server. */
  protected final TappedLine line() throws IOException {
    return new TappedLine(server.address());
  }

  /** What stores on the server are opened with that reach it by a line. */
  protected final String url(TappedLine line) {
    return server.url().replace(server.address(), line.address());
  }

  /** Starts a process that writes into the store of this test. */
  protected final StoreChild child(long batch) throws IOException {
    return StoreChild.start(
        opening.getClass(), directory() + " " + server.url() + " " + name, batch);
  }

  protected final Path directory() {
    return root.resolve("store");
  }

  protected static StoreBatch put(String key, long version, String value) {
    return new StoreBatch(
        List.of(new Row(Bytes.utf8(key), new Position(version), Bytes.utf8(value))),
        List.of(),
        List.of());
  }

  protected static List<Row> rows(OrderedStore store) {
    return store.scan(KeyRange.ALL, WHOLE).rows();
  }

  protected static StoreException.Reason reason(Runnable call) {
    return assertThrows(StoreException.class, call::run).reason();
  }

  /** Every call fails, and says that what was there is not. */
  protected static void assertLost(OrderedStore store) {
    for (Runnable call :
        List.<Runnable>of(
            () -> store.get(List.of(Bytes.utf8("a")), 100),
            () -> store.scan(KeyRange.ALL, WHOLE),
            () -> store.write(put("a", 9, "late")),
            () -> store.clear(KeyRange.ALL),
            store::metadata,
            store::sync,
            () -> store.size(KeyRange.ALL),
            () -> store.middle(KeyRange.ALL))) {
      assertEquals(StoreException.Reason.LOST, reason(call));
    }
  }

  /** Fails for want of a server at first, and then because that one has not what there was. */
  protected static void assertFoundLost(OrderedStore store) {
    assertEquals(
        StoreException.Reason.LOST,
        reason(
            () -> {
              while (true) {
                again(() -> store.get(List.of(Bytes.utf8("a")), 100));
              }
            }));
    assertLost(store);
  }

  /** Makes a call until the server answers it, or the store says more than that it does not. */
  protected static <T> T again(Supplier<T> call) {
    while (true) {
      try {
        return call.get();
      } catch (StoreException e) {
        // A test that takes too long is interrupted.
        if (e.reason() != StoreException.Reason.UNAVAILABLE
            || Thread.currentThread().isInterrupted()) {
          throw e;
        }
      }
    }
  }

  protected static void writeAgain(OrderedStore store, StoreBatch batch) {
    again(
        () -> {
          store.write(batch);
          return true;
        });
  }

  /** All rows after a fold: of even keys or of odd ones. */
  protected static List<Row> folded(long version) {
    return IntStream.range(0, FOLDED)
        .mapToObj(i -> Bytes.utf8("k" + (10_000 + 2 * i + version % 2)))
        .map(key -> new Row(key, new Position(version), Bytes.utf8("value")))
        .toList();
  }

  /** A fold: it puts its rows, deletes those of the fold before, and notes that. */
  protected static StoreBatch fold(long version) {
    Bytes note = Bytes.utf8(Long.toString(version));
    return new StoreBatch(
        folded(version),
        folded(version - 1).stream().map(Row::key).toList(),
        List.of(new MetadataEntry(Bytes.utf8("folded"), Optional.of(note))));
  }

  private static long note(OrderedStore store) {
    return Long.parseLong(store.metadata().getFirst().value().orElseThrow().toUtf8());
  }

  /**
   * Cuts folds off, each at another place, and does some work to the server meanwhile. Each time
   * the store goes on: there is no note of the fold without all of it, and made again it is whole.
   */
  protected final void cutFoldsOff(Runnable work) throws IOException {
    try (OrderedStore store = openWithPatience(directory(), server.url(), name)) {
      store.write(fold(1));
    }
    int parts = 0;
    long version = 1;
    for (TappedLine.Cut cut : cutsOfAFold()) {
      version++;
      long next = version;
      try (TappedLine line = line();
          OrderedStore store = openWithPatience(directory(), url(line), name)) {
        line.cutAt(cut, work);
        assertEquals(
            StoreException.Reason.UNAVAILABLE,
            reason(() -> store.write(fold(next))),
            cut::toString);
        assertFalse(line.isWhole(), cut::toString);
        List<Row> left = again(() -> rows(store));
        assertEquals(cut.isAnswered() ? next : next - 1, again(() -> note(store)), cut::toString);
        if (cut.isAnswered()) {
          assertEquals(folded(next), left);
        } else {
          Set<Row> either = new HashSet<>(folded(next - 1));
          either.addAll(folded(next));
          assertTrue(either.containsAll(left), cut::toString);
          parts += left.equals(folded(next - 1)) ? 0 : 1;
        }
        writeAgain(store, fold(next));
        assertEquals(next, note(store));
        assertEquals(folded(next), rows(store));
      }
    }
    assertTrue(parts > 1, parts + " of the cuts left a part");
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.sorted().toList()) {
        Files.copy(file, to.resolve(from.relativize(file).toString()));
      }
    }
  }

  private static void signal(String name, long pid) throws Exception {
    assertEquals(0, new ProcessBuilder("sh", "-c", "kill -" + name + " " + pid).start().waitFor());
  }

  @Test
  void aDirectoryIsOfOneStoreAtATime() {
    try (OrderedStore store = open(directory(), name)) {
      assertThrows(EngineLockedException.class, () -> open(directory(), name));
      store.write(put("a", 1, "x"));
    }
  }

  /** All that it has is on the server: an engine of another kind would begin with nothing. */
  @Test
  void theDirectoryOfAStoreThatWasOpenedIsNoOtherKinds() {
    open(directory(), name).close();
    assertThrows(
        OtherEngineException.class,
        () -> HeldDirectory.take(directory(), new StoreDirectory.Format("other", 1)));
  }

  /** And the store that has it goes on as if that had not been tried. */
  @Test
  void whatAnotherDirectoryHasOnTheServerIsRefused() {
    try (OrderedStore store = open(directory(), name)) {
      store.write(put("a", 1, "x"));
      for (int i = 2; i < 5; i++) {
        EngineOpenException refused =
            assertThrows(EngineOpenException.class, () -> open(root.resolve("other"), name));
        String why = String.valueOf(refused.getMessage());
        assertTrue(why.contains("another directory"), why);
        assertTrue(why.contains("cluster.name"), why);
        store.write(put("a", i, "y"));
      }
    }
    try (OrderedStore store = open(directory(), name)) {
      assertEquals(1, rows(store).size());
    }
  }

  @Test
  void severalStoresShareAServer() {
    try (OrderedStore one = open(directory(), name);
        OrderedStore other = open(root.resolve("other"), name + "b")) {
      one.write(put("a", 1, "x"));
      other.write(put("a", 2, "y"));
      other.clear(KeyRange.ALL);
      assertEquals(1, rows(one).size());
      assertEquals(0, rows(other).size());
    }
  }

  @Test
  void aStoreThatAnotherTookOverAnswersNoMore() throws Exception {
    try (OrderedStore old = open(directory(), name)) {
      old.write(put("a", 1, "old"));
      copy(directory(), root.resolve("elsewhere"));
      try (OrderedStore successor = open(root.resolve("elsewhere"), name)) {
        assertEquals(1, rows(successor).size());
        successor.write(put("a", 2, "new"));
        assertEquals(StoreException.Reason.LOST, reason(() -> rows(old)));
        assertLost(old);
        assertEquals("new", rows(successor).getFirst().value().toUtf8());
      }
    }
  }

  @Test
  void whatAPredecessorWritesTakesNoEffect() throws Exception {
    aPredecessorChangesNothing(server.url());
  }

  /** Two instances, of which the first writes once more when the second has taken over. */
  protected final void aPredecessorChangesNothing(String url) throws Exception {
    Path elsewhere = root.resolve("elsewhere");
    try (OrderedStore old = opening.open(directory(), url, name)) {
      old.write(put("a", 1, "old"));
      copy(directory(), elsewhere);
      try (OrderedStore successor = opening.open(elsewhere, url, name)) {
        successor.write(put("a", 2, "new"));
        try {
          writeAgain(old, put("a", 3, "late"));
        } catch (StoreException e) {
          assertEquals(StoreException.Reason.LOST, e.reason());
        }
        assertEquals("new", again(() -> rows(successor)).getFirst().value().toUtf8());
      }
    }
  }

  /** Whichever read is the first one: none answers by what it has not looked at. */
  @Test
  void eachReadFindsOutThatAnotherTookTheStoreOver() throws Exception {
    Bytes longKey = Bytes.wrap(new byte[4_000]);
    int copies = 0;
    for (Consumer<OrderedStore> read :
        List.<Consumer<OrderedStore>>of(
            store -> store.get(List.of(Bytes.utf8("a")), 100),
            store -> store.get(List.of(longKey), 100),
            store -> store.scan(KeyRange.ALL, WHOLE),
            store -> store.scan(KeyRange.single(longKey), WHOLE),
            OrderedStore::metadata,
            store -> store.size(KeyRange.ALL),
            store -> store.middle(KeyRange.ALL))) {
      copies++;
      Path elsewhere = root.resolve("elsewhere" + copies);
      try (OrderedStore old = open(directory(), name)) {
        copy(directory(), elsewhere);
        try (OrderedStore successor = open(elsewhere, name)) {
          successor.write(put("a", copies, "new"));
          assertEquals(StoreException.Reason.LOST, reason(() -> read.accept(old)), "" + copies);
        }
      }
    }
  }

  @Test
  @Timeout(120)
  void aPausedProcessChangesNothingAfterItsSuccessor() throws Exception {
    Path elsewhere = root.resolve("elsewhere");
    try (StoreChild child = child(1)) {
      child.awaitWritten(50);
      signal("STOP", child.pid());
      copy(directory(), elsewhere);
      try (OrderedStore successor = open(elsewhere, name)) {
        long sequence = StoreChild.sequence(successor);
        assertTrue(sequence >= child.written());
        assertEquals(StoreChild.rows(sequence), rows(successor));
        successor.clear(KeyRange.ALL);
        successor.write(put("a", 1_000_000, "new"));
        signal("CONT", child.pid());
        child.awaitEnd();
        assertFalse(child.failure().isEmpty(), "it was told that its store is lost");
        assertEquals(
            List.of("new"), rows(successor).stream().map(r -> r.value().toUtf8()).toList());
        assertEquals(sequence, StoreChild.sequence(successor));
      }
    }
  }

  @Test
  @Timeout(120)
  void callsToAServerThatHangsFailAndNoneOfThemTakesEffectBehindALaterOne() throws Exception {
    try (OrderedStore store = open(directory(), name)) {
      store.write(put("a", 1, "before"));
      server.pause();
      try {
        assertEquals(
            StoreException.Reason.UNAVAILABLE, reason(() -> store.write(put("a", 2, "hung"))));
        assertEquals(
            StoreException.Reason.UNAVAILABLE, reason(() -> store.write(put("a", 3, "hung"))));
        assertEquals(
            StoreException.Reason.UNAVAILABLE, reason(() -> store.get(List.of(Bytes.EMPTY), 1)));
        assertEquals(StoreException.Reason.UNAVAILABLE, reason(store::sync));
      } finally {
        server.resume();
      }
      writeAgain(store, put("a", 4, "after"));
      for (int i = 0; i < 20; i++) {
        store.write(put("b" + i, 5, "more"));
        Optional<Row> row = store.get(List.of(Bytes.utf8("a")), 100).getFirst();
        assertEquals("after", row.orElseThrow().value().toUtf8());
      }
      store.sync();
    }
  }

  /**
   * A commit whose connection lives on: the server has it when a later write was confirmed, though
   * the one that sent it has given it up.
   */
  @Test
  @Timeout(120)
  void aCommitThatArrivesLateTakesNoEffectBehindALaterOne() throws Exception {
    try (TappedLine line = line()) {
      aLateCommitTakesNoEffect(line);
    }
  }

  /** By a line that holds a commit up. */
  protected final void aLateCommitTakesNoEffect(TappedLine line) throws Exception {
    try (OrderedStore store = opening.open(directory(), url(line), name)) {
      store.write(put("a", 1, "before"));
      line.holdAt(server.commitOfHeldUp());
      assertEquals(
          StoreException.Reason.UNAVAILABLE, reason(() -> store.write(put("a", 2, "held up"))));
      line.awaitHungUp();
      assertEquals("before", rows(store).getFirst().value().toUtf8());
      writeAgain(store, put("a", 3, "after"));
      line.release();
      assertEquals("after", rows(store).getFirst().value().toUtf8());
      store.write(put("b", 4, "more"));
      store.sync();
      assertEquals(
          List.of("after", "more"), rows(store).stream().map(row -> row.value().toUtf8()).toList());
    }
  }

  @Test
  @Timeout(240)
  void aFoldThatIsCutOffAnywhereHasNoNoteWithoutTheRestAndIsMadeAgain() throws Exception {
    cutFoldsOff(() -> {});
  }

  @Test
  void aServerThatHangsWhileAStoreIsOpenedIsToldOf() throws Exception {
    server.pause();
    try {
      EngineOpenException refused =
          assertThrows(EngineOpenException.class, () -> open(directory(), name));
      assertFalse(refused instanceof EngineLockedException);
    } finally {
      server.resume();
    }
    open(directory(), name).close();
  }
}
