package org.ecstore.client;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import org.ecstore.client.error.EcStoreException;
import org.ecstore.client.error.WrongArgumentException;
import org.ecstore.key.Bytes;
import org.ecstore.key.Tuple;

/**
 * Records that are deleted some time after they were written, and the entries by which they are
 * found then (decision 0063). Both are written by one transaction, and neither is read for it:
 *
 * <pre>
 *   table, key                                     8 bytes that say so | when it is over, 8 bytes | value
 *   ecstore, ("expiry", part, when, table, key)    nothing
 * </pre>
 *
 * <p>The record itself says when it is over; an entry only says when to look. So entries that are
 * left behind, by a later write or a deletion, do no harm. Times are milliseconds of clients'
 * clocks. Entries are in parts, so that not all are written at the end of one range, and their
 * times are rounded up by a sixteenth of the lifetime at most, so that a record which is written
 * over and over leaves some tens. Steps are powers of two and begin at a moment of each key's own:
 * lifetimes that differ a little round alike, and records do not come due together.
 */
final class Expiry {
  static final Table<Bytes> TABLE = Table.of(StoredTokenKey.TABLE.name(), Codec.bytes());

  /** Entries are in so many parts. */
  static final int PARTS = 16;

  static final Duration LIFETIME_MIN = Duration.ofMillis(1);
  static final Duration LIFETIME_MAX = Duration.ofDays(36_500);

  /** No text begins like this, no number is as long, and no record of a codec of ours is this. */
  private static final long MARK = 0xFF65_6373_7454_4C01L;

  private static final int HEAD_BYTES = 2 * Long.BYTES;
  private static final String KIND = "expiry";
  private static final int ROUNDING = 16;

  private static final int TABLE_NAME = 3;
  private static final int KEY = 4;

  private Expiry() {}

  /**
   * What an entry says.
   *
   * @param key of the table
   */
  record Due(Tuple entry, String table, Tuple key) {}

  static Duration checked(Duration lifetime) {
    if (lifetime.compareTo(LIFETIME_MIN) < 0 || lifetime.compareTo(LIFETIME_MAX) > 0) {
      throw new WrongArgumentException(
          "a record lives for a millisecond to 100 years", null, "lifetime", lifetime);
    }
    return lifetime;
  }

  /** When a record is over that is written now. */
  static long over(long nowMillis, Duration lifetime) {
    return nowMillis + checked(lifetime).toMillis();
  }

  /** The bytes of a record. */
  static Bytes stored(long overMillis, Bytes value) {
    return Bytes.wrap(
        ByteBuffer.allocate(HEAD_BYTES + value.length())
            .putLong(MARK)
            .putLong(overMillis)
            .put(value.array())
            .array());
  }

  /** When a record is over; absent if it never is, as it was written without a lifetime. */
  static OptionalLong over(Bytes stored) {
    if (stored.length() < HEAD_BYTES) {
      return OptionalLong.empty();
    }
    ByteBuffer head = ByteBuffer.wrap(stored.array());
    return head.getLong() == MARK ? OptionalLong.of(head.getLong()) : OptionalLong.empty();
  }

  /** The value in the bytes of a record; all of them if it was written without a lifetime. */
  static Bytes value(Bytes stored) {
    if (over(stored).isEmpty()) {
      return stored;
    }
    byte[] value = new byte[stored.length() - HEAD_BYTES];
    ByteBuffer.wrap(stored.array()).position(HEAD_BYTES).get(value);
    return Bytes.wrap(value);
  }

  /** The entry by which a record is found; no sooner than it is over. */
  static Tuple entry(Table<?> table, Tuple key, long overMillis, Duration lifetime) {
    Bytes encoded = key.encode();
    long hash = (table.name().hashCode() * 31L + encoded.hashCode()) * 0x9E37_79B9_7F4A_7C15L;
    long step = Long.highestOneBit(Math.max(1, lifetime.toMillis() / ROUNDING));
    long begin = Math.floorMod(hash, step);
    long when = (Math.floorDiv(overMillis - begin, step) + 1) * step + begin;
    long part = (hash >>> (Integer.SIZE + 1)) % PARTS;
    return Tuple.of(KIND, part, when, table.name(), encoded);
  }

  /** The entries of a part whose time has come. */
  static TupleRange entries(int part, long byMillis) {
    return TupleRange.between(
        Tuple.of(KIND, (long) part), Tuple.of(KIND, (long) part, byMillis + 1));
  }

  /** What of a range of entries is behind one of them. */
  static TupleRange behind(TupleRange entries, Tuple entry) {
    return entries.startingAt(entry.append(false));
  }

  /** What an entry says; absent if it is none that this release has written. */
  static Optional<Due> due(Tuple entry) {
    try {
      return entry.size() == KEY + 1
          ? Optional.of(new Due(entry, entry.string(TABLE_NAME), Tuple.decode(entry.bytes(KEY))))
          : Optional.empty();
    } catch (EcStoreException e) {
      return Optional.empty();
    }
  }
}
