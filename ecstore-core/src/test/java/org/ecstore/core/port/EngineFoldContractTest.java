package org.ecstore.core.port;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.ecstore.core.port.Engine.EngineBatch;
import org.ecstore.core.port.Engine.VersionedWrite;
import org.ecstore.id.Position;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.model.Row;
import org.junit.jupiter.api.Test;

/**
 * The part of the contract of {@link Engine} that is about folds, and about reads beside them and
 * beside other changes: through the position of a fold one version of each key is left, in the
 * store, and nothing is answered below it.
 */
public abstract class EngineFoldContractTest extends EngineContractTest {
  private static final Position END = new Position(Long.MAX_VALUE);

  private void assertTooOld(long token, long least) {
    EngineResult.TooOld tooOld = assertInstanceOf(EngineResult.TooOld.class, driver().await(token));
    assertEquals(new Position(least), tooOld.least());
  }

  private void assertTooOld(String key, long at, long least) {
    List<Bytes> keys = List.of(Bytes.utf8(key));
    Position position = new Position(at);
    long read = driver().nextToken();
    driver().engine().read(read, keys, position);
    assertTooOld(read, least);
    long newest = driver().nextToken();
    driver().engine().newest(newest, keys, List.of(), position);
    assertTooOld(newest, least);
    long newestOfAll = driver().nextToken();
    driver().engine().newest(newestOfAll, List.of(), List.of(KeyRange.ALL), position);
    assertTooOld(newestOfAll, least);
    for (boolean reverse : new boolean[] {false, true}) {
      long scan = driver().nextToken();
      driver().engine().scan(scan, spec(KeyRange.ALL, at, reverse, 10, 1000));
      assertTooOld(scan, least);
    }
  }

  @Test
  public void aFoldKeepsWhatIsReadFromItsPositionOn() {
    EngineDriver driver = driver();
    driver.write(put("a", 1, "1"), put("a", 3, "3"), put("a", 5, "5"), put("a", 9, "9"));
    driver.write(put("b", 6, "6"), put("c", 5, "5"));
    driver.fold(KeyRange.ALL, 5, 5);
    assertTooOld("a", 4, 5);
    assertTooOld("x", 0, 5);
    assertEquals(Optional.of("5"), driver.read("a", 5));
    assertEquals(Optional.of("9"), driver.read("a", 9));
    assertEquals(Optional.empty(), driver.read("b", 5));
    assertEquals(Optional.of("6"), driver.read("b", 6));
    assertEquals(Optional.of("5"), driver.read("c", 5));
    driver.fold(KeyRange.ALL, 9, 9);
    assertTooOld("a", 8, 9);
    assertEquals(Optional.of("9"), driver.read("a", 9));
    assertEquals(Optional.of("6"), driver.read("b", 10));
    assertEquals(
        Optional.empty(), driver.newest(List.of(), List.of(KeyRange.ALL), new Position(9)));
  }

  @Test
  public void aTombstoneTakesTheRowWithItThatItHides() {
    EngineDriver driver = driver();
    for (String key : List.of("a", "b", "c")) {
      driver.put(key, 1, "old");
    }
    driver.fold(KeyRange.ALL, 1, 1);
    driver.write(tombstone("a", 4), tombstone("b", 6), tombstone("c", 11), put("d", 4, "live"));
    driver.fold(KeyRange.ALL, 5, 5);
    assertEquals(Optional.empty(), driver.read("a", 5));
    assertEquals(Optional.of("old"), driver.read("b", 5), "nothing goes above the fold");
    assertEquals(
        new Position(6),
        driver.newest(List.of(Bytes.utf8("b")), List.of(), new Position(5)).get().version());
    assertEquals(Optional.of("old"), driver.read("c", 10));
    assertEquals(Optional.of("live"), driver.read("d", 10));
    driver.fold(KeyRange.ALL, 20, 20);
    for (String gone : List.of("a", "b", "c")) {
      assertEquals(Optional.empty(), driver.read(gone, 20));
    }
    assertEquals(1, driver.scanAll(KeyRange.ALL, new Position(20), true, false).size());
  }

