package org.ecstore.engines.mysql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.ecstore.core.port.EngineResult;
import org.ecstore.engines.EngineOpenException;
import org.ecstore.engines.store.OrderedStore;
import org.ecstore.engines.store.OrderedStore.ScanBounds;
import org.ecstore.engines.store.Ownership;
import org.ecstore.engines.store.RowPage;
import org.ecstore.engines.store.ServedStoreContract;
import org.ecstore.engines.store.StoreBatch;
import org.ecstore.engines.store.StoreChild;
import org.ecstore.engines.store.StoreException;
import org.ecstore.engines.store.TappedLine;
import org.ecstore.id.Position;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.model.Row;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.ResourceLock;

/** The store against a server that is killed, stopped, filled and set in other ways. */
@ResourceLock(MariaDbUnderTest.LOCK)
public final class MysqlServedTest extends ServedStoreContract {
  private final MariaDbUnderTest database = MariaDbUnderTest.get();

  /** How a store on it is opened. */
  public static final class Opening extends ServedStoreContract.Opening {
    @Override
    protected OrderedStore open(Path directory, String url, String store) {
      return MysqlStore.open(directory, MariaDbUnderTest.hasty(url, store));
    }
  }

  MysqlServedTest() {
    super(MariaDbUnderTest.get(), new Opening());
  }

  @Override
  protected OrderedStore openWithPatience(Path directory, String url, String store) {
    return MysqlStore.open(directory, MariaDbUnderTest.settings(url, store));
  }

  /**
   * Of three transactions: of rows, of rows and deletes, of deletes and the note. What is prepared
   * is told once a connection, and the rest by numbers.
   */
  @Override
  protected List<TappedLine.Cut> cutsOfAFold() {
    Tables tables = new Tables(name);
    // A packet of seven bytes, the first one of an exchange, with a query.
    String commit = "\u0007\0\0\0\u0003COMMIT";
    return List.of(
        new TappedLine.Cut(tables.put(), 1, false),
        new TappedLine.Cut(commit, 1, false),
        new TappedLine.Cut(tables.delete(), 1, false),
        new TappedLine.Cut(commit, 2, false),
        new TappedLine.Cut(tables.note(), 1, false),
        new TappedLine.Cut(commit, 3, false),
        new TappedLine.Cut(commit, 3, true));
  }

  @Test
  @Tag("slow")
  @Timeout(240)
  void aServerKilledBetweenRowsDeletesAndNotesOfAFoldHasNoNoteWithoutTheRest() throws Exception {
    cutFoldsOff(database::killNow);
  }

  @Test
  @Timeout(120)
  void aServerKilledInMidWriteLosesNoneOfWhatItConfirmed() throws Exception {
    long kept = 0;
    for (int kill = 0; kill < 3; kill++) {
      StoreChild child = child(kept + 1);
      try (child) {
        child.awaitWritten(kept + 40);
        database.kill();
        // It goes on with the batch whose outcome it does not know.
        child.awaitWritten(child.written() + 40);
      }
      assertEquals("", child.failure());
      try (OrderedStore store = open(directory(), name)) {
        kept = StoreChild.sequence(store);
        assertTrue(kept >= child.written(), kept + " of " + child.written());
        assertEquals(StoreChild.rows(kept), rows(store));
      }
    }
  }

  /** No answer is waited for that could come too late: what is sent finds no more room. */
  @Test
  @Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void aWriteToAServerThatReadsNoMoreIsGivenUp() throws Exception {
    List<Row> rows = new ArrayList<>();
    rows.add(new Row(key("a", 0), new Position(1), Bytes.utf8("<stalled>")));
    for (int i = 1; i < 30; i++) {
      rows.add(row(key("a", i), 500_000));
    }
    try (TappedLine line = line();
        OrderedStore store =
            MysqlStore.open(directory(), MariaDbUnderTest.hasty(url(line), name))) {
      store.write(put("a", 1, "before"));
      line.stallAt("<stalled>");
      assertEquals(
          StoreException.Reason.UNAVAILABLE,
          reason(() -> store.write(new StoreBatch(rows, List.of(), List.of()))));
      assertEquals(1, again(() -> rows(store)).size());
      writeAgain(store, put("a", 2, "after"));
      assertEquals("after", again(() -> rows(store)).getFirst().value().toUtf8());
    }
  }

  @Test
  @Timeout(60)
  void aServerThatLostWhatItHadConfirmedIsFoundOut() throws Exception {
    try (OrderedStore store = open(directory(), name)) {
      store.write(put("a", 1, "on disk"));
      database.asRoot("SET GLOBAL innodb_flush_log_at_trx_commit = 0");
      store.write(put("a", 2, "not on disk"));
      assertEquals(StoreException.Reason.UNAVAILABLE, reason(store::sync), "it is set wrongly");
      database.kill();
      assertFoundLost(store);
    }
    try (OrderedStore store = open(directory(), name)) {
      assertEquals("on disk", rows(store).getFirst().value().toUtf8());
    }
  }

