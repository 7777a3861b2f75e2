package org.ecstore.client;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.ecstore.client.CatalogVersion.Maintained;
import org.ecstore.client.IndexDescription.State;
import org.ecstore.client.error.UniqueViolationException;
import org.ecstore.client.session.BytesTransaction;
import org.ecstore.key.Bytes;
import org.ecstore.key.Tuple;

/**
 * The entries of indexes that belong to a transaction's writes. They are written before the
 * transaction reads by an index, and before it commits: first those go that are no longer right, of
 * all records, then the new ones come; so two records may exchange a value of a unique index. The
 * record that was there before is read for it, and validated. For one thread at a time.
 */
final class IndexedWrites {
  private static final int AT_ONCE_MIN = 16;
  private static final int AT_ONCE_MAX = 512;

  /** Of records that are looked at together, about. */
  private static final long BYTES_AT_ONCE = 8L << 20;

  private final BytesTransaction raw;
  private final Map<String, Written<?>> tables = new LinkedHashMap<>();

  IndexedWrites(BytesTransaction raw) {
    this.raw = raw;
  }

  /** What was written of a table with indexes. */
  private static final class Written<V> {
    private final Table<V> table;
    private final List<Maintained<V>> indexes;

    /** Keys written since entries were. */
    private final Set<Bytes> dirty = new LinkedHashSet<>();

    /** Of which value of a key the entries are, where this transaction has written some. */
    private final Map<Bytes, Optional<Bytes>> entered = new HashMap<>();

    Written(Table<V> table, List<Maintained<V>> indexes) {
      this.table = table;
      this.indexes = indexes;
    }
  }

  /**
   * An entry that has to be written.
   *
   * @param wasThere whether the record had it before, in an index that is not whole yet: if another
   *     record has it there, that is for the build to say
   */
  private record Added(Index<?> index, Tuple key, Bytes at, Bytes stored, boolean wasThere) {}

  /** A key of a table with indexes was written. */
  <V> void wrote(Table<V> table, List<Maintained<V>> indexes, Bytes key) {
    tables.computeIfAbsent(table.name(), name -> new Written<>(table, indexes)).dirty.add(key);
  }

  /** Writes the entries of all that was written. */
  void enter() {
    List<Added> added = new ArrayList<>();
    for (Written<?> written : tables.values()) {
      enter(written, added);
    }
    for (int from = 0; from < added.size(); from += AT_ONCE_MAX) {
      add(added.subList(from, Math.min(added.size(), from + AT_ONCE_MAX)));
    }
  }

  private <V> void enter(Written<V> written, List<Added> added) {
    List<Bytes> keys = List.copyOf(written.dirty);
    written.dirty.clear();
    int from = 0;
    int atOnce = AT_ONCE_MIN;
    while (from < keys.size()) {
      List<Bytes> some = keys.subList(from, Math.min(keys.size(), from + atOnce));
      long bytes = enter(written, some, added);
      from += some.size();
      long each = 1 + bytes / some.size();
      atOnce = (int) Math.max(AT_ONCE_MIN, Math.min(AT_ONCE_MAX, BYTES_AT_ONCE / each));
    }
  }

  /** How many bytes the records had. */
  private <V> long enter(Written<V> written, List<Bytes> keys, List<Added> added) {
    List<Bytes> unread = keys.stream().filter(key -> !written.entered.containsKey(key)).toList();
    Map<Bytes, Bytes> stored = unread.isEmpty() ? Map.of() : raw.stored(unread);
    long bytes = 0;
    for (Bytes key : keys) {
      Optional<Bytes> before =
          written.entered.getOrDefault(key, Optional.ofNullable(stored.get(key)));
      Optional<Bytes> now = raw.written(key);
      for (Maintained<V> index : written.indexes) {
        enter(written.table, index, key, before, now, added);
      }
      written.entered.put(key, now);
      bytes += before.map(Bytes::length).orElse(0);
    }
    return bytes;
  }

