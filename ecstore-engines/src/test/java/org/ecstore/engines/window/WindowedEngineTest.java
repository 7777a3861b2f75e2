package org.ecstore.engines.window;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Proxy;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.ecstore.core.port.Engine.EngineBatch;
import org.ecstore.core.port.Engine.MetadataEntry;
import org.ecstore.core.port.Engine.ScanSpec;
import org.ecstore.core.port.Engine.VersionedWrite;
import org.ecstore.core.port.EngineResult;
import org.ecstore.core.port.Event;
import org.ecstore.engines.memory.MemoryStore;
import org.ecstore.engines.store.OrderedStore;
import org.ecstore.engines.store.StoreBatch;
import org.ecstore.id.Position;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.model.AtomicOp;
import org.ecstore.model.Mutation;
import org.ecstore.model.Row;
import org.ecstore.wire.WireReader;
import org.ecstore.wire.WireWriter;
import org.junit.jupiter.api.Test;

/** Orders of steps that chance seldom brings about. */
final class WindowedEngineTest {
  private final MemoryStore store = new MemoryStore();
  private final Deque<Runnable> steps = new ArrayDeque<>();
  private final Map<Long, EngineResult> results = new HashMap<>();
  private boolean hasRoom = true;
  private final WindowedEngine engine =
      new WindowedEngine(
          store,
          new TaskCompletions(new SplittableRandom(1), steps::add, this::take),
          this::take,
          () -> hasRoom);
  private long token;

  private void take(Event event) {
    Event.EngineDone done = assertInstanceOf(Event.EngineDone.class, event);
    results.put(done.token(), done.result());
  }

  private void runAll() {
    while (!steps.isEmpty()) {
      steps.removeFirst().run();
    }
  }

  private EngineResult result(long of) {
    runAll();
    return assertInstanceOf(EngineResult.class, results.get(of));
  }

  private void put(String key, long version) {
    VersionedWrite write =
        new VersionedWrite(
            Bytes.utf8(key), new Position(version), Optional.of(Bytes.utf8("v" + version)));
    engine.apply(++token, new EngineBatch(List.of(write), List.of()));
    assertInstanceOf(EngineResult.Applied.class, result(token));
  }

  private long fold(KeyRange keys, long through) {
    engine.fold(++token, keys, new Position(through), new Position(through));
    return token;
  }

  private long scan(long at, boolean reverse) {
    engine.scan(
        ++token, new ScanSpec(KeyRange.ALL, new Position(at), reverse, 100, 1 << 20, false));
    return token;
  }

  private List<String> rows(EngineResult result) {
    List<String> rows = new ArrayList<>();
    for (Row row : assertInstanceOf(EngineResult.Rows.class, result).rows()) {
      rows.add(row.key().toUtf8() + row.version().value());
    }
    return rows;
  }

  private long read(String key, long at) {
    engine.read(++token, List.of(Bytes.utf8(key)), new Position(at));
    return token;
  }

  @Test
  void aScanThatTookAPageBeforeAFoldFindsInTheWindowWhatThePageHasNot() {
    for (boolean reverse : new boolean[] {false, true}) {
      engine.clear(++token, KeyRange.ALL);
      put("a", 1);
      put("b", 1);
      long scan = scan(1, reverse);
      Runnable first = steps.removeFirst();
      first.run(); // The page of an empty store.
      Runnable second = steps.removeFirst();
      long fold = fold(KeyRange.ALL, 1);
      runAll();
      assertEquals(2, store.look(KeyRange.ALL).size(), "the fold has come and gone");
      assertTrue(engine.windowBytes() > 0, "but what it brought stays for the scan");
      second.run();
      assertEquals(reverse ? List.of("b1", "a1") : List.of("a1", "b1"), rows(result(scan)));
      assertInstanceOf(EngineResult.Folded.class, result(fold));
      assertEquals(0, engine.windowBytes());
    }
  }

  @Test
  void aScanIsTooOldIfAFoldAboveItHasBegunMeanwhile() {
    put("a", 1);
    put("a", 5);
    long scan = scan(1, false);
    fold(KeyRange.ALL, 5);
    Runnable reads = steps.removeFirst();
    runAll();
    reads.run();
    assertEquals(new EngineResult.TooOld(new Position(5)), result(scan));
  }

  @Test
  void aRowAboveThePositionIsAnErrorAndNotARow() {
    store.write(
        new StoreBatch(
            List.of(new Row(Bytes.utf8("a"), new Position(9), Bytes.EMPTY)), List.of(), List.of()));
    for (long of : new long[] {read("a", 7), scan(7, false), scan(7, true)}) {
      EngineResult.Failed failed = assertInstanceOf(EngineResult.Failed.class, result(of));
      assertTrue(failed.detail().contains("above p7"), failed::detail);
    }
    assertEquals(List.of("a9"), rows(result(scan(9, false))));
  }

