package org.ecstore.client;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.ecstore.key.Bytes;
import org.ecstore.key.Tuple;

/**
 * What came of holding an index against its table.
 *
 * @param records of the table that were looked at
 * @param entries of the index that were looked at
 * @param differences in words, the first {@link #DIFFERENCES_MAX}
 */
public record IndexCheck(long records, long entries, List<String> differences) {
  /** So many differences are told. */
  public static final int DIFFERENCES_MAX = 100;

  private static final int AT_ONCE = 256;

  public IndexCheck {
    differences = List.copyOf(differences);
  }

  /** Whether there were none. */
  public boolean isSound() {
    return differences.isEmpty();
  }

  /** Both ways, piece by piece. */
  static <V> IndexCheck of(Session session, Index<V> index) {
    List<String> differences = new ArrayList<>();
    long records = 0;
    Optional<TupleRange> rest = Optional.of(TupleRange.all());
    while (rest.isPresent()) {
      TupleRange piece = rest.get();
      List<Tuple> keys = session.read(at -> records(at, index, piece, differences));
      records += keys.size();
      rest = behind(keys);
    }
    TupleRange all = CatalogKeys.entriesOf(index.table().name(), index.name());
    long entries = 0;
    rest = Optional.of(all);
    while (rest.isPresent()) {
      TupleRange piece = rest.get();
      List<Tuple> keys = session.read(at -> entries(at, index, piece, differences));
      entries += keys.size();
      rest = behind(keys).map(from -> all.startingAt(keys.get(keys.size() - 1).append(false)));
    }
    return new IndexCheck(
        records, entries, differences.subList(0, Math.min(differences.size(), DIFFERENCES_MAX)));
  }

  private static Optional<TupleRange> behind(List<Tuple> keys) {
    return keys.size() < AT_ONCE
        ? Optional.empty()
        : Optional.of(TupleRange.from(keys.get(keys.size() - 1).append(false)));
  }

  private static <V> List<Tuple> records(
      Snapshot at, Index<V> index, TupleRange piece, List<String> differences) {
    List<Tuple> keys = new ArrayList<>();
    Map<Tuple, Bytes> wanted = new LinkedHashMap<>();
    Map<Tuple, Tuple> recordOf = new LinkedHashMap<>();
    for (Entry<V> record : at.scan(index.table(), piece).limit(AT_ONCE)) {
      keys.add(record.key());
      Map<Bytes, Bytes> entries = new LinkedHashMap<>();
      index.entries(record.key(), record.value(), entries);
      entries.forEach(
          (key, stored) -> {
            Tuple entry = CatalogKeys.OWN.tuple(key);
            wanted.put(entry, stored);
            recordOf.put(entry, record.key());
          });
    }
    Map<Tuple, Bytes> there = at.getAll(CatalogKeys.OWN, wanted.keySet());
    wanted.forEach(
        (entry, stored) -> {
          Bytes found = there.get(entry);
          if (found == null || !stored.equals(found)) {
            differences.add(
                "record %s has %s entry for %s"
                    .formatted(
                        recordOf.get(entry),
                        found == null ? "no" : "another",
                        index.valueIn(CatalogKeys.OWN.key(entry))));
          }
        });
    return keys;
  }

  private static <V> List<Tuple> entries(
      Snapshot at, Index<V> index, TupleRange piece, List<String> differences) {
    List<Tuple> keys = new ArrayList<>();
    Map<Tuple, Tuple> recordOf = new LinkedHashMap<>();
    for (Entry<Bytes> entry : at.scan(CatalogKeys.OWN, piece).limit(AT_ONCE)) {
      keys.add(entry.key());
      recordOf.put(entry.key(), index.keyIn(CatalogKeys.OWN.key(entry.key()), entry.value()));
    }
    Map<Tuple, V> records = at.getAll(index.table(), Set.copyOf(recordOf.values()));
    recordOf.forEach(
        (entry, key) -> {
          V record = records.get(key);
          Map<Bytes, Bytes> wanted = new LinkedHashMap<>();
          if (record != null) {
            index.entries(key, record, wanted);
          }
          if (!wanted.containsKey(CatalogKeys.OWN.key(entry))) {
            differences.add(
                "entry %s is of record %s, %s"
                    .formatted(
                        index.valueIn(CatalogKeys.OWN.key(entry)),
                        key,
                        record == null ? "which is not there" : "which has another value"));
          }
        });
    return keys;
  }
}
