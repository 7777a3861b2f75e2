package org.ecstore.client;

import java.util.List;
import java.util.Optional;
import org.ecstore.key.Tuple;

/** Deletes a range piece by piece, each in a transaction of its own. */
final class RangeDeletion {
  /** Keys: few enough that a piece is hardly in the way of others, and done soon. */
  private static final int AT_ONCE = 500;

  private RangeDeletion() {}

  /** How many keys there were. */
  static long run(Session session, Table<?> table, TupleRange range) {
    Optional<TupleRange> rest = Optional.of(range);
    long deleted = 0;
    while (rest.isPresent()) {
      TupleRange piece = rest.get();
      List<Tuple> keys = session.transact(tx -> deleteFirst(tx, table, piece));
      deleted += keys.size();
      rest =
          keys.size() < AT_ONCE
              ? Optional.empty()
              : Optional.of(piece.startingAt(keys.get(keys.size() - 1)));
    }
    return deleted;
  }

  private static List<Tuple> deleteFirst(Transaction tx, Table<?> table, TupleRange range) {
    List<Tuple> keys = tx.scan(table, range).limit(AT_ONCE).keys().toList();
    keys.forEach(key -> tx.delete(table, key));
    return keys;
  }
}
