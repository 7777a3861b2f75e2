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
import org.junit.jupiter.api.Test;

/**
 * What {@link EngineContractTest} says of engines whose prune is a fold: through its floor only one
 * version of each key is left, in a store below, and nothing is answered below it.
 */
public abstract class FoldingEngineContractTest extends EngineContractTest {
  private static final Position END = new Position(Long.MAX_VALUE);

  @Override
  protected final void beforeClosing(EngineDriver open) {
    open.prune(KeyRange.ALL, END.value(), END.value());
  }

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

  @Override
  @Test
  public void pruneKeepsWhatASnapshotAtTheFloorCanRead() {
    EngineDriver driver = driver();
    driver.write(put("a", 1, "1"), put("a", 3, "3"), put("a", 5, "5"), put("a", 9, "9"));
    driver.write(put("b", 6, "6"), put("c", 5, "5"));
    driver.prune(KeyRange.ALL, 5, 5);
    assertTooOld("a", 4, 5);
    assertTooOld("x", 0, 5);
    assertEquals(Optional.of("5"), driver.read("a", 5));
    assertEquals(Optional.of("9"), driver.read("a", 9));
    assertEquals(Optional.empty(), driver.read("b", 5));
    assertEquals(Optional.of("6"), driver.read("b", 6));
    assertEquals(Optional.of("5"), driver.read("c", 5));
    driver.prune(KeyRange.ALL, 9, 9);
    assertTooOld("a", 8, 9);
    assertEquals(Optional.of("9"), driver.read("a", 9));
    assertEquals(Optional.of("6"), driver.read("b", 10));
    assertEquals(
        Optional.empty(), driver.newest(List.of(), List.of(KeyRange.ALL), new Position(9)));
  }

  @Override
  @Test
  public void pruneTakesATombstoneOnlyBelowBothFloors() {
    EngineDriver driver = driver();
    for (String key : List.of("a", "b", "c")) {
      driver.put(key, 1, "old");
    }
    driver.prune(KeyRange.ALL, 1, 1);
    driver.write(tombstone("a", 4), tombstone("b", 6), tombstone("c", 11), put("d", 4, "live"));
    driver.prune(KeyRange.ALL, 10, 5);
    assertEquals(Optional.empty(), driver.read("a", 5));
    assertEquals(Optional.of("old"), driver.read("b", 5), "nothing goes above the lesser floor");
    assertEquals(
        new Position(6),
        driver.newest(List.of(Bytes.utf8("b")), List.of(), new Position(5)).get().version());
    assertEquals(Optional.of("old"), driver.read("c", 10));
    assertEquals(Optional.of("live"), driver.read("d", 10));
    driver.prune(KeyRange.ALL, 20, 20);
    for (String gone : List.of("a", "b", "c")) {
      assertEquals(Optional.empty(), driver.read(gone, 20));
    }
    assertEquals(1, driver.scanAll(KeyRange.ALL, new Position(20), true, false).size());
  }

  @Override
  @Test
  public void pruneKeepsToItsInterval() {
    EngineDriver driver = driver();
    for (Bytes key : HARD_KEYS) {
      driver.write(put(key, 1, Bytes.EMPTY), put(key, 2, Bytes.EMPTY));
    }
    List<Bytes> sorted = new ArrayList<>(new TreeSet<>(HARD_KEYS));
    for (int i = 0; i < sorted.size(); i++) {
      KeyRange left = KeyRange.from(sorted.get(i));
      assertEquals(sorted.size() - i, driver.scanAll(left, new Position(1), false, true).size());
      KeyRange one = i + 1 == sorted.size() ? left : KeyRange.of(sorted.get(i), sorted.get(i + 1));
      driver.prune(one, 2, 2);
      long scan = driver.nextToken();
      driver.engine().scan(scan, spec(one, 1, false, 10, 1000));
      assertTooOld(scan, 2);
      assertEquals(1, driver.scanAll(one, new Position(2), false, true).size());
    }
    assertEquals(sorted.size(), driver.scanAll(KeyRange.ALL, new Position(2), true, true).size());
  }

  @Override
  @Test
  public void pruneOfMuchIsDoneInSteps() {
    EngineDriver driver = driver();
    List<VersionedWrite> writes = new ArrayList<>();
    for (int i = 1; i <= 3000; i++) {
      writes.add(put("many", i, ""));
      writes.add(put("k" + i, 1, ""));
      writes.add(put("k" + i, 2, ""));
    }
    driver.apply(new EngineBatch(writes, List.of()));
    long prune = driver.nextToken();
    driver.engine().prune(prune, KeyRange.ALL, new Position(3000), new Position(3000));
    long read = driver.nextToken();
    driver.engine().scan(read, spec(KeyRange.ALL, 3000, true, 10_000, 1 << 20));
    EngineResult.Rows rows = assertInstanceOf(EngineResult.Rows.class, driver.await(read));
    assertEquals(3001, rows.rows().size());
    assertInstanceOf(EngineResult.Pruned.class, driver.await(prune));
    assertEquals(3001, driver.scanAll(KeyRange.ALL, new Position(3000), false, false).size());
  }

  /** What a key was for those who read below: a row of the store, none, a version of the window. */
  @Test
  public void aFoldAheadOfItsReadersLeavesThemWhatTheyRead() {
    EngineDriver driver = driver();
    driver.write(put("a", 1, "1"), put("b", 1, "1"), put("c", 1, "1"), put("u", 1, "1"));
    driver.prune(KeyRange.ALL, 2, 2);
    driver.write(put("a", 5, "5"), tombstone("b", 5), put("c", 3, "3"), put("c", 6, "6"));
    driver.write(put("d", 5, "5"), put("e", 4, "4"), tombstone("e", 6));
    for (long through : new long[] {5, 6, 8}) {
      driver.prune(KeyRange.ALL, 2, through);
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
    driver.prune(KeyRange.ALL, 5, 8);
    assertTooOld("a", 4, 5);
    assertEquals(List.of("a5", "c3", "d5", "e4", "u1"), rows(5));
    assertEquals(List.of("a5", "c6", "d5", "u1"), rows(6));
    driver.prune(KeyRange.ALL, 8, 8);
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
    driver.prune(KeyRange.ALL, 5, 5);
    driver.apply(early);
    assertEquals(Optional.of("five"), driver.read("a", 5));
    assertEquals(Optional.empty(), driver.read("b", 5), "a late write brings nothing back");
    assertEquals(Optional.empty(), driver.read("b", 9));
    driver.prune(KeyRange.ALL, 9, 9);
    assertEquals(Optional.empty(), driver.read("b", 9));
    driver.write(put("b", 10, "ten"));
    assertEquals(Optional.of("ten"), driver.read("b", 10));
  }

  @Test
  public void aFoldNeverGoesBackBehindOneBefore() {
    EngineDriver driver = driver();
    driver.write(put("a", 5, "five"), put("a", 8, "eight"));
    driver.prune(KeyRange.ALL, 8, 8);
    driver.prune(KeyRange.ALL, 5, 5);
    driver.prune(KeyRange.single(Bytes.utf8("a")), 7, 7);
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
      driver.engine().prune(fold, KeyRange.ALL, new Position(version), new Position(version));
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
}
