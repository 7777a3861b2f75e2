package org.ecstore.engines.mysql;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Optional;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;

/** Where a key, or the bound of an interval, is in the two tables of rows. */
final class StoredKey {
  private StoredKey() {}

  /** Whether the key is too long for the table that is ordered by keys. */
  static boolean isLong(Bytes key) {
    return key.length() > Tables.INDEXED_BYTES_MAX;
  }

  /** By what a long key's row is found. */
  static byte[] id(Bytes key) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(key.array());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  /** The first bytes of a key, by which long ones are ordered first. */
  static Bytes head(Bytes key) {
    return key.slice(0, Math.min(key.length(), Tables.INDEXED_BYTES_MAX));
  }

  /** The rest. */
  static Bytes tail(Bytes key) {
    return key.slice(Math.min(key.length(), Tables.INDEXED_BYTES_MAX), key.length());
  }

  /**
   * The interval with bounds that are no longer than indexed keys: of these it has the same. Absent
   * if it has none of them.
   */
  static Optional<KeyRange> indexed(KeyRange interval) {
    Optional<Bytes> start = bound(interval.start());
    Optional<Bytes> end = interval.end().flatMap(StoredKey::bound);
    if (start.isEmpty() || (end.isPresent() && start.get().compareTo(end.get()) >= 0)) {
      return Optional.empty();
    }
    return Optional.of(KeyRange.between(start.get(), end));
  }

  /** A key that has the same indexed keys at or above it; absent if there are none. */
  private static Optional<Bytes> bound(Bytes key) {
    return isLong(key) ? KeyRange.prefix(head(key)).end() : Optional.of(key);
  }
}
