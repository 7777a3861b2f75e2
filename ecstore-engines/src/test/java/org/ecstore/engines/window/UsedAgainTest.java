package org.ecstore.engines.window;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import org.ecstore.core.port.Engine.EngineBatch;
import org.ecstore.core.port.Engine.ScanSpec;
import org.ecstore.core.port.Engine.VersionedWrite;
import org.ecstore.core.port.EngineResult;
import org.ecstore.core.port.Event;
import org.ecstore.core.testing.Await;
import org.ecstore.engines.memory.MemoryStore;
import org.ecstore.engines.store.OrderedStore;
import org.ecstore.engines.store.StoreBatch;
import org.ecstore.engines.window.WindowThreads.Bounds;
import org.ecstore.id.Position;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.model.Row;
import org.junit.jupiter.api.Test;

/** Memory of values that have left is used again, and no reader finds another's value in it. */
class UsedAgainTest {
  /** Against W5: memory is used again while a reader that found the version looks at it. */
  private static final class UsesAtOnce extends WindowRules {
    @Override
    protected void usedAgain(Consumer<Runnable> readers, Runnable then) {
      then.run();
    }
  }

  /** A store that is told before it answers, and takes one call at a time. */
  private static OrderedStore told(OrderedStore store, Consumer<Object[]> before) {
    return (OrderedStore)
        Proxy.newProxyInstance(
            OrderedStore.class.getClassLoader(),
            new Class<?>[] {OrderedStore.class},
            (proxy, method, arguments) -> {
              before.accept(arguments == null ? new Object[0] : arguments);
              synchronized (store) {
                try {
                  return method.invoke(store, arguments);
                } catch (InvocationTargetException e) {
                  throw e.getCause();
                }
              }
            });
  }

  private static VersionedWrite write(String key, long version) {
    return new VersionedWrite(
        Bytes.utf8(key), new Position(version), Optional.of(value(key, version)));
  }

  /** Sixteen bytes, of which four fit a chunk. */
  private static Bytes value(String key, long version) {
    return Bytes.utf8("%s%012d".formatted(key, version));
  }

  /** A clear does not wait for readers; what it takes away they may have found already. */
  private static Bytes readBesideAClear(WindowRules rules) {
    Deque<Runnable> steps = new ArrayDeque<>();
    Deque<Runnable> meanwhile = new ArrayDeque<>();
    Map<Long, EngineResult> results = new HashMap<>();
    Consumer<Event> sink =
        event -> {
          Event.EngineDone done = assertInstanceOf(Event.EngineDone.class, event);
          results.put(done.token(), done.result());
        };
    OrderedStore store =
        told(
            new MemoryStore(),
            _ -> {
              for (Runnable each = meanwhile.poll(); each != null; each = meanwhile.poll()) {
                each.run();
              }
            });
    WindowedEngine engine =
        new WindowedEngine(
            store,
            new TaskCompletions(new SplittableRandom(1), steps::add, sink),
            sink,
            () -> true,
            rules,
            new ValueSizes(1, 16, 64));
    apply(engine, 1, "key1", "key2", "key3", "key4", "key5");
    engine.read(
        99, List.of(Bytes.utf8("key1"), Bytes.utf8("none")), new Position(1), Integer.MAX_VALUE);
    meanwhile.add(
        () -> {
          engine.clear(2, KeyRange.ALL);
          apply(engine, 3, "new1", "new2", "new3", "new4", "new5", "new6", "new7", "new8");
          apply(engine, 4, "new1", "new2", "new3", "new4", "new5", "new6", "new7", "new8");
        });
    while (!steps.isEmpty()) {
      steps.removeFirst().run();
    }
    assertTrue(meanwhile.isEmpty(), "it was cleared while the read waited for the store");
    EngineResult.Found found = assertInstanceOf(EngineResult.Found.class, results.get(99L));
    return found.rows().getFirst().orElseThrow().value();
  }