  @Test
  public void aFoldKeepsToItsInterval() {
    EngineDriver driver = driver();
    for (Bytes key : HARD_KEYS) {
      driver.write(put(key, 1, Bytes.EMPTY), put(key, 2, Bytes.EMPTY));
    }
    List<Bytes> sorted = new ArrayList<>(new TreeSet<>(HARD_KEYS));
    for (int i = 0; i < sorted.size(); i++) {
      KeyRange left = KeyRange.from(sorted.get(i));
      assertEquals(sorted.size() - i, driver.scanAll(left, new Position(1), false, true).size());
      KeyRange one = i + 1 == sorted.size() ? left : KeyRange.of(sorted.get(i), sorted.get(i + 1));
      driver.fold(one, 2, 2);
      long scan = driver.nextToken();
      driver.engine().scan(scan, spec(one, 1, false, 10, 1000));
      assertTooOld(scan, 2);
      assertEquals(1, driver.scanAll(one, new Position(2), false, true).size());
    }
    assertEquals(sorted.size(), driver.scanAll(KeyRange.ALL, new Position(2), true, true).size());
  }

  @Test
  public void readsGoOnBesideAFoldOfMuch() {
    EngineDriver driver = driver();
    List<VersionedWrite> writes = new ArrayList<>();
    for (int i = 1; i <= 3000; i++) {
      writes.add(put("many", i, ""));
      writes.add(put("k" + i, 1, ""));
      writes.add(put("k" + i, 2, ""));
    }
    driver.apply(new EngineBatch(writes, List.of()));
    long fold = driver.nextToken();
    driver.engine().fold(fold, KeyRange.ALL, new Position(3000), new Position(3000));
    long read = driver.nextToken();
    driver.engine().scan(read, spec(KeyRange.ALL, 3000, true, 10_000, 1 << 20));
    EngineResult.Rows rows = assertInstanceOf(EngineResult.Rows.class, driver.await(read));
    assertEquals(3001, rows.rows().size());
    assertInstanceOf(EngineResult.Folded.class, driver.await(fold));
    assertEquals(3001, driver.scanAll(KeyRange.ALL, new Position(3000), false, false).size());
  }

  /** What a key was for those who read below: a row of the store, none, a version of the window. */
  @Test
  public void aFoldAheadOfItsReadersLeavesThemWhatTheyRead() {
    EngineDriver driver = driver();
    driver.write(put("a", 1, "1"), put("b", 1, "1"), put("c", 1, "1"), put("u", 1, "1"));
    driver.fold(KeyRange.ALL, 2, 2);
    driver.write(put("a", 5, "5"), tombstone("b", 5), put("c", 3, "3"), put("c", 6, "6"));
    driver.write(put("d", 5, "5"), put("e", 4, "4"), tombstone("e", 6));
    for (long through : new long[] {5, 6, 8}) {
      driver.fold(KeyRange.ALL, 2, through);
      assertTooOld("a", 1, 2);
      assertEquals(List.of("a1", "b1", "c1", "u1"), rows(2));
      assertEquals(List.of("a1", "b1", "c3", "e4", "u1"), rows(4));
      assertEquals(List.of("a5", "c3", "d5", "e4", "u1"), rows(5));
      assertEquals(List.of("a5", "c6", "d5", "u1"), rows(6));
      assertEquals(Optional.empty(), driver.read("d", 4));
      assertEquals(Optional.of("1"), driver.read("b", 4));
      assertEquals(
          new Position(6),
          driver.newest(List.of(Bytes.utf8("e")), List.of(), new Position(4)).get().version());
      assertEquals(
          Optional.empty(), driver.newest(List.of(Bytes.utf8("u")), List.of(), new Position(2)));
    }
    driver.fold(KeyRange.ALL, 5, 8);
    assertTooOld("a", 4, 5);
    assertEquals(List.of("a5", "c3", "d5", "e4", "u1"), rows(5));
    assertEquals(List.of("a5", "c6", "d5", "u1"), rows(6));
    driver.fold(KeyRange.ALL, 8, 8);
    assertEquals(List.of("a5", "c6", "d5", "u1"), rows(8));
  }

