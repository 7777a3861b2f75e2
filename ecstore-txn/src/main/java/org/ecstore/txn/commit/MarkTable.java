package org.ecstore.txn.commit;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.ecstore.id.Position;
import org.ecstore.id.TxnId;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.wire.client.Isolation;

/**
 * The marks on one range: write marks on keys, of transactions that are not decided or committed
 * and not readable yet; read marks on keys and intervals, all of transactions that are not decided
 * (rules 2, 3). A foreign mark in the way is a conflict: nobody waits. One whose number is known is
 * in the way of what a version of that number would be in the way of (decision 0023). Writes of
 * serializable transactions are not in each other's way: their numbers put them in order (decision
 * 0028).
 */
public final class MarkTable {
  private static final long SOUGHT_NANOS = 50_000_000;
  private static final int SOUGHT_MAX = 1_000;

  private final Map<TxnId, Marked> byTxn = new TreeMap<>();
  private final TreeMap<Bytes, List<Marked>> writes = new TreeMap<>();
  private final TreeMap<Bytes, List<Marked>> reads = new TreeMap<>();
  private final IntervalIndex<Marked> intervals = new IntervalIndex<>();
  private final Map<TxnId, List<IntervalIndex.Node<Marked>>> intervalsOf = new TreeMap<>();
  private final TreeMap<Position, Integer> noted = new TreeMap<>();

  /** Keys on which one who reads lost to a write, and until when writes keep apart there. */
  private final LinkedHashMap<Bytes, Long> sought = new LinkedHashMap<>();

  /** A foreign mark and the keys it was met on. */
  public record Foreign(KeyRange keys, Marked marked) {}

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

  /**
   * The first foreign mark in the way of reads and intervals at a snapshot, and of writes.
   *
   * @param writesAt where what is written must not have changed since: the snapshot, under snapshot
   *     isolation; absent if it may have, as under the serializable one
   */
  public Optional<Foreign> foreign(
      List<Bytes> readKeys,
      List<KeyRange> scanned,
      Position readsAt,
      List<Bytes> writeKeys,
      Optional<Position> writesAt) {
    for (Bytes key : readKeys) {
      Optional<Foreign> found = written(key, Optional.of(readsAt));
      if (found.isPresent()) {
        return found;
      }
    }
    for (KeyRange interval : scanned) {
      for (Bytes key : writes.tailMap(interval.start(), true).keySet()) {
        if (!interval.isBelowEnd(key)) {
          break;
        }
        Optional<Foreign> found = written(key, Optional.of(readsAt));
        if (found.isPresent()) {
          return found;
        }
      }
    }
    for (Bytes key : writeKeys) {
      Optional<Foreign> found =
          (writesAt.isPresent() ? written(key, writesAt) : writtenAlone(key)).or(() -> read(key));
      if (found.isPresent()) {
        return found;
      }
    }
    return Optional.empty();
  }

  private Optional<Foreign> written(Bytes key, Optional<Position> at) {
    for (Marked marked : writes.getOrDefault(key, List.of())) {
      boolean inTheWay =
          marked.number.isEmpty() || at.filter(marked.number.get()::isAfter).isPresent();
      if (inTheWay) {
        return Optional.of(new Foreign(KeyRange.single(key), marked));
      }
    }
    return Optional.empty();
  }

  /**
   * An undecided transaction that must find its key as its snapshot had it; or any, of a key that
   * is sought.
   */
  private Optional<Foreign> writtenAlone(Bytes key) {
    for (Marked marked : writes.getOrDefault(key, List.of())) {
      boolean inTheWay = marked.isolation == Isolation.SNAPSHOT || sought.containsKey(key);
      if (marked.number.isEmpty() && inTheWay) {
        return Optional.of(new Foreign(KeyRange.single(key), marked));
      }
    }
    return Optional.empty();
  }

  /**
   * One who must find a key unchanged has lost to a write of it. For a while writes of the key are
   * in each other's way again, so that there are moments without any: where they come without end
   * nobody else would ever get through (decision 0028).
   */
  void seek(Bytes key, long nowNanos) {
    sought.remove(key);
    sought.put(key, nowNanos + SOUGHT_NANOS);
    if (sought.size() > SOUGHT_MAX) {
      sought.remove(sought.keySet().iterator().next());
    }
  }

  /** Forgets what was sought long enough ago. */
  void forgetSought(long nowNanos) {
    Iterator<Long> oldest = sought.values().iterator();
    while (oldest.hasNext() && oldest.next() - nowNanos <= 0) {
      oldest.remove();
    }
  }

  private Optional<Foreign> read(Bytes key) {
    List<Marked> readers = reads.get(key);
    return (readers == null ? intervals.on(key) : Optional.of(readers.getFirst()))
        .map(marked -> new Foreign(KeyRange.single(key), marked));
  }

  /** Places marks; the caller has seen that no foreign one is in the way. */
  public void place(Marked marked) {
    byTxn.put(marked.txn, marked);
    for (Bytes key : marked.writes) {
      writes.computeIfAbsent(key, _ -> new ArrayList<>(1)).add(marked);
    }
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

  /** A transaction is committed: what it read is in nobody's way any more. */
  void committed(Marked marked, Position number) {
    marked.number = Optional.of(number);
    removeReads(marked);
  }

  /** Takes a transaction's marks away; false if they are gone already. */
  public boolean remove(Marked marked) {
    if (!byTxn.remove(marked.txn, marked)) {
      return false;
    }
    marked.writes.forEach(key -> remove(writes, key, marked));
    removeReads(marked);
    if (!marked.writes.isEmpty()) {
      noted.computeIfPresent(marked.noted, (_, count) -> count == 1 ? null : count - 1);
    }
    return true;
  }

  private static void remove(TreeMap<Bytes, List<Marked>> from, Bytes key, Marked marked) {
    List<Marked> there = from.get(key);
    if (there != null && there.remove(marked) && there.isEmpty()) {
      from.remove(key);
    }
  }

  private void removeReads(Marked marked) {
    marked.reads.forEach(key -> remove(reads, key, marked));
    List<IntervalIndex.Node<Marked>> scanned = intervalsOf.remove(marked.txn);
    if (scanned != null) {
      scanned.forEach(intervals::remove);
    }
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
      addThose(writes.getOrDefault(key, List.of()), position, found);
    }
    if (interval.isPresent()) {
      for (Map.Entry<Bytes, List<Marked>> entry :
          writes.tailMap(interval.get().start(), true).entrySet()) {
        if (!interval.get().isBelowEnd(entry.getKey())) {
          break;
        }
        addThose(entry.getValue(), position, found);
      }
    }
    return found;
  }

  private static void addThose(List<Marked> marks, Position position, List<Marked> to) {
    for (Marked marked : marks) {
      if (marked.mayBeAtOrBelow(position)) {
        to.add(marked);
      }
    }
  }
}