  /** Batch by batch: a large one is brought into the window later. */
  private static void apply(WindowedEngine engine, long version, String... keys) {
    for (String key : keys) {
      engine.apply(version, new EngineBatch(List.of(write(key, version)), List.of()));
    }
  }

  @Test
  void aReadBesideAClearFindsWhatItHadFound() {
    assertEquals(value("key1", 1), readBesideAClear(WindowRules.RIGHT));
  }

  @Test
  void thatItWaitsForReadersIsWhatSavesIt() {
    assertNotEquals(value("key1", 1), readBesideAClear(new UsesAtOnce()));
  }

  /** Real threads read and fold beside one that applies and clears: each value says whose it is. */
  @Test
  void noValueIsAnothersUnderRealThreads() {
    ConcurrentLinkedQueue<String> wrong = new ConcurrentLinkedQueue<>();
    Map<Long, EngineResult> results = new ConcurrentHashMap<>();
    Consumer<Event> sink =
        event -> {
          if (event instanceof Event.EngineDone done) {
            check(done.result(), wrong);
            results.put(done.token(), done.result());
          }
        };
    OrderedStore store =
        told(
            new MemoryStore(),
            arguments -> {
              if (arguments.length > 0 && arguments[0] instanceof StoreBatch batch) {
                batch.puts().forEach(row -> check(row, wrong));
              }
            });
    WindowedEngine engine =
        new WindowedEngine(
            store,
            new WindowThreads("used-again", Bounds.DEFAULT, sink),
            sink,
            () -> true,
            WindowRules.RIGHT,
            new ValueSizes(1, 16, 64));
    engine.windowBytesMax(1 << 20);
    Random random = new Random(1);
    long token = 0;
    for (int version = 1; version <= 20_000; version++) {
      String key = "k%03d".formatted(random.nextInt(200));
      engine.apply(++token, new EngineBatch(List.of(write(key, version)), List.of()));
      Position now = new Position(version);
      Bytes drawn = Bytes.utf8("k%03d".formatted(random.nextInt(250)));
      switch (random.nextInt(12)) {
        case 0, 1, 2 -> engine.read(++token, List.of(Bytes.utf8(key), drawn), now, 1 << 20);
        case 3 ->
            engine.scan(
                ++token,
                new ScanSpec(
                    KeyRange.between(drawn, Optional.empty()), now, false, 50, 9_999, false));
        case 4 -> engine.fold(++token, KeyRange.ALL, new Position(version - 1), now);
        case 5 -> {
          if (random.nextInt(20) == 0) {
            engine.clear(++token, KeyRange.of(drawn, drawn.concat(Bytes.of(0xff))));
          }
        }
        default -> {
          // It goes on.
        }
      }
      if (version % 500 == 0) {
        engine.fold(++token, KeyRange.ALL, now, now);
        long fold = token;
        // So that what waits stays within its bounds, and versions leave.
        Await.until("what is applied is folded", () -> results.containsKey(fold));
      }
    }
    engine.close();
    assertEquals(List.of(), wrong.stream().limit(5).toList());
    assertTrue(
        results.values().stream()
            .anyMatch(each -> each instanceof EngineResult.Folded folded && folded.keys() > 0),
        "versions have left");
  }

  private static void check(EngineResult result, ConcurrentLinkedQueue<String> wrong) {
    if (result instanceof EngineResult.Found found) {
      found.rows().forEach(row -> row.ifPresent(there -> check(there, wrong)));
    } else if (result instanceof EngineResult.Rows rows) {
      rows.rows().forEach(row -> check(row, wrong));
    }
  }

  private static void check(Row row, ConcurrentLinkedQueue<String> wrong) {
    Bytes expected = value(row.key().toUtf8(), row.version().value());
    if (!row.value().equals(expected)) {
      wrong.add(expected.toUtf8() + " is " + row.value());
    }
  }
}