  private List<String> rows(long at) {
    List<String> forward =
        driver().scanAll(KeyRange.ALL, new Position(at), false, false).stream()
            .map(row -> row.key().toUtf8() + row.version().value())
            .toList();
    assertEquals(
        forward.reversed(),
        driver().scanAll(KeyRange.ALL, new Position(at), true, false).stream()
            .map(row -> row.key().toUtf8() + row.version().value())
            .toList());
    return forward;
  }

  @Test
  public void aWriteAtOrBelowWhatIsFoldedIsDropped() {
    EngineDriver driver = driver();
    EngineBatch early = batch(put("a", 3, "three"), put("b", 3, "three"));
    driver.apply(early);
    driver.write(put("a", 5, "five"), tombstone("b", 5));
    driver.fold(KeyRange.ALL, 5, 5);
    driver.apply(early);
    assertEquals(Optional.of("five"), driver.read("a", 5));
    assertEquals(Optional.empty(), driver.read("b", 5), "a late write brings nothing back");
    assertEquals(Optional.empty(), driver.read("b", 9));
    driver.fold(KeyRange.ALL, 9, 9);
    assertEquals(Optional.empty(), driver.read("b", 9));
    driver.write(put("b", 10, "ten"));
    assertEquals(Optional.of("ten"), driver.read("b", 10));
  }

  @Test
  public void aFoldNeverGoesBackBehindOneBefore() {
    EngineDriver driver = driver();
    driver.write(put("a", 5, "five"), put("a", 8, "eight"));
    driver.fold(KeyRange.ALL, 8, 8);
    driver.fold(KeyRange.ALL, 5, 5);
    driver.fold(KeyRange.single(Bytes.utf8("a")), 7, 7);
    assertEquals(Optional.of("eight"), driver.read("a", 8));
    assertTooOld("a", 7, 8);
  }

  /** Each with its own place between the steps of the others. */
  @Test
  public void aClearTakesItsIntervalOutOfTheFoldsUnderWay() {
    EngineDriver driver = driver();
    KeyRange cleared = range("kc", "kf");
    for (long version = 10; version <= 400; version += 10) {
      List<VersionedWrite> writes = new ArrayList<>();
      for (char key = 'a'; key <= 'h'; key++) {
        writes.add(put("k" + key, version, "before"));
      }
      driver.apply(new EngineBatch(writes, List.of()));
      long fold = driver.nextToken();
      driver.engine().fold(fold, KeyRange.ALL, new Position(version), new Position(version));
      for (long steps = version / 10 % 8; steps > 0; steps--) {
        driver.read("x", version);
      }
      long clear = driver.nextToken();
      driver.engine().clear(clear, cleared);
      // What a new copy brings there is below the target of the fold: it must not be lost.
      driver.write(put("kd", version - 5, "after"));
      driver.await(fold);
      driver.await(clear);
      driver.write(put("ke", version - 4, "after"));
      assertEquals(
          List.of("kd", "ke"),
          driver.scanAll(cleared, new Position(version), false, false).stream()
              .map(row -> row.key().toUtf8())
              .toList());
      assertEquals(Optional.of("after"), driver.read("kd", version - 3));
      assertEquals(Optional.of("before"), driver.read("kb", version));
      driver.clear(KeyRange.ALL);
      assertTrue(driver.scanAll(KeyRange.ALL, END, true, true).isEmpty());
    }
  }

  // Reads beside changes.

  private static final int BESIDE_ROUNDS = 20;
  private static final int BESIDE_KEYS = 40;
  private static final int BESIDE_READS = 6;