  @Test
  void aFoldThatFailsLeavesTheWindowAsItIsAndIsMadeAgain() {
    put("a", 1);
    put("b", 2);
    store.full(true);
    EngineResult.Failed failed =
        assertInstanceOf(EngineResult.Failed.class, result(fold(KeyRange.ALL, 2)));
    assertTrue(failed.outOfSpace());
    assertEquals(List.of("a1", "b2"), rows(result(scan(2, false))));
    assertEquals(
        new EngineResult.TooOld(new Position(2)), result(scan(1, false)), "rows may be as of 2");
    store.full(false);
    assertInstanceOf(EngineResult.Folded.class, result(fold(KeyRange.ALL, 2)));
    assertEquals(0, engine.windowBytes());
    assertEquals(List.of("a1", "b2"), rows(result(scan(2, false))));
  }

  @Test
  void onlyMetadataGoToTheStoreBeforeAFold() {
    MetadataEntry note = new MetadataEntry(Bytes.utf8("n"), Optional.of(Bytes.EMPTY));
    VersionedWrite write =
        new VersionedWrite(Bytes.utf8("a"), new Position(3), Optional.of(Bytes.EMPTY));
    engine.apply(++token, new EngineBatch(List.of(write), List.of(note)));
    long noted = token;
    engine.apply(++token, new EngineBatch(List.of(write), List.of()));
    long later = token;
    steps.removeFirst().run();
    assertTrue(results.containsKey(noted));
    assertFalse(results.containsKey(later), "results come in the order of the batches");
    assertInstanceOf(EngineResult.Applied.class, result(later));
    assertEquals(List.of(note), store.metadata());
    assertEquals(List.of(), store.look(KeyRange.ALL));
  }

  /** A large batch is brought into the window beside its caller, who goes on with others. */
  @Test
  void whatComesBehindALargeBatchChangesTheWindowAfterIt() {
    KeyRange low = KeyRange.of(Bytes.utf8("a"), Bytes.utf8("c"));
    engine.apply(++token, new EngineBatch(batch(1, "a", "b", "c", "d"), List.of()));
    assertEquals(0, engine.windowBytes(), "not by its caller");
    engine.clear(++token, low);
    engine.apply(++token, new EngineBatch(batch(2, "a"), List.of()));
    long last = token;
    assertInstanceOf(EngineResult.Applied.class, result(last));
    assertEquals(List.of("a2", "c1", "d1"), rows(result(scan(2, false))));
    put("b", 3);
    assertEquals(List.of("a2", "b3", "c1", "d1"), rows(result(scan(3, false))));
  }

  @Test
  void ofALargeBatchAKeyHasAllItsVersions() {
    List<VersionedWrite> writes = new ArrayList<>();
    for (long version = 1; version <= 5; version++) {
      writes.addAll(batch(version, version % 2 == 0 ? "a" : "b"));
    }
    engine.apply(++token, new EngineBatch(writes, List.of()));
    result(token);
    assertEquals(List.of("b1"), rows(result(scan(1, false))));
    assertEquals(List.of("a2", "b3"), rows(result(scan(3, false))));
    assertEquals(List.of("a4", "b5"), rows(result(scan(5, false))));
  }

  private static List<VersionedWrite> batch(long version, String... keys) {
    return Stream.of(keys)
        .map(
            key ->
                new VersionedWrite(
                    Bytes.utf8(key), new Position(version), Optional.of(Bytes.EMPTY)))
        .toList();
  }

  @Test
  void keysOfTheWindowAreReadWithoutTheStore() {
    put("a", 3);
    store.broken(true);
    assertInstanceOf(EngineResult.Found.class, result(read("a", 3)));
    assertInstanceOf(EngineResult.Failed.class, result(read("b", 3)));
    engine.newest(++token, List.of(Bytes.utf8("b")), List.of(KeyRange.ALL), new Position(2));
    EngineResult.Newer newer = assertInstanceOf(EngineResult.Newer.class, result(token));
    assertEquals(new Position(3), newer.first().orElseThrow().version());
  }

  @Test
  void keysOfTheWindowAskForRoomForTheirAnswer() {
    put("a", 3);
    hasRoom = false;
    assertInstanceOf(EngineResult.Overloaded.class, result(read("a", 3)));
    assertInstanceOf(EngineResult.Overloaded.class, result(read("b", 3)));
    hasRoom = true;
    assertInstanceOf(EngineResult.Found.class, result(read("a", 3)));
  }

