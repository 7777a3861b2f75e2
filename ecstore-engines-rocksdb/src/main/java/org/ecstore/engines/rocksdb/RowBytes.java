package org.ecstore.engines.rocksdb;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.ecstore.id.Position;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.model.Row;

/**
 * What stands in the database: under {@code 1} and a key its version (eight bytes, the greatest
 * first) and value, under {@code 0} and a name a metadata entry's value.
 */
final class RowBytes {
  static final byte[] FIRST_ENTRY = {0};
  static final byte[] FIRST_ROW = {1};
  static final byte[] END = {2};

  private static final int VERSION_BYTES = Long.BYTES;

  private RowBytes() {}

  static byte[] key(Bytes key) {
    return prefixed((byte) 1, key);
  }

  static byte[] entry(Bytes name) {
    return prefixed((byte) 0, name);
  }

  private static byte[] prefixed(byte prefix, Bytes bytes) {
    byte[] array = new byte[1 + bytes.length()];
    array[0] = prefix;
    System.arraycopy(bytes.array(), 0, array, 1, bytes.length());
    return array;
  }

  /** Where an interval ends. */
  static byte[] end(KeyRange interval) {
    return interval.end().map(RowBytes::key).orElse(END);
  }

  /** The key, or the name, that is written so. */
  static Bytes bare(byte[] stored) {
    return Bytes.wrap(Arrays.copyOfRange(stored, 1, stored.length));
  }

  static byte[] value(Row row) {
    return ByteBuffer.allocate(VERSION_BYTES + row.value().length())
        .putLong(row.version().value())
        .put(row.value().array())
        .array();
  }

  static Row row(Bytes key, byte[] stored, boolean keyOnly) {
    Position version = new Position(ByteBuffer.wrap(stored).getLong());
    Bytes value =
        keyOnly
            ? Bytes.EMPTY
            : Bytes.wrap(Arrays.copyOfRange(stored, VERSION_BYTES, stored.length));
    return new Row(key, version, value);
  }
}
