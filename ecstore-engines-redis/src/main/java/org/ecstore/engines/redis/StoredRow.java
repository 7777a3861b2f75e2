package org.ecstore.engines.redis;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.ecstore.id.Position;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.model.Row;

/**
 * A row as the server has it: its version in decimal digits, a space, its value. So {@code
 * redis-cli} shows what it is.
 */
final class StoredRow {
  private StoredRow() {}

  static byte[] of(Row row) {
    byte[] version = (row.version().value() + " ").getBytes(StandardCharsets.US_ASCII);
    byte[] whole = Arrays.copyOf(version, version.length + row.value().length());
    System.arraycopy(row.value().array(), 0, whole, version.length, row.value().length());
    return whole;
  }

  static Row row(Bytes key, byte[] stored) {
    int space = 0;
    while (stored[space] != ' ') {
      space++;
    }
    long version = Long.parseLong(new String(stored, 0, space, StandardCharsets.US_ASCII));
    Bytes value = Bytes.wrap(Arrays.copyOfRange(stored, space + 1, stored.length));
    return new Row(key, new Position(version), value);
  }

  /** Where an interval begins, as a sorted set has it. */
  static byte[] start(KeyRange interval) {
    return bound('[', interval.start());
  }

  /** Where an interval ends. */
  static byte[] end(KeyRange interval) {
    return interval.end().map(end -> bound('(', end)).orElse(new byte[] {'+'});
  }

  private static byte[] bound(char side, Bytes key) {
    byte[] bound = new byte[1 + key.length()];
    bound[0] = (byte) side;
    System.arraycopy(key.array(), 0, bound, 1, key.length());
    return bound;
  }
}
