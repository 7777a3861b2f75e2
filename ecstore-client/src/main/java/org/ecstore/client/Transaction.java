package org.ecstore.client;

import java.time.Duration;
import java.util.Iterator;
import java.util.List;
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

  /**
   * Adds to a number without reading it: applied in the order of commits, so that transactions
   * which add to one key are not in each other's way, however many they are. A key that is not
   * there counts as 0; the sum wraps around as Java's {@code long} does.
   *
   * <pre>{@code
   * static final Table<Long> HITS = Table.of("hits", Codec.longs());
   *
   * store.execute(tx -> tx.add(HITS, Tuple.of("/home"), 1));
   * }</pre>
   *
   * <p>There is no result, which would have to be read. {@link #get} within the transaction gives
   * the number with what it has added, and is a read as any other: under serializable isolation
   * another's add to the key is a conflict then, and for a moment after one such conflict others'
   * adds to the key keep apart, too. Under snapshot isolation reads are not validated: what depends
   * on the number is put, or {@linkplain #update updated}, and not added.
   *
   * <p>A value that has not 8 bytes stays as it is. Where a request may be sent again after an
   * {@link org.ecstore.client.error.UnknownOutcomeException}, an idempotency key keeps it from
   * being added twice ({@link Session#transact(String, Codec, TransactionWork)}).
   *
   * @param table of {@link Codec#longs}, without indexes and lifetime, which need what was there
   * @param amount below 0 takes away
   * @throws org.ecstore.client.error.WrongArgumentException if the table is another one
   */
  default void add(Table<Long> table, Tuple key, long amount) {
    throw new UnsupportedOperationException("add");
  }

  /**
   * As {@link #add}: the greater of the number that is there and this one, or this one.
   *
   * @throws org.ecstore.client.error.WrongArgumentException as {@link #add}
   */
  default void max(Table<Long> table, Tuple key, long number) {
    throw new UnsupportedOperationException("max");
  }

  /**
   * As {@link #add}: the lesser of the number that is there and this one, or this one.
   *
   * @throws org.ecstore.client.error.WrongArgumentException as {@link #add}
   */
  default void min(Table<Long> table, Tuple key, long number) {
    throw new UnsupportedOperationException("min");
  }

  /**
   * Puts an element at the end of a list, without reading it, if none with equal bytes is in it. As
   * {@link #add} it is in no other's way. A key that is not there counts as the empty list.
   *
   * <pre>{@code
   * static final Table<List<String>> TAGS = Table.of("tags", Codec.lists(Codec.utf8()));
   *
   * store.execute(tx -> tx.appendIfAbsent(TAGS, Tuple.of(42), "new"));
   * }</pre>
   *
   * <p>An element for which the list has no room, within the limit of a value, is left out without
   * an error: a program that must know reads the list. Each read of a list that is appended to
   * applies what was not folded into it yet, so such lists are short: what grows without end is a
   * table of its own.
   *
   * @param table of {@link Codec#lists}, without indexes and lifetime
   * @throws org.ecstore.client.error.WrongArgumentException if the table is another one
   * @throws org.ecstore.client.error.TooLargeException if what this transaction appends to one list
   *     is more than a value may be
   */
  default <E> void appendIfAbsent(Table<List<E>> table, Tuple key, E element) {
    throw new UnsupportedOperationException("appendIfAbsent");
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
