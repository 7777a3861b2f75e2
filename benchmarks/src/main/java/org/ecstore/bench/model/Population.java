package org.ecstore.bench.model;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;

/** All records of a data set, by their keys in order. An immutable value. */
public interface Population {
  /** How many records there are. */
  int size();

  /** A record's key. */
  Bytes key(int index);

  /** How many records have keys below this one. */
  int below(Bytes key);

  /** How many records an interval holds. */
  default int count(KeyRange keys) {
    return keys.end().map(this::below).orElse(size()) - below(keys.start());
  }

  /** The interval of some records in a row. */
  default KeyRange range(int from, int to) {
    return to < size() ? KeyRange.of(key(from), key(to)) : KeyRange.from(key(from));
  }

  /** Users whose identities are drawn from a thousand million (§6.1). */
  static Population users(int count, long seed) {
    Bytes[] keys =
        Arrays.stream(drawn(count, seed)).mapToObj(Population::user).toArray(Bytes[]::new);
    return new Population() {
      @Override
      public int size() {
        return count;
      }

      @Override
      public Bytes key(int index) {
        return keys[index];
      }

      @Override
      public int below(Bytes key) {
        int found = Arrays.binarySearch(keys, key);
        return found >= 0 ? found : -found - 1;
      }
    };
  }

  /** The first so many different ones of those that are drawn, ascending. */
  private static int[] drawn(int count, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    int[] drawn = new int[0];
    while (drawn.length < count) {
      int known = drawn.length;
      int[] more = Arrays.copyOf(drawn, count);
      for (int i = known; i < count; i++) {
        more[i] = random.nextInt(0, 1_000_000_000);
      }
      Arrays.sort(more);
      drawn = different(more);
    }
    return drawn;
  }

  private static int[] different(int[] sorted) {
    int kept = 0;
    for (int each : sorted) {
      if (kept == 0 || sorted[kept - 1] != each) {
        sorted[kept++] = each;
      }
    }
    return Arrays.copyOf(sorted, kept);
  }

  /** "user" and nine digits, without a format: figures make millions of them. */
  private static Bytes user(int id) {
    byte[] key = "user000000000".getBytes(StandardCharsets.US_ASCII);
    for (int at = key.length - 1, left = id; left > 0; at--, left /= 10) {
      key[at] = (byte) ('0' + left % 10);
    }
    return Bytes.wrap(key);
  }

  /** Photos numbered in the order of their days (C.1). */
  static Population photos(int count) {
    return new Population() {
      @Override
      public int size() {
        return count;
      }

      @Override
      public Bytes key(int index) {
        return Bytes.of(0, 0, 0, 0, index >>> 24, index >>> 16, index >>> 8, index);
      }

      @Override
      public int below(Bytes key) {
        long number = 0;
        for (int i = 0; i < 8; i++) {
          number = (number << 8) | (i < key.length() ? key.at(i) & 0xff : 0);
        }
        return (int) Math.min(count, key.length() > 8 ? number + 1 : number);
      }
    };
  }
}