  @Test
  void aRestoredIntervalIsFoldedOnFromThere() {
    KeyRange low = KeyRange.of(Bytes.EMPTY, Bytes.utf8("m"));
    KeyRange high = KeyRange.from(Bytes.utf8("m"));
    engine.restore(low, new Position(5), new Position(8));
    engine.restore(high, new Position(2), new Position(2));
    put("a", 5);
    put("x", 5);
    assertEquals(new EngineResult.TooOld(new Position(8)), result(read("a", 7)));
    assertEquals(
        new EngineResult.Found(List.of(Optional.empty())),
        result(read("a", 8)),
        "it was folded before the restart");
    result(fold(KeyRange.ALL, 6));
    assertEquals(List.of(), store.look(KeyRange.ALL), "6 is below what a fold had begun with");
    result(fold(high, 6));
    result(fold(low, 8));
    assertEquals(1, store.look(KeyRange.ALL).size());
    assertEquals(List.of("x5"), rows(result(scan(8, true))));
  }

  private void add(String key, long version, long amount) {
    VersionedWrite write =
        new VersionedWrite(
            Bytes.utf8(key),
            new Position(version),
            new Mutation.Operation(AtomicOp.ADD, new WireWriter().i64(amount).toBytes()));
    engine.apply(++token, new EngineBatch(List.of(write), List.of()));
    assertInstanceOf(EngineResult.Applied.class, result(token));
  }

  private long number(String key, long at) {
    EngineResult.Found found = assertInstanceOf(EngineResult.Found.class, result(read(key, at)));
    return new WireReader(found.rows().getFirst().orElseThrow().value()).i64();
  }

