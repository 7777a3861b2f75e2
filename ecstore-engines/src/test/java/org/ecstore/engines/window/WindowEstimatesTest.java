package org.ecstore.engines.window;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.ecstore.core.port.Engine.EngineBatch;
import org.ecstore.core.port.Engine.VersionedWrite;
import org.ecstore.core.port.EngineResult;
import org.ecstore.core.port.Event;
import org.ecstore.engines.memory.MemoryStore;
import org.ecstore.engines.memory.RandomCompletions;
import org.ecstore.engines.store.OrderedStore;
import org.ecstore.engines.store.StoreBatch;
import org.ecstore.id.Position;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.model.Row;
import org.junit.jupiter.api.Test;

/** How much is held of a range whose size is asked for. */
final class WindowEstimatesTest {
  private static final int ROWS = 3_000;
  private static final int LONG_BYTES = 500_000;

  /** More than what an answer may hold. */
  private static final long HELD_MAX = 16 << 20;

  private static final Bytes LONG = Bytes.wrap(new byte[LONG_BYTES]);

  private final MemoryStore store = new MemoryStore();
  private final Map<Long, EngineResult> results = new HashMap<>();
  private final RandomCompletions completions = new RandomCompletions(new SplittableRandom(1));
  private final WindowedEngine engine =
      new WindowedEngine(
          watched(),
          new TaskCompletions(new SplittableRandom(1), completions::later, this::take),
          this::take,
          () -> true);
  private long token;

  /** Of the rows of any one scan. */
  private long greatest;

  private void take(Event event) {
    Event.EngineDone done = (Event.EngineDone) event;
    results.put(done.token(), done.result());
  }

  private OrderedStore watched() {
    return (OrderedStore)
        Proxy.newProxyInstance(
            OrderedStore.class.getClassLoader(),
            new Class<?>[] {OrderedStore.class},
            (proxy, method, arguments) -> {
              Object result = method.invoke(store, arguments);
              if (result instanceof EngineResult.Rows rows) {
                greatest = Math.max(greatest, bytes(rows.rows()));
              }
              return result;
            });
  }

  private static long bytes(List<Row> rows) {
    return rows.stream().mapToLong(row -> row.key().length() + row.value().length()).sum();
  }

  private static Bytes key(int number) {
    return Bytes.utf8("k" + (10_000 + number));
  }

  private EngineResult size() {
    engine.size(++token, KeyRange.ALL);
    completions.runAll();
    return Optional.ofNullable(results.get(token)).orElseThrow();
  }

  @Test
  void aRangeOfFewLongRowsIsNotReadForItsSize() {
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      rows.add(new Row(key(i), new Position(1), LONG));
    }
    store.write(new StoreBatch(rows, List.of(), List.of()));
    assertEquals(new EngineResult.Size(ROWS, bytes(rows)), size());
    assertTrue(greatest < HELD_MAX, greatest + " bytes");
  }

  /** Of what the store knows nothing of. */
  @Test
  void ofLongValuesOfTheWindowTheSizeIsAnEstimate() {
    store.write(
        new StoreBatch(List.of(new Row(key(0), new Position(1), LONG)), List.of(), List.of()));
    List<VersionedWrite> writes = new ArrayList<>();
    for (int i = 1; i < ROWS; i++) {
      writes.add(new VersionedWrite(key(i), new Position(2), Optional.of(LONG)));
    }
    engine.apply(++token, new EngineBatch(writes, List.of()));
    completions.runAll();
    EngineResult.Size size = (EngineResult.Size) size();
    long each = (long) key(0).length() + LONG_BYTES;
    assertTrue(Math.abs(size.records() - ROWS) < ROWS / 10, size::toString);
    assertTrue(Math.abs(size.bytes() - ROWS * each) < ROWS * each / 10, size::toString);
  }

  @Test
  void theSizeOfALittleIsExact() {
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      rows.add(new Row(key(i), new Position(1), Bytes.utf8("x".repeat(i))));
    }
    store.write(new StoreBatch(rows, List.of(), List.of()));
    engine.apply(
        ++token,
        new EngineBatch(
            List.of(new VersionedWrite(key(7), new Position(2), Optional.empty())), List.of()));
    completions.runAll();
    Row deleted = rows.remove(7);
    assertEquals(7, deleted.value().length());
    assertEquals(new EngineResult.Size(rows.size(), bytes(rows)), size());
  }
}
