package org.ecstore.client;

import java.time.Duration;
import java.util.Iterator;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.ecstore.key.Tuple;

/**
 * Reads and writes that take effect together or not at all. Reads see the store as of the
 * transaction's snapshot with its own writes on top; writes stay in this process until the commit.
 * For one thread at a time; where two read, write or commit at once, one of them is told so by a
 * {@link org.ecstore.client.error.WrongArgumentException}.
 *
 * <p>Limits, checked here before anything is sent, each a {@link
 * org.ecstore.client.error.TooLargeException}: key 4 KiB with the table's name, value 1 MiB,
 * transaction 64 MiB of keys and values ({@link org.ecstore.wire.Limits}).
 */
public interface Transaction extends Snapshot {
  /** Writes a value, whether the key is there or not. */
  <V> void put(Table<V> table, Tuple key, V value);

  /**
   * Writes a value that is deleted some time after now, whether the key is there or not.
   *
   * <pre>{@code
   * tx.put(CARTS, Tuple.of(id), cart, Duration.ofMinutes(30));
   * }</pre>
   *
   * @param table of {@link Table#expiringAfter}, so that its readers know
   * @param lifetime from now, by this machine's clock: a millisecond to 100 years
   */
  default <V> void put(Table<V> table, Tuple key, V value, Duration lifetime) {
    throw new UnsupportedOperationException("put for a time");
  }

  /** Writes a key of a table of {@link Codec#nothing}, whether it is there or not. */
  default void put(Table<Nothing> table, Tuple key) {
    put(table, key, Nothing.NOTHING);
  }

  /**
   * Writes a value where there is none.
   *
   * @throws org.ecstore.client.error.AlreadyExistsException if the key is there
   */
  <V> void insert(Table<V> table, Tuple key, V value);

  /**
   * Changes a value that is there.
   *
   * @param change is given the value and gives the new one
   * @return the new value; absent if the key is not there, and then nothing is written
   */
  default <V> Optional<V> update(Table<V> table, Tuple key, UnaryOperator<V> change) {
    Optional<V> value =
        get(table, key).map(now -> Table.given(change.apply(now), table, "the function", "update"));
    value.ifPresent(next -> put(table, key, next));
    return value;
  }

  /**
   * Writes the value that follows from the one that is there, or from there being none.
   *
   * <pre>{@code
   * long visits = tx.upsert(VISITS, Tuple.of("alice"), count -> count.orElse(0L) + 1);
   * }</pre>
   *
   * @return the new value
   */
  default <V> V upsert(Table<V> table, Tuple key, Function<Optional<V>, V> change) {
    V value = Table.given(change.apply(get(table, key)), table, "the function", "upsert");
    put(table, key, value);
    return value;
  }

  /** Deletes a key, whether it is there or not. */
  void delete(Table<?> table, Tuple key);

  /**
   * Deletes all keys of a range, within the limits of a transaction; {@link Session#deleteRange}
   * knows none.
   *
   * @return how many there were
   */
  default long deleteRange(Table<?> table, TupleRange range) {
    long deleted = 0;
    for (Iterator<Tuple> keys = scan(table, range).keys().iterator(); keys.hasNext(); deleted++) {
      delete(table, keys.next());
    }
    return deleted;
  }
}
