package org.ecstore.client;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.ecstore.client.error.ClosedException;
import org.ecstore.client.error.EcStoreException;
import org.ecstore.client.routing.ClientTime;
import org.ecstore.key.Bytes;
import org.ecstore.key.Tuple;

/**
 * Deletes records that are over, some at a time. Each lot is a transaction of its own; after it the
 * sweep rests for as long as that took, so that work of others has half of the time at least. Safe
 * for use by several threads; several processes may sweep at once.
 *
 * <p>Of a lot the transaction reads the entries. The records are looked at in a snapshot beside it,
 * no older than its own, so that those that live and are written all the time are in no one's way:
 * an entry goes if the record does not need it, and who writes one that does writes the entry too,
 * which is a conflict. Only records that are over are read by the transaction that deletes them.
 * Those of a table with indexes that this program has not used are left, with their entries, to one
 * that has.
 */
final class ExpirySweeper {
  /** Entries: few enough that a lot is hardly in the way of others, and done soon. */
  static final int AT_ONCE = 64;

  /** Records may be of a mebibyte each: no more of them are held at once. */
  private static final int RECORDS_AT_ONCE = 8;

  private static final Duration STEP_MAX = Duration.ofSeconds(5);

  private final TypedSession session;
  private final ClientTime time;

  ExpirySweeper(TypedSession session, ClientTime time) {
    this.session = session.requiresNew().sweeping(STEP_MAX);
    this.time = time;
  }

  /**
   * What came of a sweep.
   *
   * @param deleted how many records
   * @param failure the first there was, if any: what could not be done is left to the next
   */
  record Swept(long deleted, Optional<EcStoreException> failure) {
    private Swept and(Swept more) {
      return new Swept(deleted + more.deleted, failure.or(more::failure));
    }
  }

  /** What came of one lot, and the entries behind it. */
  private record Step(Swept swept, Optional<TupleRange> rest) {}

  /** What a transaction has looked at, and how many records it has deleted. */
  private record Lot(List<Tuple> entries, int deleted) {}

  /**
   * Deletes all that is over, but for what cannot be deleted now: behind that it goes on.
   *
   * @throws ClosedException if the store is closed
   */
  Swept sweep() {
    Swept swept = new Swept(0, Optional.empty());
    // Several processes that sweep at once begin at different parts.
    int first = (int) (time.random() * Expiry.PARTS);
    List<Integer> due;
    try {
      due = session.read(snapshot -> due(snapshot, first));
    } catch (ClosedException e) {
      throw e;
    } catch (EcStoreException e) {
      return new Swept(0, Optional.of(e));
    }
    for (int part : due) {
      swept = swept.and(sweep(part));
    }
    return swept;
  }

  /** The parts that have an entry whose time has come: mostly none. */
  private List<Integer> due(Snapshot snapshot, int first) {
    long now = time.millis();
    List<Integer> due = new ArrayList<>();
    for (int i = 0; i < Expiry.PARTS; i++) {
      int part = (first + i) % Expiry.PARTS;
      if (snapshot.scan(Expiry.TABLE, Expiry.entries(part, now)).limit(1).count() > 0) {
        due.add(part);
      }
    }
    return due;
  }

  private Swept sweep(int part) {
    Swept swept = new Swept(0, Optional.empty());
    Optional<TupleRange> rest = Optional.of(Expiry.entries(part, time.millis()));
    int atOnce = AT_ONCE;
    while (rest.isPresent()) {
      Step step = step(rest.get(), atOnce);
      swept = swept.and(step.swept());
      rest = step.rest();
      atOnce =
          step.swept().failure().isPresent()
              ? Math.max(1, atOnce / 4)
              : Math.min(AT_ONCE, 2 * atOnce);
    }
    return swept;
  }

  /**
   * A lot that fails is tried again as smaller ones, and an entry that fails alone is passed by.
   */
  private Step step(TupleRange from, int most) {
    long begun = time.nanos();
    Step step;
    try {
      Lot lot = session.transact(tx -> deleteSome(tx, from, most));
      step =
          new Step(
              new Swept(lot.deleted(), Optional.empty()),
              lot.entries().size() < most ? Optional.empty() : behindLast(from, lot.entries()));
    } catch (ClosedException e) {
      throw e;
    } catch (EcStoreException e) {
      step =
          new Step(new Swept(0, Optional.of(e)), most > 1 ? Optional.of(from) : behindFirst(from));
    }
    // Interrupted, it ends.
    return time.pause(time.nanos() - begun) ? step : new Step(step.swept(), Optional.empty());
  }

  /** Absent where not even the entry can be read. */
  private Optional<TupleRange> behindFirst(TupleRange from) {
    try {
      return behindLast(
          from,
          session.read(snapshot -> snapshot.scan(Expiry.TABLE, from).limit(1).keys().toList()));
    } catch (ClosedException e) {
      throw e;
    } catch (EcStoreException e) {
      return Optional.empty();
    }
  }

  private static Optional<TupleRange> behindLast(TupleRange from, List<Tuple> entries) {
    return entries.isEmpty()
        ? Optional.empty()
        : Optional.of(Expiry.behind(from, entries.get(entries.size() - 1)));
  }

  private Lot deleteSome(Transaction tx, TupleRange from, int most) {
    long now = time.millis();
    List<Tuple> entries = tx.scan(Expiry.TABLE, from).limit(most).keys().toList();
    Map<String, List<Expiry.Due>> byTable = new HashMap<>();
    for (Tuple entry : entries) {
      Expiry.due(entry)
          .ifPresent(
              due -> byTable.computeIfAbsent(due.table(), name -> new ArrayList<>()).add(due));
    }
    int deleted = 0;
    for (Map.Entry<String, List<Expiry.Due>> each : byTable.entrySet()) {
      Table<Bytes> table = Table.of(each.getKey(), Codec.bytes());
      List<Expiry.Due> dues = each.getValue();
      for (int i = 0; i < dues.size(); i += RECORDS_AT_ONCE) {
        List<Expiry.Due> some = dues.subList(i, Math.min(dues.size(), i + RECORDS_AT_ONCE));
        List<Tuple> over = session.read(beside -> over(beside, table, keys(some), now));
        Set<Tuple> left = new HashSet<>();
        for (Tuple key : over(tx, table, over, now)) {
          if (((TypedTransaction) tx).deleteUndeclared(table, key)) {
            deleted++;
          } else {
            left.add(key);
          }
        }
        some.stream()
            .filter(due -> !left.contains(due.key()))
            .forEach(due -> tx.delete(Expiry.TABLE, due.entry()));
      }
    }
    return new Lot(entries, deleted);
  }

  private static List<Tuple> keys(List<Expiry.Due> dues) {
    return dues.stream().map(Expiry.Due::key).toList();
  }

  /** Those of the keys whose records are there and over. */
  private static List<Tuple> over(
      Snapshot at, Table<Bytes> table, List<Tuple> keys, long nowMillis) {
    List<Tuple> over = new ArrayList<>();
    at.getAll(table, keys)
        .forEach(
            (key, stored) -> {
              if (Expiry.over(stored).orElse(Long.MAX_VALUE) <= nowMillis) {
                over.add(key);
              }
            });
    return over;
  }
}