  @Test
  void aServerThatConfirmsBeforeItsDiskDoesIsRefused() throws Exception {
    database.asRoot("SET GLOBAL innodb_flush_log_at_trx_commit = 2");
    try {
      EngineOpenException refused =
          assertThrows(EngineOpenException.class, () -> open(directory(), name));
      assertTrue(
          String.valueOf(refused.getMessage()).contains("innodb_flush_log_at_trx_commit"),
          refused::getMessage);
    } finally {
      database.asRoot("SET GLOBAL innodb_flush_log_at_trx_commit = 1");
    }
    open(directory(), name).close();
  }

  /** MariaDB does not sync that log if it is not told to. */
  @Test
  void aServerWhoseBinaryLogIsNotOnDiskWithACommitIsRefused() {
    for (long syncs : new long[] {0, 2, 100}) {
      String why = MysqlServer.notDurable(1, true, syncs).orElseThrow();
      assertTrue(why.startsWith("sync_binlog of the server is " + syncs + ", and"), why);
      assertTrue(why.endsWith("; set it to 1"), why);
      assertEquals(Optional.empty(), MysqlServer.notDurable(1, false, syncs), "it has none");
      assertEquals(Optional.empty(), MysqlServer.notDurable(3, true, syncs), "on disk by itself");
    }
    assertEquals(Optional.empty(), MysqlServer.notDurable(1, true, 1));
    for (int flushes : new int[] {0, 2}) {
      String why = MysqlServer.notDurable(flushes, true, 1).orElseThrow();
      assertTrue(why.startsWith("innodb_flush_log_at_trx_commit"), why);
    }
  }

  @Test
  void aServerThatTakesNoRowOfTheGreatestLengthIsRefused() throws Exception {
    database.asRoot("SET GLOBAL max_allowed_packet = 1048576");
    try {
      EngineOpenException refused =
          assertThrows(EngineOpenException.class, () -> open(directory(), name));
      assertTrue(
          String.valueOf(refused.getMessage()).contains("max_allowed_packet"), refused::getMessage);
    } finally {
      database.asRoot("SET GLOBAL max_allowed_packet = 2097152");
    }
  }

