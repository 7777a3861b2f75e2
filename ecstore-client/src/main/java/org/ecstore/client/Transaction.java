package org.ecstore.client;

import org.ecstore.key.Tuple;

/**
 * Reads and writes that take effect together or not at all. Reads see the store as of the
 * transaction's snapshot with its own writes on top; writes stay in this process until the commit.
 * For one thread at a time.
 *
 * <p>Limits, checked here before anything is sent, each a {@link
 * org.ecstore.client.error.TooLargeException}: key 4 KiB with the table's name, value 1 MiB,
 * transaction 64 MiB of keys and values ({@link org.ecstore.wire.Limits}).
 */
public interface Transaction extends Snapshot {
  /** Writes a value, whether the key is there or not. */
  <V> void put(Table<V> table, Tuple key, V value);

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

  /** Deletes a key, whether it is there or not. */
  void delete(Table<?> table, Tuple key);
}