  /** A store that does something else while a reader waits for rows of it. */
  private static OrderedStore beside(OrderedStore store, Deque<Runnable> meanwhile) {
    return (OrderedStore)
        Proxy.newProxyInstance(
            OrderedStore.class.getClassLoader(),
            new Class<?>[] {OrderedStore.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("get") || method.getName().equals("scan")) {
                for (Runnable each = meanwhile.poll(); each != null; each = meanwhile.poll()) {
                  each.run();
                }
              }
              return method.invoke(store, arguments);
            });
  }

  /** A store of which calls of some names fail, each once, as the machine does. */
  private static OrderedStore failing(OrderedStore store, Set<String> calls) {
    return (OrderedStore)
        Proxy.newProxyInstance(
            OrderedStore.class.getClassLoader(),
            new Class<?>[] {OrderedStore.class},
            (proxy, method, arguments) -> {
              if (calls.remove(method.getName())) {
                throw new NoClassDefFoundError(method.getName());
              }
              return method.invoke(store, arguments);
            });
  }

  /** None of the keys that its step had taken is left out, and then dropped as if it were there. */
  @Test
  void aFoldThatAnErrorEndsIsToldOfAndMadeAgainAsAWhole() {
    for (String call : List.of("write", "sync")) {
      MemoryStore below = new MemoryStore();
      Set<String> calls = new HashSet<>();
      WindowedEngine other =
          new WindowedEngine(
              failing(below, calls),
              new TaskCompletions(new SplittableRandom(1), steps::add, this::take),
              this::take,
              () -> true);
      other.apply(++token, new EngineBatch(batch(1, "a", "b"), List.of()));
      runAll();
      calls.add(call);
      long first = ++token;
      other.fold(first, KeyRange.ALL, new Position(1), new Position(1));
      assertThrows(NoClassDefFoundError.class, this::runAll);
      KeyRange others = KeyRange.from(Bytes.utf8("x"));
      other.fold(++token, others, new Position(1), new Position(1));
      assertInstanceOf(EngineResult.Folded.class, result(token));
      other.fold(++token, KeyRange.ALL, new Position(1), new Position(1));
      assertInstanceOf(EngineResult.Folded.class, result(token));
      assertEquals(2, below.look(KeyRange.ALL).size(), call);
      EngineResult.Failed failed =
          assertInstanceOf(EngineResult.Failed.class, results.get(first), call);
      assertTrue(failed.detail().contains("NoClassDefFoundError"), failed::detail);
      assertEquals(0, other.folding(), call);
      assertEquals(0, other.windowBytes(), call);
    }
  }

  /** The one who waits for it would do nothing more. */
  @Test
  void aSyncThatAnErrorEndsIsToldOf() {
    WindowedEngine other =
        new WindowedEngine(
            failing(new MemoryStore(), new HashSet<>(Set.of("sync"))),
            new TaskCompletions(new SplittableRandom(1), steps::add, this::take),
            this::take,
            () -> true);
    other.sync(++token);
    assertThrows(NoClassDefFoundError.class, this::runAll);
    assertInstanceOf(EngineResult.Failed.class, results.get(token));
    other.sync(++token);
    assertInstanceOf(EngineResult.Synced.class, result(token));
  }

  /**
   * Rule 28: what an operation works on may leave the window between two looks of a reader that
   * began when the fold was durable already.
   */
  @Test
  void versionsThatLeaveBesideAReaderAreInTheRowOrWereSeen() {
    for (boolean scans : new boolean[] {false, true}) {
      Deque<Runnable> meanwhile = new ArrayDeque<>();
      WindowedEngine other =
          new WindowedEngine(
              beside(new MemoryStore(), meanwhile),
              new TaskCompletions(new SplittableRandom(1), steps::add, this::take),
              this::take,
              () -> true);
      for (long version = 1; version <= 8; version++) {
        apply(other, add(version));
      }
      other.fold(++token, KeyRange.ALL, new Position(8), new Position(8));
      runAll();
      for (long version = 9; version <= 15; version++) {
        apply(other, add(version));
      }
      other.fold(++token, KeyRange.ALL, new Position(10), new Position(10));
      steps.removeFirst().run(); // It walks.
      steps.removeFirst().run(); // It is durable.
      Runnable drops = steps.removeFirst();
      assertTrue(steps.isEmpty());
      long read = ++token;
      if (scans) {
        other.scan(read, new ScanSpec(KeyRange.ALL, new Position(15), false, 100, 1 << 20, false));
      } else {
        other.read(read, List.of(Bytes.utf8("a"), Bytes.utf8("b")), new Position(15));
      }
      meanwhile.add(drops);
      EngineResult result = result(read);
      Bytes value =
          result instanceof EngineResult.Rows rows
              ? rows.rows().getFirst().value()
              : assertInstanceOf(EngineResult.Found.class, result)
                  .rows()
                  .getFirst()
                  .orElseThrow()
                  .value();
      assertEquals(15, new WireReader(value).i64());
      assertTrue(meanwhile.isEmpty(), "versions left while it waited for the store");
    }
  }

  private static VersionedWrite add(long version) {
    return new VersionedWrite(
        Bytes.utf8("a"),
        new Position(version),
        new Mutation.Operation(AtomicOp.ADD, new WireWriter().i64(1).toBytes()));
  }

  private void apply(WindowedEngine to, VersionedWrite write) {
    to.apply(++token, new EngineBatch(List.of(write), List.of()));
    assertInstanceOf(EngineResult.Applied.class, result(token));
  }

  /** Rule 28: a fold of before a restart has written a row, and its note was not written. */
  @Test
  void whatARowHasTakenInIsNotAppliedAgainByAReplay() {
    store.write(
        new StoreBatch(
            List.of(new Row(Bytes.utf8("a"), new Position(6), new WireWriter().i64(11).toBytes())),
            List.of(),
            List.of()));
    engine.restore(KeyRange.ALL, new Position(2), new Position(7));
    add("a", 3, 1);
    add("a", 6, 10);
    add("a", 9, 100);
    assertEquals(11, number("a", 8));
    assertEquals(111, number("a", 9));
    result(fold(KeyRange.ALL, 8));
    assertEquals(11, number("a", 8));
    result(fold(KeyRange.ALL, 9));
    assertEquals(111, number("a", 9));
    assertEquals(0, engine.windowBytes());
  }

  /** Rule 28: a row that is read before a fold has written it is not one that it is in already. */
  @Test
  void aScanThatTookAPageBesideAFoldAppliesOperationsOnce() {
    for (boolean pageFirst : new boolean[] {true, false}) {
      engine.clear(++token, KeyRange.ALL);
      add("a", 1, 1);
      result(fold(KeyRange.ALL, 1));
      add("a", 3, 10);
      long scan = scan(3, false);
      Runnable page = steps.removeFirst();
      if (pageFirst) {
        page.run();
        page = steps.removeFirst();
      }
      long fold = fold(KeyRange.ALL, 3);
      runAll();
      page.run();
      EngineResult.Rows rows = assertInstanceOf(EngineResult.Rows.class, result(scan));
      assertEquals(new WireWriter().i64(11).toBytes(), rows.rows().getFirst().value());
      assertInstanceOf(EngineResult.Folded.class, result(fold));
    }
  }

  /** A version that comes late changes those in front of it, though they were read by a check. */
  @Test
  void whatWasFoundOfAnOperationGoesIfAVersionComesBehindIt() {
    put("p", 1);
    add("a", 1, 1);
    result(fold(KeyRange.ALL, 1));
    add("a", 5, 100);
    assertEquals(101, number("a", 5));
    add("a", 7, 1_000);
    add("a", 3, 10);
    assertEquals(11, number("a", 4));
    assertEquals(111, number("a", 5));
    assertEquals(1_111, number("a", 7));
    add("a", 5, 100);
    assertEquals(1_111, number("a", 7));
  }
}