  /** It would have scans end early, as if there were no more. */
  @Test
  void aLimitThatAServerSetsForItsSessionsTakesNoRowsFromScans() throws Exception {
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      rows.add(row(key("a", i), i % 3));
      rows.add(row(longKey('z', i), i % 3));
    }
    database.asRoot("SET GLOBAL sql_select_limit = 7");
    try (OrderedStore store = MysqlStore.open(directory(), database.settings(name))) {
      store.write(new StoreBatch(rows, List.of(), List.of()));
      assertEquals(rows.size(), rows(store).size());
      ScanBounds reverse = new ScanBounds(true, 1_000, Integer.MAX_VALUE, true);
      assertEquals(rows.size(), store.scan(KeyRange.ALL, reverse).rows().size());
      List<Bytes> keys = rows.stream().map(Row::key).toList();
      assertEquals(rows.stream().map(Optional::of).toList(), store.get(keys, Integer.MAX_VALUE));
      assertEquals(rows.size(), store.size(KeyRange.ALL).records());
      store.clear(KeyRange.ALL);
      assertEquals(List.of(), rows(store));
    } finally {
      database.asRoot("SET GLOBAL sql_select_limit = DEFAULT");
    }
  }

  /** As one is that takes too long for its many rows: each of these waits for a lock. */
  @Test
  @Timeout(120)
  void aClearThatFailedGoesOnInSmallerSteps() throws Exception {
    MysqlSettings settings = database.settings(name).withAnswerWithin(Duration.ofSeconds(4));
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < 4_000; i++) {
      rows.add(row(key("a", i), 1));
    }
    try (OrderedStore store = MysqlStore.open(directory(), settings)) {
      store.write(new StoreBatch(rows, List.of(), List.of()));
      try (Connection other = DriverManager.getConnection(database.urlOf("root"));
          Statement lock = other.createStatement()) {
        other.setAutoCommit(false);
        lock.execute("SELECT v FROM " + new Tables(name).rows() + " WHERE k = 'a13000' FOR UPDATE");
        for (int left : new int[] {4_000, 1_500}) {
          assertEquals(StoreException.Reason.UNAVAILABLE, reason(() -> store.clear(KeyRange.ALL)));
          assertEquals(left, again(() -> rows(store)).size(), "the first half of 5,000 rows");
        }
        other.rollback();
      }
      assertTrue(
          again(
              () -> {
                store.clear(KeyRange.ALL);
                return true;
              }));
      assertEquals(List.of(), rows(store));
    }
  }

  @Test
  void tablesThatAreGoneAreALossAndNoEmptyStore() throws Exception {
    try (OrderedStore store = open(directory(), name)) {
      store.write(put("a", 1, "x"));
      database.asRoot("DROP TABLE ecstore." + new Tables(name).owner());
      assertLost(store);
    }
  }

  private static Row row(Bytes key, int valueBytes) {
    byte[] value = new byte[valueBytes];
    Arrays.fill(value, (byte) valueBytes);
    return new Row(key, new Position(valueBytes), Bytes.wrap(value));
  }

  /** A few at a time. */
  private static void writeAll(OrderedStore store, List<Row> rows) {
    for (int i = 0; i < rows.size(); i += 5) {
      List<Row> some = rows.subList(i, Math.min(rows.size(), i + 5));
      store.write(new StoreBatch(some, List.of(), List.of()));
    }
  }

  private static Bytes key(String begin, int number) {
    return Bytes.utf8(begin + (10_000 + number));
  }

  /** A key of the same first bytes as all others of a letter, as many as the index has. */
  private static Bytes longKey(char letter, int number) {
    return key(String.valueOf(letter).repeat(Tables.INDEXED_BYTES_MAX), number);
  }

  /** The server takes 2 MiB in one, and a step of a batch may have 8 MiB. */
  @Test
  void aStepIsInAsManyPacketsAsTheServerTakes() {
    List<Row> rows = new ArrayList<>();
    List<Bytes> absent = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      rows.add(row(key("a", i), 300_000));
    }
    for (int i = 0; i < 12; i++) {
      rows.add(row(longKey('z', i), 300_000));
    }
    for (int i = 0; i < 1_000; i++) {
      absent.add(key("b".repeat(Tables.INDEXED_BYTES_MAX - 5), i));
    }
    try (OrderedStore store = MysqlStore.open(directory(), database.settings(name))) {
      store.write(new StoreBatch(rows, absent, List.of()));
      assertEquals(rows, rows(store));
    }
  }

  /** What this thread allocates by a call: no less than what it holds at any time. */
  private static long allocated(Runnable call) {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    call.run();
    return threads.getCurrentThreadAllocatedBytes() - before;
  }

  /**
   * A read holds what it is asked for and some values of the greatest length, in the driver's
   * packets and once more as values, and not the rows that follow: behind short rows by which it
   * goes there are 25 MiB in rows, and as much in rows of long keys that begin alike.
   */
  @Test
  void aReadHoldsNoMoreThanItIsAskedForWhateverFollows() {
    try (OrderedStore store = MysqlStore.open(directory(), database.settings(name))) {
      List<Row> shorts = new ArrayList<>();
      List<Row> others = new ArrayList<>();
      for (int i = 0; i < 4_000; i++) {
        shorts.add(row(key("a", i), 1));
      }
      for (int i = 0; i < 100; i++) {
        others.add(row(key("b", i), 256 << 10));
        others.add(row(longKey('z', i), 256 << 10));
      }
      store.write(new StoreBatch(shorts, List.of(), List.of()));
      writeAll(store, others);
      List<Bytes> keys = others.stream().map(Row::key).toList();
      KeyRange indexed = KeyRange.of(Bytes.utf8("b"), Bytes.utf8("c"));
      KeyRange behind = KeyRange.from(Bytes.utf8("c"));
      for (boolean reverse : new boolean[] {false, true}) {
        ScanBounds bytes = new ScanBounds(reverse, Integer.MAX_VALUE, 300 << 10, false);
        ScanBounds one = new ScanBounds(reverse, 1, Integer.MAX_VALUE, false);
        for (Runnable call :
            List.<Runnable>of(
                () -> assertEquals(2, store.scan(indexed, bytes).rows().size()),
                () -> assertEquals(2, store.scan(behind, bytes).rows().size()),
                () -> assertEquals(1, store.scan(behind, one).rows().size()),
                () -> assertEquals(2, store.get(keys, 300 << 10).size()))) {
          // By these it expects that rows are short.
          assertEquals(4_000, store.scan(KeyRange.prefix(Bytes.utf8("a")), WHOLE).rows().size());
          long bytesHeld = allocated(call);
          assertTrue(bytesHeld < 8 << 20, bytesHeld + " bytes");
        }
      }
    }
  }

  /** Of values that are left out of a page, and of those that are not, none gets lost. */
  @Test
  void rowsOfAllLengthsComeInTheirOrderWhateverIsAskedFor() {
    List<Row> all = new ArrayList<>();
    for (int i = 0; i < 120; i++) {
      int valueBytes = i % 40 == 39 ? 400_000 : i % 7 == 6 ? 20_000 : i;
      all.add(row(key("a", i), valueBytes));
      all.add(row(longKey('b', i), valueBytes));
      all.add(row(longKey("cde".charAt(i % 3), i), valueBytes));
    }
    all.sort(Comparator.comparing(Row::key));
    try (OrderedStore store = MysqlStore.open(directory(), database.settings(name))) {
      writeAll(store, all);
      int most = Integer.MAX_VALUE;
      for (int[] limits : new int[][] {{most, 1}, {3, most}, {50, 900_000}, {most, 30_000}}) {
        int records = limits[0];
        int bytes = limits[1];
        assertEquals(all, inParts(store, new ScanBounds(false, records, bytes, false)));
        assertEquals(all.reversed(), inParts(store, new ScanBounds(true, records, bytes, false)));
      }
      assertEquals(all, rows(store));
      List<Bytes> keys = all.stream().map(Row::key).toList();
      List<Optional<Row>> found = new ArrayList<>();
      while (found.size() < all.size()) {
        found.addAll(store.get(keys.subList(found.size(), keys.size()), 100_000));
      }
      assertEquals(all.stream().map(Optional::of).toList(), found);
    }
  }

  /** A scan that goes on behind what it found; each part ends where a bound says. */
  private static List<Row> inParts(OrderedStore store, ScanBounds bounds) {
    List<Row> found = new ArrayList<>();
    KeyRange rest = KeyRange.ALL;
    EngineResult.Rows part;
    do {
      part = store.scan(rest, bounds);
      RowPage page = new RowPage(bounds);
      for (Row row : part.rows()) {
        assertFalse(page.isFull(), "it has ended before");
        page.add(row);
      }
      assertEquals(part, page.result());
      found.addAll(part.rows());
      if (!part.complete()) {
        Bytes last = found.getLast().key();
        rest = bounds.reverse() ? KeyRange.of(Bytes.EMPTY, last) : KeyRange.from(last.successor());
      }
    } while (!part.complete());
    return found;
  }

  /** As MariaDB and MySQL word it. */
  @Test
  void aFullDiskIsNoRoomAndAnotherErrorOfTheSystemIsNot() {
    assertEquals(
        StoreException.Reason.NO_ROOM,
        ofSystem("Got error 28 \"No space left on device\" from storage engine InnoDB"));
    assertEquals(
        StoreException.Reason.NO_ROOM,
        ofSystem("Got error 28 - 'No space left on device' from storage engine"));
    assertEquals(
        StoreException.Reason.NO_ROOM, ofSystem("Error writing file 'x' (errno: 28 \"No space\")"));
    assertEquals(
        StoreException.Reason.UNAVAILABLE,
        ofSystem("Got error 128 \"Out of memory in engine\" from storage engine InnoDB"));
  }

  private StoreException.Reason ofSystem(String text) {
    return new MysqlServer(database.settings(name))
        .failed("write", new SQLException(text, "HY000", 1030), new Ownership("token", 0))
        .reason();
  }

  @Test
  void aFullServerSaysSoAndGoesOnWhenThereIsRoom() throws Exception {
    database.asRoot("SET GLOBAL innodb_file_per_table = OFF");
    try (OrderedStore store = MysqlStore.open(directory(), database.settings(name))) {
      List<Row> rows = new ArrayList<>();
      for (int i = 0; i < 500; i++) {
        rows.add(new Row(Bytes.utf8("k" + i), new Position(1), Bytes.wrap(new byte[4_000])));
      }
      StoreException full = null;
      for (int i = 0; full == null; i++) {
        assertTrue(i < 100, "it is never full");
        long version = i;
        List<Row> more =
            rows.stream()
                .map(
                    r -> new Row(r.key().concat(Bytes.utf8("." + version)), r.version(), r.value()))
                .toList();
        try {
          store.write(new StoreBatch(more, List.of(), List.of()));
        } catch (StoreException e) {
          full = e;
        }
      }
      assertEquals(StoreException.Reason.NO_ROOM, full.reason(), full::getMessage);
      assertTrue(store.size(KeyRange.ALL).records() > 0);
      store.clear(KeyRange.ALL);
      writeAgain(store, put("a", 1, "fits"));
      assertEquals("fits", rows(store).getFirst().value().toUtf8());
    } finally {
      database.asRoot("SET GLOBAL innodb_file_per_table = ON");
    }
  }
}
