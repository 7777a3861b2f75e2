package org.ecstore.txn.commit;

import java.util.Collection;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.ecstore.id.Position;
import org.ecstore.id.TxnId;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;

/**
 * The intents on one range: write intents on keys, of transactions that are not decided or
 * committed and not readable yet; read intents on keys and intervals, all of transactions that are
 * not decided (rules 2, 3). A conflicting intent in the way is a conflict: no transaction waits.
 * One whose number is known is in the way of what a version of that number would be in the way of
 * (decision 0023). Writes of serializable transactions are not in each other's way, and operations
 * of any: their numbers put them in order (rule 28, decision 0028).
 */
public final class IntentTable {
  private static final long SOUGHT_NANOS = 50_000_000;
  private static final int SOUGHT_MAX = 1_000;

  private final TreeMap<TxnId, TransactionIntents> byTxn = new TreeMap<>();
  private final TreeMap<Bytes, KeyIntents> writes;
  private final TreeMap<Bytes, KeyIntents> reads;
  private final IntervalIndex<TransactionIntents> intervals = new IntervalIndex<>();
  private final TreeMap<Position, Integer> noted = new TreeMap<>();

  /** Which one was looked at last, of those that are looked at some at a time. */
  private Optional<TxnId> lookedThrough = Optional.empty();

  /** Keys on which one who reads lost to a write, and until when writes keep apart there. */
  private final LinkedHashMap<Bytes, Long> sought = new LinkedHashMap<>();

  /** A conflicting intent and the keys it was met on. */
  public record Foreign(KeyRange keys, TransactionIntents holder) {}

  public IntentTable() {
    this(Comparator.naturalOrder());
  }

  /** With keys in their order, by a comparator that may count. */
  IntentTable(Comparator<Bytes> order) {
    writes = new TreeMap<>(order);
    reads = new TreeMap<>(order);
  }

  Optional<TransactionIntents> find(TxnId txn) {
    return Optional.ofNullable(byTxn.get(txn));
  }

  /** All transactions with intents, in order of their ids. */
  Collection<TransactionIntents> all() {
    return byTxn.values();
  }

  /** Those that follow the one that was looked at last, in order of their ids, so many at most. */
  List<TransactionIntents> next(int most) {
    Map<TxnId, TransactionIntents> left =
        lookedThrough.isPresent() ? byTxn.tailMap(lookedThrough.get(), false) : byTxn;
    return left.values().stream().limit(most).toList();
  }

  void lookedAt(TransactionIntents holder) {
    lookedThrough = Optional.of(holder.txn);
  }

  /** The next ones are the first ones. */
  void lookedAtAll() {
    lookedThrough = Optional.empty();
  }

  boolean isEmpty() {
    return byTxn.isEmpty();
  }

  /**
   * Enters a transaction that has no intents yet. From now on closed positions stay at or below the
   * D it noted.
   */
  void enter(TransactionIntents holder) {
    byTxn.put(holder.txn, holder);
    if (!holder.writes.isEmpty()) {
      noted.merge(holder.noted, 1, Integer::sum);
    }
  }

  /** As the other, for all intents at once. */
  public Optional<Foreign> place(
      TransactionIntents holder, Position readsAt, Optional<Position> writesAt) {
    enter(holder);
    return place(holder, readsAt, writesAt, Integer.MAX_VALUE);
  }

