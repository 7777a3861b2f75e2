package org.ecstore.txn.commit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class IntervalIndexPropertyTest {
  private record Added(KeyRange keys, int number, IntervalIndex.Node<Integer> node) {}

  private static Bytes key(int value) {
    return Bytes.of(value >>> 8, value & 0xff);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void findsWhatAWalkOverAllFinds(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    int keys = 1 + random.nextInt(200);
    IntervalIndex<Integer> index = new IntervalIndex<>();
    List<Added> all = new ArrayList<>();
    for (int step = 0; step < 3_000; step++) {
      if (all.isEmpty() || random.nextInt(100) < 55) {
        int start = random.nextInt(keys);
        KeyRange range =
            random.nextInt(20) == 0
                ? KeyRange.from(key(start))
                : KeyRange.of(key(start), key(start + 1 + random.nextInt(keys)));
        all.add(new Added(range, step, index.add(range, step)));
      } else {
        Added gone = all.remove(random.nextInt(all.size()));
        index.remove(gone.node());
      }
      Bytes asked = key(random.nextInt(2 * keys));
      Optional<Integer> expected =
          all.stream()
              .filter(added -> added.keys().contains(asked))
              .min(
                  Comparator.<Added, Bytes>comparing(added -> added.keys().start())
                      .thenComparingInt(Added::number))
              .map(Added::number);
      assertEquals(expected, index.on(asked), () -> "seed " + seed);
    }
  }

  @Test
  void staysShallowHoweverItGrows() {
    IntervalIndex<Integer> index = new IntervalIndex<>();
    // In order, which would be too deep for the stack in a tree that is not balanced.
    for (int i = 0; i < 50_000; i++) {
      index.add(KeyRange.of(key(i), key(i + 1)), i);
    }
    assertEquals(Optional.of(49_999), index.on(key(49_999)));
    assertEquals(Optional.empty(), index.on(key(50_000)));
  }

  @Test
  void takingAwayTwiceIsABug() {
    IntervalIndex<Integer> index = new IntervalIndex<>();
    IntervalIndex.Node<Integer> node = index.add(KeyRange.ALL, 1);
    index.remove(node);
    assertThrows(IllegalStateException.class, () -> index.remove(node));
  }
}