  private static String besideKey(int key) {
    return "k" + (char) ('A' + key / 26) + (char) ('a' + key % 26);
  }

  /**
   * Of each three keys one is deleted, one has two versions, one has one; all before a position.
   */
  private EngineBatch deletedReplacedAndKept(long version, boolean last) {
    List<VersionedWrite> writes = new ArrayList<>();
    for (int key = 0; key < BESIDE_KEYS; key++) {
      if (!last) {
        writes.add(put(besideKey(key), version, "v" + version));
      } else if (key % 3 == 0) {
        writes.add(tombstone(besideKey(key), version));
      } else if (key % 3 == 1) {
        writes.add(put(besideKey(key), version, "v" + version));
      }
    }
    return new EngineBatch(writes, List.of());
  }

  private static List<Row> besideRows(long first, int from, int to) {
    List<Row> rows = new ArrayList<>();
    for (int key = from; key < to; key++) {
      if (key % 3 != 0) {
        long version = key % 3 == 1 ? first + 1 : first;
        rows.add(
            new Row(Bytes.utf8(besideKey(key)), new Position(version), Bytes.utf8("v" + version)));
      }
    }
    return rows;
  }

  private List<Long> submitScans(KeyRange interval, long at, boolean reverse) {
    List<Long> tokens = new ArrayList<>();
    for (int i = 0; i < BESIDE_READS; i++) {
      long token = driver().nextToken();
      driver().engine().scan(token, spec(interval, at, reverse, 1000, 1 << 20));
      tokens.add(token);
    }
    return tokens;
  }

  private List<Row> rowsOf(long token) {
    return ((EngineResult.Rows) driver().await(token)).rows();
  }

  private List<Row> rowsIfNotTooOld(long token) {
    return driver().await(token) instanceof EngineResult.TooOld ? List.of() : rowsOf(token);
  }

  @Test
  public void readsAtThePositionOfAFoldBesideThemAreExact() {
    List<Bytes> keys = new ArrayList<>();
    for (int key = 0; key < BESIDE_KEYS; key++) {
      keys.add(Bytes.utf8(besideKey(key)));
    }
    for (long first = 1; first < 2 * BESIDE_ROUNDS; first += 2) {
      driver().apply(deletedReplacedAndKept(first, false));
      driver().apply(deletedReplacedAndKept(first + 1, true));
      Position floor = new Position(first + 1);
      List<Long> backward = submitScans(KeyRange.ALL, first + 1, true);
      long fold = driver().nextToken();
      driver().engine().fold(fold, KeyRange.ALL, floor, floor);
      backward.addAll(submitScans(KeyRange.ALL, first + 1, true));
      List<Long> forward = submitScans(KeyRange.ALL, first + 1, false);
      long read = driver().nextToken();
      driver().engine().read(read, keys, floor);
      long newest = driver().nextToken();
      driver().engine().newest(newest, List.of(), List.of(KeyRange.ALL), new Position(first));
      List<Row> expected = besideRows(first, 0, BESIDE_KEYS);
      backward.forEach(token -> assertEquals(expected.reversed(), rowsOf(token)));
      forward.forEach(token -> assertEquals(expected, rowsOf(token)));
      EngineResult.Found found = (EngineResult.Found) driver().await(read);
      assertEquals(expected, found.rows().stream().flatMap(Optional::stream).toList());
      // A tombstone may be gone; what replaced a value is not.
      if (driver().await(newest) instanceof EngineResult.Newer newer) {
        assertEquals(floor, newer.first().orElseThrow().version());
      } else {
        assertInstanceOf(EngineResult.TooOld.class, driver().await(newest));
      }
      driver().await(fold);
      driver().fold(KeyRange.ALL, first + 1, first + 1);
    }
  }

