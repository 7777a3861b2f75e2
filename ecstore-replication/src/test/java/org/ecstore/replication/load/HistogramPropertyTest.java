package org.ecstore.replication.load;

import static org.ecstore.replication.load.Accesses.ALL;
import static org.ecstore.replication.load.Accesses.KEYS;
import static org.ecstore.replication.load.Accesses.SECOND;
import static org.ecstore.replication.load.Accesses.histogram;
import static org.ecstore.replication.load.Accesses.key;
import static org.ecstore.replication.load.Accesses.one;
import static org.ecstore.replication.load.Accesses.range;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HistogramPropertyTest {
  private static KeyRange query(Random random, long hot) {
    long at =
        random.nextBoolean() ? Math.min(KEYS - 1, hot + random.nextLong(3)) : random.nextLong(KEYS);
    return switch (random.nextInt(3)) {
      case 0 -> range(at, Math.min(KEYS + 10, at + 1 + random.nextLong(100_000)));
      default -> one(at);
    };
  }

  private static void assertTiles(List<Bucket> buckets, int seed) {
    Optional<Bytes> expected = Optional.of(ALL.start());
    double share = 0;
    for (Bucket bucket : buckets) {
      assertEquals(expected, Optional.of(bucket.keys().start()), "seed " + seed);
      assertTrue(bucket.rates().reads() >= 0 && bucket.rates().updates() >= 0, "seed " + seed);
      expected = bucket.keys().end();
      share += bucket.share();
    }
    assertEquals(ALL.end(), expected, "seed " + seed);
    assertEquals(1, share, 1e-6, "seed " + seed);
  }

  /** Whatever happens: as many buckets as before, tiling the range, and no read is lost or made. */
  @ParameterizedTest
  @ValueSource(ints = {2, 3, 10, 31})
  void restructuringKeepsNumberTilingAndLoad(int buckets) {
    for (int seed = 0; seed < 40; seed++) {
      Random random = new Random(seed);
      Histogram histogram = histogram(buckets);
      long now = 0;
      long hot = random.nextLong(KEYS);
      for (int i = 0; i < 1500; i++) {
        now += random.nextLong(SECOND / 100);
        if (random.nextInt(500) == 0) {
          hot = random.nextLong(KEYS);
        }
        histogram.read(query(random, hot), now);
        if (random.nextInt(4) == 0) {
          histogram.update(key(random.nextLong(KEYS)), now);
        }
        if (random.nextInt(20) == 0) {
          Rates before = histogram.rates(ALL, now);
          histogram.restructure(now);
          Rates after = histogram.rates(ALL, now);
          assertEquals(buckets, histogram.buckets(now).size(), "seed " + seed);
          assertEquals(before.reads(), after.reads(), before.reads() * 1e-9, "seed " + seed);
          assertEquals(before.updates(), after.updates(), 1e-6, "seed " + seed);
          assertTiles(histogram.buckets(now), seed);
        }
      }
      assertEquals(
          histogram.buckets(now).stream().mapToDouble(bucket -> bucket.rates().reads()).sum(),
          histogram.load(now),
          1e-6);
    }
  }

  /** Without new queries restructuring comes to rest: it does not go round in circles. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7})
  void restructuringComesToRest(int seed) {
    Random random = new Random(seed);
    Histogram histogram = histogram(10);
    long hot = random.nextLong(KEYS);
    for (int i = 0; i < 2000; i++) {
      histogram.read(query(random, hot), i);
    }
    List<Bucket> last = List.of();
    for (int i = 0; i < 20; i++) {
      last = histogram.buckets(2000);
      histogram.restructure(2000);
    }
    assertEquals(last, histogram.buckets(2000), "seed " + seed);
  }
}
