package org.ecstore.engines.je;

import java.util.Arrays;
import org.ecstore.id.Position;
import org.ecstore.key.Bytes;

/**
 * The key of one version of one key in Berkeley DB, which orders records as unsigned bytes:
 *
 * <pre>  escaped key | 00 00 | stamp (8 bytes)</pre>
 *
 * <p>Escaping turns 00 into 00 FF. So the terminator 00 00 is below whatever goes on after the same
 * bytes, and keys keep their order, prefixes before their extensions. The stamp is (2^63 - 1 -
 * version) * 2, plus 1 for a tombstone: the newest version comes first, and whether a key is
 * deleted is known without its value, which may have to be fetched from the log.
 */
final class VersionKey {
  private static final int STAMP_BYTES = 8;
  private static final int SUFFIX_BYTES = 2 + STAMP_BYTES;

  private VersionKey() {}

  /** The record of a version. */
  static byte[] of(Bytes key, Position version, boolean tombstone) {
    byte[] record = escaped(key, SUFFIX_BYTES);
    putStamp(record, version, tombstone);
    return record;
  }

  /**
   * The least possible record of a key: where its versions begin, and those of all keys below end.
   */
  static byte[] first(Bytes key) {
    return escaped(key, 2);
  }

  /** Where the versions of the key at or below a position begin. */
  static byte[] atOrBelow(Bytes key, Position position) {
    return of(key, position, false);
  }

  /** As {@link #atOrBelow(Bytes, Position)}, for the key of a record. */
  static byte[] atOrBelow(byte[] record, Position position) {
    byte[] sought = record.clone();
    putStamp(sought, position, false);
    return sought;
  }

  /** As {@link #first(Bytes)}, for the key of a record. */
  static byte[] first(byte[] record) {
    return Arrays.copyOf(record, record.length - STAMP_BYTES);
  }

  /** Above every record of this record's key and below those of every greater key. */
  static byte[] afterAll(byte[] record) {
    byte[] after = Arrays.copyOf(record, record.length - STAMP_BYTES);
    after[after.length - 1] = 1;
    return after;
  }

  /** Whether two records are of one key. */
  static boolean sameKey(byte[] a, byte[] b) {
    return a.length == b.length
        && Arrays.equals(a, 0, a.length - STAMP_BYTES, b, 0, b.length - STAMP_BYTES);
  }

  /** The key of a record. */
  static Bytes key(byte[] record) {
    int end = record.length - SUFFIX_BYTES;
    byte[] key = new byte[end];
    int length = 0;
    for (int i = 0; i < end; i++) {
      key[length++] = record[i];
      if (record[i] == 0) {
        i++; // The FF of the escape.
      }
    }
    return Bytes.wrap(length == end ? key : Arrays.copyOf(key, length));
  }

  /** The version of a record. */
  static Position version(byte[] record) {
    return new Position(Long.MAX_VALUE - (stamp(record) >>> 1));
  }

  /** Whether a record is a tombstone. */
  static boolean isTombstone(byte[] record) {
    return (record[record.length - 1] & 1) != 0;
  }

  private static long stamp(byte[] record) {
    long stamp = 0;
    for (int i = record.length - STAMP_BYTES; i < record.length; i++) {
      stamp = stamp << 8 | (record[i] & 0xff);
    }
    return stamp;
  }

  private static void putStamp(byte[] record, Position version, boolean tombstone) {
    long stamp = (Long.MAX_VALUE - version.value()) << 1 | (tombstone ? 1 : 0);
    for (int i = record.length - 1; i >= record.length - STAMP_BYTES; i--) {
      record[i] = (byte) stamp;
      stamp >>>= 8;
    }
  }

  /** The escaped key with room, zeroed, behind it. */
  private static byte[] escaped(Bytes key, int room) {
    byte[] from = key.array();
    int zeros = 0;
    for (byte b : from) {
      if (b == 0) {
        zeros++;
      }
    }
    byte[] to = Arrays.copyOf(from, from.length + zeros + room);
    if (zeros > 0) {
      int at = 0;
      for (byte b : from) {
        to[at++] = b;
        if (b == 0) {
          to[at++] = (byte) 0xff;
        }
      }
      Arrays.fill(to, at, to.length, (byte) 0);
    }
    return to;
  }
}
