package org.ecstore.replication.copy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import org.ecstore.core.metrics.Metrics;
import org.ecstore.core.port.Coordination;
import org.ecstore.core.port.Engine;
import org.ecstore.core.port.Engine.EngineBatch;
import org.ecstore.core.port.Engine.MetadataEntry;
import org.ecstore.core.port.Engine.VersionedWrite;
import org.ecstore.core.port.EngineResult;
import org.ecstore.core.port.Event;
import org.ecstore.core.port.Ledger;
import org.ecstore.core.port.Network;
import org.ecstore.core.port.OperatorLog;
import org.ecstore.core.port.Ports;
import org.ecstore.core.port.Timers;
import org.ecstore.core.runtime.NodeContext;
import org.ecstore.id.Epoch;
import org.ecstore.id.MapVersion;
import org.ecstore.id.NodeId;
import org.ecstore.id.Position;
import org.ecstore.id.RangeId;
import org.ecstore.id.ReadPoint;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.model.Row;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What of many calls at random goes ahead of one for which there is no room (decision 0108): the
 * same as by a simple reckoning, which looks at all that waits anew after each step; and what is
 * there in the end is as if all had been done in its order.
 */
class GoesAheadTest {
  private static final int CALLS = 40;
  private static final int KEYS = 12;
  private static final Position AT = new Position(1);

  /** What waits. */
  private sealed interface Waits {
    record Batch(List<VersionedWrite> writes, List<MetadataEntry> metadata, List<Copy> gone)
        implements Waits {}

    record Load(List<Row> rows, boolean isWanted) implements Waits {}

    record Clear(KeyRange keys) implements Waits {}

    record Sync() implements Waits {}
  }

  /** A store that has room for nothing more while it is full, and does what deletes. */
  private static final class Store {
    final Map<Bytes, Bytes> entries = new TreeMap<>();
    final Set<Bytes> rows = new TreeSet<>();
    final Set<Bytes> written = new TreeSet<>();

    /** What has gone while it was full. */
    final Set<Bytes> namesGone = new TreeSet<>();

    final List<KeyRange> cleared = new ArrayList<>();
    boolean isFull;
    private boolean hasDeleted;

    /** Whether it was done. */
    boolean take(Waits call) {
      switch (call) {
        case Waits.Batch batch -> {
          if (isFull && batch.metadata().stream().anyMatch(entry -> entry.value().isPresent())) {
            return false;
          }
          batch.writes().forEach(write -> written.add(write.key()));
          batch.metadata().forEach(this::note);
        }
        case Waits.Load load -> {
          if (isFull && !load.rows().isEmpty()) {
            return false;
          }
          load.rows().forEach(row -> rows.add(row.key()));
        }
        case Waits.Clear(var keys) -> {
          if (isFull) {
            assertFalse(hasDeleted, "what is deleted before a clear is durable");
            cleared.add(keys);
          }
          rows.removeIf(keys::contains);
          written.removeIf(keys::contains);
        }
        case Waits.Sync() -> hasDeleted = false;
      }
      return true;
    }

    private void note(MetadataEntry entry) {
      if (entry.value().isPresent()) {
        entries.put(entry.name(), entry.value().get());
      } else {
        entries.remove(entry.name());
        hasDeleted = true;
        if (isFull) {
          namesGone.add(entry.name());
        }
      }
    }

    /** What is in it, without what a writer notes by itself. */
    String text() {
      Set<Bytes> names = new TreeSet<>(entries.keySet());
      names.remove(Holdings.writtenEntry(AT).name());
      return names + " " + rows + " " + written;
    }
  }

  private final Store store = new Store();
  private final Deque<Runnable> due = new ArrayDeque<>();
  private final Set<Long> timers = new LinkedHashSet<>();
  private final NodeContext context = new NodeContext(new NodeId(1), ports());
  private final EngineWriter writer = writer();
  private final List<Waits> all = new ArrayList<>();
  private final List<Copy> copies = new ArrayList<>();
  private long ids = 10;

  private EngineWriter writer() {
    context.pointFrom(() -> new ReadPoint(Position.ZERO, MapVersion.ZERO));
    return new EngineWriter(context);
  }

  private Ports ports() {
    return new Ports(
        () -> 0,
        port(
            Timers.class,
            (_, method, given) -> {
              if (method.getName().equals("schedule")) {
                timers.add((Long) given[0]);
              }
              return null;
            }),
        new SplittableRandom(1),
        port(Network.class, GoesAheadTest::unused),
        port(Engine.class, (_, method, given) -> called(method.getName(), given)),
        port(Ledger.class, GoesAheadTest::unused),
        port(Coordination.class, GoesAheadTest::unused),
        port(OperatorLog.class, (_, _, _) -> null),
        Metrics.NONE);
  }

  private static Object unused(Object port, Object method, Object[] given) {
    throw new AssertionError("not asked for: " + method);
  }

  private static <T> T port(Class<T> type, InvocationHandler handler) {
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }

