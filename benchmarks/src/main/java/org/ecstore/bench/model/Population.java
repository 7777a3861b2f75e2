package org.ecstore.bench.model;

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
    int[] drawn =
        new SplittableRandom(seed).ints(0, 1_000_000_000).distinct().limit(count).toArray();
    Arrays.sort(drawn);
    Bytes[] keys =
        Arrays.stream(drawn)
            .mapToObj(id -> Bytes.utf8("user%09d".formatted(id)))
            .toArray(Bytes[]::new);
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
