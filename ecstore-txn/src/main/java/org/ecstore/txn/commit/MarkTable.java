package org.ecstore.txn.commit;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.ecstore.id.Position;
import org.ecstore.id.TxnId;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;

/**
 * The marks on one range: at most one write mark a key, any number of read marks on keys and
 * intervals (rules 2, 3). A foreign mark in the way is a conflict: nobody waits.
 */
final class MarkTable {
  private final Map<TxnId, Marked> byTxn = new TreeMap<>();
  private final TreeMap<Bytes, Marked> writes = new TreeMap<>();
  private final TreeMap<Bytes, List<Marked>> reads = new TreeMap<>();
  private final IntervalIndex<Marked> intervals = new IntervalIndex<>();
  private final Map<TxnId, List<IntervalIndex.Node<Marked>>> intervalsOf = new TreeMap<>();
  private final TreeMap<Position, Integer> noted = new TreeMap<>();

  /** A foreign mark and the keys it was met on. */
  record Foreign(KeyRange keys, Marked marked) {}

  Optional<Marked> find(TxnId txn) {
    return Optional.ofNullable(byTxn.get(txn));
  }

  /** All transactions with marks, in order of their ids. */
  Collection<Marked> all() {
    return byTxn.values();
  }

  boolean isEmpty() {
    return byTxn.isEmpty();
  }

  /** The first foreign mark in the way of these reads, intervals and writes. */
  Optional<Foreign> foreign(List<Bytes> readKeys, List<KeyRange> scanned, List<Bytes> writeKeys) {
    for (Bytes key : readKeys) {
      if (writes.containsKey(key)) {
        return Optional.of(new Foreign(KeyRange.single(key), writes.get(key)));
      }
    }
    for (KeyRange interval : scanned) {
      Map.Entry<Bytes, Marked> written = writes.ceilingEntry(interval.start());
      if (written != null && interval.isBelowEnd(written.getKey())) {
        return Optional.of(new Foreign(KeyRange.single(written.getKey()), written.getValue()));
      }
    }
    for (Bytes key : writeKeys) {
      Optional<Marked> other = onKey(key);
      if (other.isPresent()) {
        return Optional.of(new Foreign(KeyRange.single(key), other.get()));
      }
    }
    return Optional.empty();
  }

  private Optional<Marked> onKey(Bytes key) {
    if (writes.containsKey(key)) {
      return Optional.of(writes.get(key));
    }
    List<Marked> readers = reads.get(key);
    if (readers != null) {
      return Optional.of(readers.getFirst());
    }
    return intervals.on(key);
  }

  /** Places marks; the caller has seen that no foreign one is in the way. */
  void place(Marked marked) {
    byTxn.put(marked.txn, marked);
    marked.writes.forEach(key -> writes.put(key, marked));
    for (Bytes key : marked.reads) {
      reads.computeIfAbsent(key, _ -> new ArrayList<>(1)).add(marked);
    }
    if (!marked.intervals.isEmpty()) {
      intervalsOf.put(
          marked.txn, marked.intervals.stream().map(keys -> intervals.add(keys, marked)).toList());
    }
    if (!marked.writes.isEmpty()) {
      noted.merge(marked.noted, 1, Integer::sum);
    }
  }

  /** Takes a transaction's marks away; false if they are gone already. */
  boolean remove(Marked marked) {
    if (!byTxn.remove(marked.txn, marked)) {
      return false;
    }
    marked.writes.forEach(writes::remove);
    for (Bytes key : marked.reads) {
      List<Marked> readers = reads.get(key);
      if (readers != null && readers.remove(marked) && readers.isEmpty()) {
        reads.remove(key);
      }
    }
    List<IntervalIndex.Node<Marked>> scanned = intervalsOf.remove(marked.txn);
    if (scanned != null) {
      scanned.forEach(intervals::remove);
    }
    if (!marked.writes.isEmpty()) {
      noted.computeIfPresent(marked.noted, (_, count) -> count == 1 ? null : count - 1);
    }
    return true;
  }

  /** The least D noted with a write mark. */
  Optional<Position> leastNoted() {
    return noted.isEmpty() ? Optional.empty() : Optional.of(noted.firstKey());
  }

  /** Write marks on the keys or in the interval that may turn out at or below a position. */
  List<Marked> mayBeAtOrBelow(List<Bytes> keys, Optional<KeyRange> interval, Position position) {
    List<Marked> found = new ArrayList<>();
    if (noted.isEmpty() || !position.isAfter(noted.firstKey())) {
      return found;
    }
    for (Bytes key : keys) {
      Marked marked = writes.get(key);
      if (marked != null && marked.mayBeAtOrBelow(position)) {
        found.add(marked);
      }
    }
    if (interval.isPresent()) {
      for (Map.Entry<Bytes, Marked> entry :
          writes.tailMap(interval.get().start(), true).entrySet()) {
        if (!interval.get().isBelowEnd(entry.getKey())) {
          break;
        }
        if (entry.getValue().mayBeAtOrBelow(position)) {
          found.add(entry.getValue());
        }
      }
    }
    return found;
  }
}