  /** A call of the engine, which answers in a later step. */
  private Object called(String name, Object[] given) {
    long token = (Long) given[0];
    Waits call =
        switch (name) {
          case "apply" -> {
            EngineBatch batch = (EngineBatch) given[1];
            yield new Waits.Batch(batch.writes(), batch.metadata(), List.of());
          }
          case "load" -> new Waits.Load(rows((List<?>) given[1]), true);
          case "clear" -> new Waits.Clear((KeyRange) given[1]);
          case "sync" -> new Waits.Sync();
          default -> throw new AssertionError("not asked for: " + name);
        };
    EngineResult result =
        store.take(call)
            ? call instanceof Waits.Sync ? new EngineResult.Synced() : new EngineResult.Applied()
            : new EngineResult.Failed(true, "no room");
    due.add(() -> context.complete(new Event.EngineDone(token, result)));
    return true;
  }

  private static List<Row> rows(List<?> some) {
    return some.stream().map(Row.class::cast).toList();
  }

  /** All waits that have begun are over, and all that comes of it is done. */
  private void passTime() {
    List<Long> over = List.copyOf(timers);
    timers.clear();
    over.forEach(token -> due.add(() -> context.complete(new Event.TimerFired(token))));
    context.flush();
    for (Runnable next = due.poll(); next != null; next = due.poll()) {
      next.run();
      context.flush();
    }
  }

  // --- calls at random

  private static Bytes key(int number) {
    return Bytes.utf8(Character.toString('a' + number));
  }

  private static KeyRange interval(SplittableRandom random) {
    int from = random.nextInt(KEYS);
    int to = from + 1 + random.nextInt(3);
    return to >= KEYS ? KeyRange.from(key(from)) : KeyRange.of(key(from), key(to));
  }

  private Copy copy(KeyRange keys) {
    Copy copy = new Copy(new RangeId(ids++), Epoch.ZERO, keys, Copy.State.BUILT, AT, AT);
    copies.add(copy);
    return copy;
  }

  private static MetadataEntry entry(Copy copy) {
    return new CopyMetadata(copy.id(), copy.epoch(), copy.keys(), AT, AT).toEntry();
  }

  private static MetadataEntry deletion(Copy copy) {
    return new MetadataEntry(CopyMetadata.name(copy.id()), Optional.empty());
  }

  private void call(SplittableRandom random) {
    switch (random.nextInt(9)) {
      case 0, 1 -> note(copy(interval(random)));
      case 2 -> {
        if (!copies.isEmpty()) {
          note(copies.get(random.nextInt(copies.size())));
        }
      }
      case 3, 4 -> {
        if (!copies.isEmpty()) {
          Copy gone = copies.remove(random.nextInt(copies.size()));
          replace(gone, List.of());
          clear(gone.keys());
        }
      }
      case 5 -> {
        if (!copies.isEmpty()) {
          Copy gone = copies.remove(random.nextInt(copies.size()));
          replace(gone, List.of(copy(gone.keys()), copy(interval(random))));
        }
      }
      case 6 -> load(interval(random), random.nextInt(3) > 0);
      case 7 -> clear(interval(random));
      default -> write(key(random.nextInt(KEYS)));
    }
    if (random.nextInt(4) == 0) {
      all.add(new Waits.Sync());
      writer.sync(() -> {});
    }
  }

  private void note(Copy copy) {
    wait(List.of(), List.of(entry(copy)), List.of());
    writer.apply(List.of(), List.of(entry(copy)), () -> {});
  }

  private void write(Bytes key) {
    List<VersionedWrite> writes = List.of(new VersionedWrite(key, AT, Optional.of(Bytes.EMPTY)));
    wait(writes, List.of(), List.of());
    writer.apply(writes, List.of(), () -> {});
  }

  private void replace(Copy gone, List<Copy> by) {
    List<MetadataEntry> entries = by.stream().map(GoesAheadTest::entry).toList();
    List<MetadataEntry> metadata = new ArrayList<>();
    metadata.add(deletion(gone));
    metadata.addAll(entries);
    wait(List.of(), metadata, List.of(gone));
    writer.replace(List.of(gone), entries);
  }

  /** Batches that follow one another are one. */
  private void wait(List<VersionedWrite> writes, List<MetadataEntry> metadata, List<Copy> gone) {
    if (all.isEmpty() || !(all.getLast() instanceof Waits.Batch)) {
      all.add(new Waits.Batch(new ArrayList<>(), new ArrayList<>(), new ArrayList<>()));
    }
    if (all.getLast() instanceof Waits.Batch last) {
      last.writes().addAll(writes);
      last.metadata().addAll(metadata);
      last.gone().addAll(gone);
    }
  }

  private void load(KeyRange keys, boolean isWanted) {
    List<Row> rows = List.of(new Row(keys.start(), AT, Bytes.EMPTY));
    all.add(new Waits.Load(rows, isWanted));
    writer.load(
        rows,
        new EngineWriter.Loader() {
          @Override
          public boolean isWanted() {
            return isWanted;
          }

          @Override
          public void loaded() {}

          @Override
          public void refused() {}
        });
  }

  private void clear(KeyRange keys) {
    all.add(new Waits.Clear(keys));
    // Each with a continuation of its own, as two clears of the same keys are not one.
    long id = ids;
    writer.clear(keys, () -> assertTrue(id <= ids));
  }