  /**
   * Tests the next keys of a transaction for conflicting intents and places its own, about so many:
   * each key is tested and marked in one step, which is all that rule 3 needs, for the transaction
   * that comes second to a key finds the intent of the first. An interval is marked before what is
   * written in it is looked through. The first conflicting intent in the way, if there is one, ends
   * it.
   *
   * @param readsAt the snapshot of reads and intervals
   * @param writesAt where what is written must not have changed since: the snapshot, under snapshot
   *     isolation; absent if it may have, as under the serializable one
   */
  Optional<Foreign> place(
      TransactionIntents holder, Position readsAt, Optional<Position> writesAt, int most) {
    int left = most;
    while (left > 0 && holder.writesPlaced < holder.writes.size()) {
      Bytes key = holder.writes.get(holder.writesPlaced);
      Optional<Foreign> found =
          (writesAt.isPresent() && !holder.operates(key)
                  ? written(key, writesAt, holder)
                  : writtenAlone(key, holder))
              .or(() -> read(key));
      if (found.isPresent()) {
        return found;
      }
      add(writes, key, holder);
      holder.writesPlaced++;
      left--;
    }
    while (left > 0 && holder.readsPlaced < holder.reads.size()) {
      Bytes key = holder.reads.get(holder.readsPlaced);
      Optional<Foreign> found = written(key, Optional.of(readsAt), holder);
      if (found.isPresent()) {
        return found;
      }
      add(reads, key, holder);
      holder.readsPlaced++;
      left--;
    }
    return placeIntervals(holder, readsAt, left);
  }

  private Optional<Foreign> placeIntervals(TransactionIntents holder, Position readsAt, int most) {
    int left = most;
    while (left > 0 && !holder.isPlaced()) {
      if (holder.searchFrom.isEmpty()) {
        KeyRange next = holder.intervals.get(holder.scanned.size());
        holder.scanned.add(intervals.add(next, holder));
        holder.searchFrom = Optional.of(next.start());
        left--;
      }
      KeyRange interval = holder.intervals.get(holder.scanned.size() - 1);
      Bytes from = holder.searchFrom.orElseThrow();
      Optional<Bytes> goesOn = Optional.empty();
      for (Bytes key : writes.tailMap(from, true).keySet()) {
        if (!interval.isBelowEnd(key)) {
          break;
        }
        if (left <= 0) {
          goesOn = Optional.of(key);
          break;
        }
        Optional<Foreign> found = written(key, Optional.of(readsAt), holder);
        if (found.isPresent()) {
          return found;
        }
        left--;
      }
      holder.searchFrom = goesOn;
    }
    return Optional.empty();
  }

  private Optional<Foreign> written(Bytes key, Optional<Position> at, TransactionIntents own) {
    for (TransactionIntents holder : on(writes, key)) {
      boolean inTheWay =
          holder.number.isEmpty() || at.filter(holder.number.get()::isAfter).isPresent();
      if (inTheWay && holder != own) {
        return Optional.of(new Foreign(KeyRange.single(key), holder));
      }
    }
    return Optional.empty();
  }

  /**
   * An undecided transaction that must find its key as its snapshot had it; or any, of a key that
   * is sought.
   */
  private Optional<Foreign> writtenAlone(Bytes key, TransactionIntents own) {
    for (TransactionIntents holder : on(writes, key)) {
      boolean inTheWay = holder.guards(key) || sought.containsKey(key);
      if (holder.number.isEmpty() && inTheWay && holder != own) {
        return Optional.of(new Foreign(KeyRange.single(key), holder));
      }
    }
    return Optional.empty();
  }

  private static Collection<TransactionIntents> on(TreeMap<Bytes, KeyIntents> intents, Bytes key) {
    KeyIntents there = intents.get(key);
    return there == null ? List.of() : there.all();
  }

  private static void add(TreeMap<Bytes, KeyIntents> to, Bytes key, TransactionIntents holder) {
    to.computeIfAbsent(key, _ -> new KeyIntents()).add(holder);
  }

  /** Whether a transaction has a write intent on a key. */
  boolean isWrittenBy(Bytes key, TransactionIntents holder) {
    KeyIntents there = writes.get(key);
    return there != null && there.contains(holder);
  }

  /**
   * One who must find a key unchanged has lost to a write of it. For a while writes of the key are
   * in each other's way again, so that there are moments without any: where they come without end
   * no other transaction would ever get through (decision 0028).
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
    KeyIntents readers = reads.get(key);
    return (readers == null ? intervals.on(key) : readers.all().stream().findFirst())
        .map(holder -> new Foreign(KeyRange.single(key), holder));
  }

  /** A transaction is committed: what it wrote counts as a version of this number. */
  void committed(TransactionIntents holder, Position number) {
    holder.number = Optional.of(number);
  }

