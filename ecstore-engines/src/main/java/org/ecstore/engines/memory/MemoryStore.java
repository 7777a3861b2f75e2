package org.ecstore.engines.memory;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.ecstore.core.port.Engine.MetadataEntry;
import org.ecstore.core.port.EngineResult;
import org.ecstore.engines.store.OrderedStore;
import org.ecstore.engines.store.StoreBatch;
import org.ecstore.engines.store.StoreException;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.model.EngineTraits;
import org.ecstore.model.Row;

/**
 * An {@link OrderedStore} in memory, for tests and simulation, with the disk below it: it outlives
 * the engine above, and a crash takes what the contract lets a crash take. Closing it makes what
 * was done durable, and it may be used again.
 */
public final class MemoryStore implements OrderedStore {
  private static final EngineTraits TRAITS = new EngineTraits("memory", true, true, true, true);

  /**
   * What became of a row or an entry since the last sync: the state before, then each after a call.
   */
  private record History<T>(Optional<T> before, List<Change<T>> changes) {
    static <T> History<T> from(Optional<T> before) {
      return new History<>(before, new ArrayList<>());
    }

    /** A state that a crash may leave: none of before a call, if there is one of that call on. */
    Optional<T> drawn(RandomGenerator random, long from, long to) {
      int least = 0;
      int greatest = 0;
      for (int i = 0; i < changes.size(); i++) {
        least = changes.get(i).call() <= from ? i + 1 : least;
        greatest = changes.get(i).call() <= to ? i + 1 : greatest;
      }
      int kept = least + (greatest > least ? random.nextInt(greatest - least + 1) : 0);
      return kept == 0 ? before : changes.get(kept - 1).after();
    }
  }

  private record Change<T>(long call, Optional<T> after) {}

  private final NavigableMap<Bytes, Row> rows = new TreeMap<>();
  private final NavigableMap<Bytes, Bytes> metadata = new TreeMap<>();
  private final Map<Bytes, History<Row>> unsyncedRows = new TreeMap<>();
  private final Map<Bytes, History<Bytes>> unsyncedMetadata = new TreeMap<>();

  /** Calls that changed since the last sync. */
  private long calls;

  private final EngineTraits traits;
  private boolean lost;
  private boolean full;
  private boolean broken;
  private long bytesMax = Long.MAX_VALUE;

  /** A store that persists, and is good at everything. */
  public MemoryStore() {
    this(TRAITS);
  }

  /** A store in the place of one that is good at something else. */
  public MemoryStore(EngineTraits traits) {
    this.traits = traits;
  }

  /**
   * All that it had is gone. A store that notices answers nothing from now on but that it has lost
   * it, until it is opened again; one that does not answers as if nothing had ever been there.
   */
  public synchronized void lose(boolean notices) {
    rows.clear();
    metadata.clear();
    forgetHistory();
    lost = notices;
  }

  /** Whether it answers nothing, for it has lost what it had. */
  public synchronized boolean isLost() {
    return lost;
  }

  /** A process has it open now that knows nothing of what was there before. */
  public synchronized void reopen() {
    lost = false;
  }

  /** From now on there is no room (changes and syncs fail), or there is again. */
  public synchronized void full(boolean now) {
    full = now;
  }

  /**
   * From now on it has room for so many bytes, as a server in memory has: a call that puts anything
   * fails where there are as many, with a part of its rows put. What only deletes is done.
   */
  public synchronized void room(long most) {
    bytesMax = most;
  }

  /** Of its rows and metadata entries. */
  public synchronized long bytes() {
    long bytes = rows.values().stream().mapToLong(MemoryStore::bytes).sum();
    for (Map.Entry<Bytes, Bytes> entry : metadata.entrySet()) {
      bytes += entry.getKey().length() + entry.getValue().length();
    }
    return bytes;
  }

  /** From now on every call fails with an I/O error, or works again. */
  public synchronized void broken(boolean now) {
    broken = now;
  }

  /**
   * The machine stops: of the changes since the last sync any part stays, row by row, and the
   * metadata of some of the first calls, which then stay as a whole (rule W4).
   */
  public synchronized void crash(RandomGenerator random) {
    long whole = calls == 0 || random.nextBoolean() ? 0 : random.nextLong(calls + 1);
    unsyncedRows.forEach(
        (key, history) ->
            history
                .drawn(random, whole, calls)
                .ifPresentOrElse(row -> rows.put(key, row), () -> rows.remove(key)));
    unsyncedMetadata.forEach(
        (name, history) ->
            history
                .drawn(random, whole, whole)
                .ifPresentOrElse(value -> metadata.put(name, value), () -> metadata.remove(name)));
    forgetHistory();
  }

  /** The rows of an interval, for checkers. */
  public synchronized List<Row> look(KeyRange interval) {
    return List.copyOf(view(interval).values());
  }

