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

  private static final int AT_ONCE = 64;

  public IndexCheck {
    differences = List.copyOf(differences);
  }

  /** Whether there were none. */
  public boolean isSound() {
    return differences.isEmpty();
  }

  /** One piece: the keys that were looked at, and what was found. */
  private record Piece(List<Tuple> keys, List<String> differences) {}

  private interface Look {
    Piece at(Snapshot snapshot, Scanned scanned);
  }

  /** What a piece begins with, and behind which key. */
  private record Scanned(TupleRange range, Optional<Tuple> behind) {
    <T> List<Entry<T>> of(Snapshot at, Table<T> table) {
      TupleRange rest = behind.map(range::startingAt).orElse(range);
      return at.scan(table, rest).limit(AT_ONCE + 1L).stream()
          .filter(entry -> !behind.equals(Optional.of(entry.key())))
          .limit(AT_ONCE)
          .toList();
    }
  }

  /**
   * Both ways, piece by piece.
   *
   * @param piece runs after each
   */
  static <V> IndexCheck of(Session session, Index<V> index, Runnable piece) {
    List<String> differences = new ArrayList<>();
    long records =
        look(
            session,
            TupleRange.all(),
            (at, scanned) -> records(at, index, scanned),
            piece,
            differences);
    long entries =
        look(
            session,
            CatalogKeys.entriesOf(index.table().name(), index.name()),
            (at, scanned) -> entries(at, index, scanned),
            piece,
            differences);
    return new IndexCheck(records, entries, differences);
  }

  private static long look(
      Session session, TupleRange range, Look look, Runnable after, List<String> differences) {
    Optional<Tuple> behind = Optional.empty();
    long looked = 0;
    while (true) {
      Scanned scanned = new Scanned(range, behind);
      Piece piece = session.read(at -> look.at(at, scanned));
      looked += piece.keys().size();
      after.run();
      for (String difference : piece.differences()) {
        if (differences.size() < DIFFERENCES_MAX) {
          differences.add(difference);
        }
      }
      if (piece.keys().isEmpty()) {
        return looked;
      }
      behind = Optional.of(piece.keys().get(piece.keys().size() - 1));
    }
  }

  private static <V> Piece records(Snapshot at, Index<V> index, Scanned scanned) {
    List<String> differences = new ArrayList<>();
    List<Tuple> keys = new ArrayList<>();
    Map<Tuple, Bytes> wanted = new LinkedHashMap<>();
    Map<Tuple, Tuple> recordOf = new LinkedHashMap<>();
    for (Entry<V> record : scanned.of(at, index.table())) {
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
    return new Piece(keys, differences);
  }

  private static <V> Piece entries(Snapshot at, Index<V> index, Scanned scanned) {
    List<String> differences = new ArrayList<>();
    List<Tuple> keys = new ArrayList<>();
    Map<Tuple, Tuple> recordOf = new LinkedHashMap<>();
    for (Entry<Bytes> entry : scanned.of(at, CatalogKeys.OWN)) {
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
    return new Piece(keys, differences);
  }
}