  @Test
  public void belowThePositionOfAFoldBesideThemScansReturnKeysInOrderAndNoneTwice() {
    for (long first = 1; first < 2 * BESIDE_ROUNDS; first += 2) {
      driver().apply(deletedReplacedAndKept(first, false));
      driver().apply(deletedReplacedAndKept(first + 1, true));
      long fold = driver().nextToken();
      driver().engine().fold(fold, KeyRange.ALL, new Position(first + 1), new Position(first + 1));
      List<Long> backward = submitScans(KeyRange.ALL, first, true);
      List<Long> forward = submitScans(KeyRange.ALL, first, false);
      long version = first;
      backward.forEach(token -> checkOldRows(rowsIfNotTooOld(token).reversed(), version));
      forward.forEach(token -> checkOldRows(rowsIfNotTooOld(token), version));
      driver().await(fold);
      driver().fold(KeyRange.ALL, first + 1, first + 1);
    }
  }

  private static void checkOldRows(List<Row> rows, long version) {
    List<String> keys = keys(rows);
    assertEquals(new ArrayList<>(new TreeSet<>(keys)), keys);
    rows.forEach(
        row -> assertTrue(row.version().isAtOrBelow(new Position(version)), row::toString));
  }

  @Test
  public void scansAreExactOutsideOfAClearBesideThem() {
    int cut = BESIDE_KEYS / 2;
    KeyRange upper = KeyRange.from(Bytes.utf8(besideKey(cut)));
    for (long first = 1; first < 2 * BESIDE_ROUNDS; first += 2) {
      driver().apply(deletedReplacedAndKept(first, false));
      driver().apply(deletedReplacedAndKept(first + 1, true));
      List<Long> backward = submitScans(KeyRange.ALL, first + 1, true);
      long clear = driver().nextToken();
      driver().engine().clear(clear, upper);
      backward.addAll(submitScans(KeyRange.ALL, first + 1, true));
      List<Long> forward = submitScans(KeyRange.ALL, first + 1, false);
      List<Row> expected = besideRows(first, 0, cut);
      backward.forEach(token -> checkLower(expected, upper, rowsOf(token).reversed()));
      forward.forEach(token -> checkLower(expected, upper, rowsOf(token)));
      driver().await(clear);
      assertEquals(
          expected,
          driver().scanAll(KeyRange.ALL, new Position(first + 1), true, false).reversed());
    }
  }

  private static void checkLower(List<Row> expected, KeyRange cleared, List<Row> rows) {
    List<String> keys = keys(rows);
    assertEquals(new ArrayList<>(new TreeSet<>(keys)), keys);
    assertEquals(expected, rows.stream().filter(row -> !cleared.contains(row.key())).toList());
  }

  @Test
  public void reverseScansKeepToTheirIntervalBesideABatchAboveIt() {
    int cut = BESIDE_KEYS / 2;
    KeyRange lower = KeyRange.of(Bytes.EMPTY, Bytes.utf8(besideKey(cut)));
    KeyRange upper = KeyRange.from(Bytes.utf8(besideKey(cut)));
    for (long first = 1; first < 2 * BESIDE_ROUNDS; first += 2) {
      driver().clear(KeyRange.ALL);
      List<VersionedWrite> below = new ArrayList<>();
      List<VersionedWrite> above = new ArrayList<>();
      for (int key = 0; key < BESIDE_KEYS; key++) {
        VersionedWrite write = put(besideKey(key), first, "v");
        (lower.contains(write.key()) ? below : above).add(write);
      }
      driver().apply(new EngineBatch(below, List.of()));
      List<Long> tokens = new ArrayList<>(submitScans(lower, first, true));
      long batch = driver().submit(new EngineBatch(above.reversed(), List.of()));
      tokens.addAll(submitScans(lower, first, true));
      for (long token : tokens) {
        List<Bytes> found = rowsOf(token).reversed().stream().map(Row::key).toList();
        assertEquals(below.stream().map(VersionedWrite::key).toList(), found);
      }
      driver().await(batch);
      assertEquals(above.size(), driver().scanAll(upper, new Position(first), false, true).size());
    }
  }
}