  private void forgetHistory() {
    unsyncedRows.clear();
    unsyncedMetadata.clear();
    calls = 0;
  }

  @Override
  public EngineTraits profile() {
    return traits;
  }

  private void check(boolean changes) {
    if (lost) {
      throw new StoreException(StoreException.Reason.LOST, "the memory store was emptied");
    }
    if (broken) {
      throw new StoreException(
          StoreException.Reason.UNAVAILABLE, "the disk of the memory store is broken");
    }
    if (changes && full) {
      throw noRoom();
    }
  }

  private static StoreException noRoom() {
    return new StoreException(StoreException.Reason.NO_ROOM, "no room in the memory store");
  }

  private void checkRoom() {
    if (bytesMax < Long.MAX_VALUE && bytes() >= bytesMax) {
      throw noRoom();
    }
  }

  @Override
  public synchronized List<Optional<Row>> get(List<Bytes> keys, int bytesMax) {
    check(false);
    List<Optional<Row>> found = new ArrayList<>();
    long bytes = 0;
    for (Bytes key : keys) {
      Optional<Row> row = Optional.ofNullable(rows.get(key));
      found.add(row);
      bytes += row.map(MemoryStore::bytes).orElse(0);
      if (bytes >= bytesMax) {
        break;
      }
    }
    return found;
  }

  private static int bytes(Row row) {
    return row.key().length() + row.value().length();
  }

  @Override
  public synchronized EngineResult.Rows scan(KeyRange interval, ScanBounds bounds) {
    check(false);
    List<Row> found = new ArrayList<>();
    long bytes = 0;
    NavigableMap<Bytes, Row> view = view(interval);
    for (Row each : (bounds.reverse() ? view.descendingMap() : view).values()) {
      Row row = bounds.keysOnly() ? new Row(each.key(), each.version(), Bytes.EMPTY) : each;
      found.add(row);
      bytes += bytes(row);
      if (found.size() >= bounds.recordsMax() || bytes >= bounds.bytesMax()) {
        return new EngineResult.Rows(found, false);
      }
    }
    return new EngineResult.Rows(found, true);
  }

  private NavigableMap<Bytes, Row> view(KeyRange interval) {
    return interval.end().isPresent()
        ? rows.subMap(interval.start(), true, interval.end().get(), false)
        : rows.tailMap(interval.start(), true);
  }

  @Override
  public synchronized void write(StoreBatch batch) {
    check(true);
    calls++;
    for (Row row : batch.puts()) {
      checkRoom();
      change(row.key(), Optional.of(row));
    }
    if (batch.metadata().stream().anyMatch(entry -> entry.value().isPresent())) {
      checkRoom();
    }
    batch.deletes().forEach(key -> change(key, Optional.empty()));
    batch.metadata().forEach(this::change);
  }

  private void change(Bytes key, Optional<Row> after) {
    Optional<Row> before =
        Optional.ofNullable(after.isPresent() ? rows.put(key, after.get()) : rows.remove(key));
    unsyncedRows
        .computeIfAbsent(key, unchanged -> History.from(before))
        .changes()
        .add(new Change<>(calls, after));
  }

  private void change(MetadataEntry entry) {
    Optional<Bytes> before =
        Optional.ofNullable(
            entry.value().isPresent()
                ? metadata.put(entry.name(), entry.value().get())
                : metadata.remove(entry.name()));
    unsyncedMetadata
        .computeIfAbsent(entry.name(), unchanged -> History.from(before))
        .changes()
        .add(new Change<>(calls, entry.value()));
  }

  @Override
  public synchronized void clear(KeyRange interval) {
    check(true);
    calls++;
    List.copyOf(view(interval).keySet()).forEach(key -> change(key, Optional.empty()));
  }

  @Override
  public synchronized List<MetadataEntry> metadata() {
    check(false);
    List<MetadataEntry> all = new ArrayList<>(metadata.size());
    metadata.forEach((name, value) -> all.add(new MetadataEntry(name, Optional.of(value))));
    return all;
  }

  @Override
  public synchronized void sync() {
    check(true);
    forgetHistory();
  }

  @Override
  public synchronized EngineResult.Size size(KeyRange interval) {
    check(false);
    NavigableMap<Bytes, Row> view = view(interval);
    return new EngineResult.Size(
        view.size(), view.values().stream().mapToLong(MemoryStore::bytes).sum());
  }

  @Override
  public synchronized Optional<Bytes> middle(KeyRange interval) {
    check(false);
    List<Bytes> keys = List.copyOf(view(interval).keySet());
    return keys.size() < 2 ? Optional.empty() : Optional.of(keys.get(keys.size() / 2));
  }

  @Override
  public synchronized void close() {
    forgetHistory();
  }
}
