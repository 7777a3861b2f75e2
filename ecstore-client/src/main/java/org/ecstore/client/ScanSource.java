package org.ecstore.client;

import java.util.List;
import org.ecstore.client.scan.BytesScan;
import org.ecstore.client.session.BytesReads;
import org.ecstore.key.Bytes;
import org.ecstore.key.Tuple;

/**
 * What a scan gives of what it finds in the store: of keys of a table its records, of an index's
 * entries the records that they are of. Immutable.
 *
 * @param <V> the type of the values
 */
interface ScanSource<V> {
  /**
   * What has been found, and the scan will return.
   *
   * @param at where the scan is
   * @param key the key of the store that the value is of
   */
  record Row(Bytes at, Bytes key, Bytes value) {}

  /** How many are taken at once, as what they are of is read together. */
  default int atOnce() {
    return 1;
  }

  /** Whether keys are enough to find rows. */
  default boolean needsKeysOnly() {
    return false;
  }

  /** Whether no record comes twice. */
  default boolean isDistinct() {
    return true;
  }

  /** A scan begins: what has been written shows in it. */
  default void begin() {}

  /** What has been found, in that order; what is there no more left out. */
  List<Row> rows(BytesReads reads, List<BytesScan.Found> found);

  /** The record of a row. */
  Entry<V> entry(Row row);

  /** The key of the record that was found; keys of tables and of unique indexes have no value. */
  Tuple key(BytesScan.Found found);

  /** Whether {@link #key} needs the value that was found. */
  default boolean needsValueForKey() {
    return false;
  }

  /** How many bytes of what is found come before the elements that an aggregation looks at. */
  int prefixBytes();

  /** How many elements at the end of what is found are no part of what it is found by. */
  default int leftOut() {
    return 0;
  }

  /**
   * Throws unless what is found has the values of the table, as they are.
   *
   * @param what cannot be done with them else, for the message
   */
  void requireValues(String what);

  /** Throws if what was read meanwhile cannot be relied on. */
  default void requireSound() {}
}
