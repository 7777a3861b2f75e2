package org.ecstore.client;

import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import org.ecstore.client.copies.AnsweredBy;
import org.ecstore.id.ReadPoint;
import org.ecstore.key.Tuple;

/**
 * What can be read at one moment of the store: every read sees all commits up to that moment and
 * none after it. In a {@link Transaction} its own writes are on top. Reads that only read never
 * conflict (rule 12).
 *
 * <p>Reads throw {@link org.ecstore.client.error.SnapshotTooOldException} if the moment is too long
 * past, {@link org.ecstore.client.error.UnavailableException} if no node answers before the
 * deadline, and {@link org.ecstore.client.error.ClosedException} after the end. A snapshot is safe
 * for use by several threads; a transaction is for one thread at a time.
 */
public interface Snapshot {
  /** The value of a key. */
  <V> Optional<V> get(Table<V> table, Tuple key);

  /**
   * When a record of a table of {@link Table#expiringAfter} is over. It is there until a sweep has
   * deleted it, a little later: who must not see it meanwhile asks this.
   *
   * @return absent if the key is not there, or never expires, as it was written by a program whose
   *     table had no lifetime
   */
  default Optional<Instant> expiresAt(Table<?> table, Tuple key) {
    throw new UnsupportedOperationException("expiresAt");
  }

  /** Whether a key is there. Reads no value. */
  default boolean exists(Table<?> table, Tuple key) {
    return scan(table, TupleRange.only(key)).count() > 0;
  }

  /** The values of the keys that are there, in the order asked; read in parallel. */
  <V> Map<Tuple, V> getAll(Table<V> table, Collection<Tuple> keys);

  /**
   * Reads of any tables that are sent together, so that they take one wait.
   *
   * <pre>{@code
   * Reads reads = at.reads();
   * Read<Optional<Book>> book = reads.get(BOOKS, id);
   * Read<Optional<Stock>> stock = reads.get(STOCK, id);
   * reads.run();
   * }</pre>
   */
  default Reads reads() {
    throw new UnsupportedOperationException("reads");
  }

  /** A scan of some of a table's keys. Nothing is read before the first record is asked for. */
  <V> Scan<V> scan(Table<V> table, TupleRange range);

  /** A scan of a whole table. */
  default <V> Scan<V> scan(Table<V> table) {
    return scan(table, TupleRange.all());
  }

  /** A scan of the keys that begin with a tuple's elements. */
  default <V> Scan<V> scan(Table<V> table, Tuple prefix) {
    return scan(table, TupleRange.prefix(prefix));
  }

  /**
   * A scan of a table's records in the order of an index: of those whose values there are in a
   * range. A record with several values in it comes with each. In a transaction the records are as
   * they are when they come. Of an index that is not unique, and of one whose values are tuples of
   * several elements, {@link TupleRange#only} means all that begin with it.
   *
   * @throws org.ecstore.client.error.WrongArgumentException if the index cannot be read: it is not
   *     in the catalog, not built, or declared otherwise there
   */
  default <V> Scan<V> scan(Index<V> index, TupleRange range) {
    throw new UnsupportedOperationException("scan of an index");
  }

  /** A scan of a table's records in the order of an index: of those that are in it. */
  default <V> Scan<V> scan(Index<V> index) {
    return scan(index, TupleRange.all());
  }

  /** A scan of the records whose values in an index begin with a tuple's elements. */
  default <V> Scan<V> scan(Index<V> index, Tuple prefix) {
    return scan(index, TupleRange.prefix(prefix));
  }

  /** A scan of the parts of records that an index keeps in its entries. */
  default <C> Scan<C> scan(Covering<?, C> covering, TupleRange range) {
    throw new UnsupportedOperationException("scan of an index");
  }

  /** A scan of the parts of all records that an index keeps in its entries. */
  default <C> Scan<C> scan(Covering<?, C> covering) {
    return scan(covering, TupleRange.all());
  }

  /** A scan of the parts of the records whose values in an index begin with a tuple's elements. */
  default <C> Scan<C> scan(Covering<?, C> covering, Tuple prefix) {
    return scan(covering, TupleRange.prefix(prefix));
  }

  /** The record that has a value in an index, the first of them if there are several. */
  default <V> Optional<Entry<V>> find(Index<V> index, Tuple value) {
    return scan(index, TupleRange.only(value)).first();
  }

  /**
   * How many entries of a range an index has: one for each record, or for each of its values if it
   * may have several. Reads the index only.
   */
  default long count(Index<?> index, TupleRange range) {
    return scan(index, range).count();
  }

  /** How many records a range of a table has. Reads their keys only. */
  default long count(Table<?> table, TupleRange range) {
    return scan(table, range).count();
  }

  /** How many records a table has. Reads their keys only. */
  default long count(Table<?> table) {
    return count(table, TupleRange.all());
  }

  /** The moment, for {@link Session#snapshotAt} in this or another process. */
  String token();

  /**
   * Which copy answered the last read that needed one, how far behind it was, and why it was asked:
   * as it was near, or as its node's engine reads best of those about as near, and so on. Absent
   * before the first. Of several threads' reads at once, any may be the last.
   */
  Optional<AnsweredBy> lastRead();

  /** The moment, as the store counts. */
  ReadPoint readPoint();
}