  // --- the simple reckoning

  /** What goes ahead of the first call, step by step; it is taken out of what waits. */
  private static void simply(List<Waits> waits, Set<Bytes> namesGone, List<KeyRange> cleared) {
    boolean more = true;
    while (more) {
      withdraw(waits);
      List<KeyRange> before = new ArrayList<>();
      Optional<Waits.Clear> first = Optional.empty();
      Set<Bytes> deleted = new TreeSet<>();
      for (Waits one : waits) {
        switch (one) {
          case Waits.Batch batch -> {
            before.addAll(written(batch));
            List<KeyRange> stays = new ArrayList<>();
            for (MetadataEntry entry : List.copyOf(batch.metadata())) {
              if (entry.value().isEmpty() && isFree(deleted(batch, entry), before)) {
                deleted.add(entry.name());
                batch.metadata().remove(entry);
              } else if (entry.value().isEmpty()) {
                stays.add(deleted(batch, entry));
              }
            }
            before.addAll(stays);
          }
          case Waits.Load load -> {
            if (load.isWanted()) {
              before.add(KeyRange.single(load.rows().getFirst().key()));
            }
          }
          case Waits.Clear clear -> {
            if (first.isEmpty() && isFree(clear.keys(), before)) {
              first = Optional.of(clear);
            }
            before.add(clear.keys());
          }
          case Waits.Sync() -> {}
        }
      }
      namesGone.addAll(deleted);
      if (deleted.isEmpty()) {
        first.ifPresent(clear -> cleared.add(clear.keys()));
        first.ifPresent(waits::remove);
      }
      more = !deleted.isEmpty() || first.isPresent();
    }
  }

  private static void withdraw(List<Waits> waits) {
    Set<Bytes> gone = new TreeSet<>();
    for (Waits one : waits.reversed()) {
      if (one instanceof Waits.Batch batch) {
        Map<Bytes, MetadataEntry> last = new LinkedHashMap<>();
        batch.metadata().forEach(entry -> last.put(entry.name(), entry));
        last.values().removeIf(entry -> entry.value().isPresent() && gone.contains(entry.name()));
        batch.metadata().clear();
        batch.metadata().addAll(last.values());
        for (MetadataEntry entry : batch.metadata()) {
          if (entry.value().isEmpty() && isFree(deleted(batch, entry), written(batch))) {
            gone.add(entry.name());
          } else {
            gone.remove(entry.name());
          }
        }
      }
    }
  }

  private static boolean isFree(KeyRange keys, List<KeyRange> before) {
    return before.stream().noneMatch(keys::overlaps);
  }

  private static List<KeyRange> written(Waits.Batch batch) {
    return batch.metadata().stream()
        .filter(CopyMetadata::isCopy)
        .map(entry -> CopyMetadata.of(entry.value().orElseThrow()).keys())
        .toList();
  }

  private static KeyRange deleted(Waits.Batch batch, MetadataEntry entry) {
    return batch.gone().stream()
        .filter(copy -> deletion(copy).equals(entry))
        .map(Copy::keys)
        .findFirst()
        .orElseThrow();
  }

  private static List<KeyRange> sorted(List<KeyRange> some) {
    return some.stream().sorted(Comparator.comparing(KeyRange::toString)).toList();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4})
  void theSameAsByASimpleReckoning(int seed) {
    int gone = 0;
    for (int run = 0; run < 25; run++) {
      GoesAheadTest one = new GoesAheadTest();
      one.compare(new SplittableRandom(1_000L * seed + run));
      gone += one.store.cleared.size() + one.store.namesGone.size();
    }
    assertTrue(gone > 100, gone + " went ahead");
  }

  private void compare(SplittableRandom random) {
    Store inOrder = new Store();
    for (int i = 0; i < 6; i++) {
      Copy copy = copy(interval(random));
      store.take(new Waits.Batch(List.of(), List.of(entry(copy)), List.of()));
      inOrder.take(new Waits.Batch(List.of(), List.of(entry(copy)), List.of()));
    }
    store.isFull = true;
    MetadataEntry refused = Holdings.incarnationEntry(2);
    inOrder.take(new Waits.Batch(List.of(), List.of(refused), List.of()));
    writer.apply(List.of(), List.of(refused), () -> {});
    passTime();
    assertTrue(writer.trouble().isPresent());
    for (int i = 0; i < CALLS; i++) {
      call(random);
    }
    all.stream()
        .filter(one -> !(one instanceof Waits.Load(_, var isWanted)) || isWanted)
        .forEach(inOrder::take);
    passTime();
    passTime();
    Set<Bytes> namesGone = new TreeSet<>();
    List<KeyRange> cleared = new ArrayList<>();
    simply(new ArrayList<>(all), namesGone, cleared);
    assertEquals(namesGone, store.namesGone);
    assertEquals(sorted(cleared), sorted(store.cleared));

    store.isFull = false;
    passTime();
    assertEquals(Optional.empty(), writer.trouble());
    assertEquals(0, writer.waitingWrites());
    assertEquals(inOrder.text(), store.text());
  }
}