  private <V> void enter(
      Table<V> table,
      Maintained<V> maintained,
      Bytes key,
      Optional<Bytes> was,
      Optional<Bytes> now,
      List<Added> added) {
    Index<V> index = maintained.index();
    Tuple tuple = table.tuple(key);
    Map<Bytes, Bytes> old = entries(table, index, key, tuple, was);
    Map<Bytes, Bytes> wanted = entries(table, index, key, tuple, now);
    old.forEach(
        (at, entry) -> {
          if (!wanted.containsKey(at)) {
            remove(maintained, tuple, at);
          }
        });
    wanted.forEach(
        (at, entry) -> {
          Bytes before = old.get(at);
          boolean isThere = before != null && entry.equals(before);
          if (!isThere || maintained.state() != State.READABLE) {
            added.add(new Added(index, tuple, at, entry, before != null));
          }
        });
  }

  /**
   * Removes an entry of a record. In a unique index that is not whole yet two records may have one
   * value, and the entry be of the other: then it stays, and is written all the same, so that a
   * build which writes it at the same time is a conflict under each isolation.
   */
  private <V> void remove(Maintained<V> maintained, Tuple key, Bytes at) {
    if (maintained.index().isUnique() && maintained.state() != State.READABLE) {
      Bytes entry = raw.get(List.of(at)).get(at);
      if (entry != null && !maintained.index().keyIn(at, entry).equals(key)) {
        raw.put(at, entry);
        return;
      }
    }
    raw.delete(at);
  }

  private static <V> Map<Bytes, Bytes> entries(
      Table<V> table, Index<V> index, Bytes key, Tuple tuple, Optional<Bytes> record) {
    Map<Bytes, Bytes> entries = new LinkedHashMap<>();
    record.ifPresent(bytes -> index.entries(tuple, table.decode(key, bytes), entries));
    return entries;
  }

  private void add(List<Added> some) {
    List<Bytes> unique =
        some.stream().filter(each -> each.index().isUnique()).map(Added::at).distinct().toList();
    Map<Bytes, Bytes> taken = new HashMap<>(unique.isEmpty() ? Map.of() : raw.get(unique));
    for (Added each : some) {
      Bytes owned = taken.get(each.at());
      if (owned != null && each.wasThere() && !isOwn(each, owned)) {
        raw.put(each.at(), owned);
        continue;
      }
      if (owned != null) {
        requireOwn(each, owned);
      }
      raw.put(each.at(), each.stored());
      if (each.index().isUnique()) {
        taken.put(each.at(), each.stored());
      }
    }
  }

  private static boolean isOwn(Added added, Bytes taken) {
    return added.index().keyIn(added.at(), taken).equals(added.key());
  }

  private static void requireOwn(Added added, Bytes taken) {
    Tuple owner = added.index().keyIn(added.at(), taken);
    if (!owner.equals(added.key())) {
      throw violation(added.index(), added.at(), added.key(), owner);
    }
  }

  static UniqueViolationException violation(Index<?> index, Bytes at, Tuple key, Tuple owner) {
    return new UniqueViolationException(
        index.table().name(), index.name(), index.valueIn(at), key, owner);
  }

  /**
   * Writes the entries of records that are there already: for builds.
   *
   * @return about how many bytes records and entries have
   */
  <V> long enterStored(Index<V> index, Map<Tuple, V> records) {
    List<Added> wanted = new ArrayList<>();
    long bytes = 0;
    for (Map.Entry<Tuple, V> record : records.entrySet()) {
      Map<Bytes, Bytes> entries = new LinkedHashMap<>();
      index.entries(record.getKey(), record.getValue(), entries);
      entries.forEach(
          (at, stored) -> wanted.add(new Added(index, record.getKey(), at, stored, false)));
      bytes += index.table().encode(record.getValue()).length();
    }
    List<Bytes> keys = wanted.stream().map(Added::at).distinct().toList();
    Map<Bytes, Bytes> there = new HashMap<>(keys.isEmpty() ? Map.of() : raw.get(keys));
    for (Added each : wanted) {
      Bytes found = there.get(each.at());
      if (found != null && index.isUnique()) {
        requireOwn(each, found);
      }
      if (found == null || !each.stored().equals(found)) {
        raw.put(each.at(), each.stored());
        there.put(each.at(), each.stored());
      }
      bytes += each.at().length() + each.stored().length();
    }
    return bytes;
  }
}