  /** Takes all intents of a transaction away; false if they are gone already. */
  public boolean remove(TransactionIntents holder) {
    takeAway(holder, Integer.MAX_VALUE);
    return leave(holder);
  }

  /** Takes intents of a transaction away, about so many; true once none is left. */
  boolean takeAway(TransactionIntents holder, int most) {
    int left = most - takeReads(holder, most);
    while (left > 0 && holder.writesPlaced > 0) {
      remove(writes, holder.writes.get(--holder.writesPlaced), holder);
      left--;
    }
    return holder.writesPlaced == 0 && !hasReads(holder);
  }

  /** Takes intents of what a transaction has read away, so many at most; how many. */
  int takeReads(TransactionIntents holder, int most) {
    int taken = 0;
    while (taken < most && holder.readsPlaced > 0) {
      remove(reads, holder.reads.get(--holder.readsPlaced), holder);
      taken++;
    }
    while (taken < most && !holder.scanned.isEmpty()) {
      intervals.remove(holder.scanned.removeLast());
      taken++;
    }
    return taken;
  }

  boolean hasReads(TransactionIntents holder) {
    return holder.readsPlaced > 0 || !holder.scanned.isEmpty();
  }

  /** Forgets a transaction whose intents are taken away; false if it was forgotten before. */
  boolean leave(TransactionIntents holder) {
    if (!byTxn.remove(holder.txn, holder)) {
      return false;
    }
    if (!holder.writes.isEmpty()) {
      noted.computeIfPresent(holder.noted, (_, count) -> count == 1 ? null : count - 1);
    }
    return true;
  }

  private static void remove(
      TreeMap<Bytes, KeyIntents> from, Bytes key, TransactionIntents holder) {
    KeyIntents there = from.get(key);
    if (there != null) {
      there.remove(holder);
      if (there.isEmpty()) {
        from.remove(key);
      }
    }
  }

  /** The least D noted with a write intent. */
  Optional<Position> leastNoted() {
    return noted.isEmpty() ? Optional.empty() : Optional.of(noted.firstKey());
  }

  /**
   * Write intents on the keys or in the interval that may turn out at or below a position, so many
   * at most: the next ones of a search, which goes on where it ended. What it has passed by stays
   * out of the way, as no intent comes in a read's way later (rule 10).
   */
  Set<TransactionIntents> mayBeAtOrBelow(IntentSearch search, int most) {
    Set<TransactionIntents> found = new LinkedHashSet<>();
    if (noted.isEmpty() || !search.position().isAfter(noted.firstKey())) {
      search.end();
      return found;
    }
    while (search.nextKey().isPresent()) {
      if (!addThose(on(writes, search.nextKey().get()), search.position(), found, most)) {
        return found;
      }
      search.keyDone();
    }
    if (search.rest().isPresent()) {
      KeyRange rest = search.rest().get();
      for (Map.Entry<Bytes, KeyIntents> entry : writes.tailMap(rest.start(), true).entrySet()) {
        if (!rest.isBelowEnd(entry.getKey())) {
          break;
        }
        if (!addThose(entry.getValue().all(), search.position(), found, most)) {
          search.goOnAt(entry.getKey());
          return found;
        }
      }
    }
    search.end();
    return found;
  }

  /** False once there are so many; whether others follow is not known then. */
  private static boolean addThose(
      Collection<TransactionIntents> intents,
      Position position,
      Set<TransactionIntents> to,
      int most) {
    for (TransactionIntents holder : intents) {
      if (holder.mayBeAtOrBelow(position)) {
        to.add(holder);
        if (to.size() == most) {
          return false;
        }
      }
    }
    return true;
  }
}
