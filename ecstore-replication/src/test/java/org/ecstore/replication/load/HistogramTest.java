package org.ecstore.replication.load;

import static org.ecstore.replication.load.Accesses.ALL;
import static org.ecstore.replication.load.Accesses.SECOND;
import static org.ecstore.replication.load.Accesses.bucketOf;
import static org.ecstore.replication.load.Accesses.histogram;
import static org.ecstore.replication.load.Accesses.key;
import static org.ecstore.replication.load.Accesses.one;
import static org.ecstore.replication.load.Accesses.range;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Random;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.replication.placement.PositionMap;
import org.junit.jupiter.api.Test;

class HistogramTest {
  @Test
  void ratesHalveInAHalfLife() {
    Histogram histogram = histogram(4);
    for (int i = 0; i < 100; i++) {
      histogram.read(one(5), 0);
    }
    double before = histogram.load(0);
    assertEquals(before / 2, histogram.load(10 * SECOND), before * 1e-9);
    assertEquals(before / 4, histogram.load(20 * SECOND), before * 1e-9);
  }

  @Test
  void steadyReadsAreCountedPerSecond() {
    Histogram histogram = histogram(4);
    long now = 0;
    for (int i = 0; i < 20_000; i++) {
      now += SECOND / 100;
      histogram.read(one(i), now);
    }
    assertEquals(100, histogram.load(now), 1);
  }

  @Test
  void queryWeighsOneHoweverManyBucketsItCrosses() {
    Histogram points = histogram(10);
    Histogram scans = histogram(10);
    points.read(one(7), 0);
    scans.read(range(0, 1_000_000), 0);
    assertEquals(points.load(0), scans.load(0), 1e-12);
    List<Bucket> buckets = scans.buckets(0);
    buckets.forEach(
        bucket -> assertEquals(scans.load(0) / buckets.size(), bucket.rates().reads(), 1e-12));
  }

  @Test
  void whatLiesOutsideOfTheCopyIsNotCounted() {
    Histogram histogram =
        new Histogram(range(1000, 2000), PositionMap.FIRST_BYTES, HistogramSettings.DEFAULT, 0);
    histogram.read(one(999), 0);
    histogram.read(one(2000), 0);
    histogram.update(key(2000), 0);
    assertEquals(0, histogram.load(0));
    histogram.read(range(0, 1001), 0);
    assertTrue(histogram.load(0) > 0);
    assertTrue(bucketOf(histogram, 1000, 0).rates().reads() > 0);
  }

  @Test
  void hotKeyComesToBeABucketOfItsOwnAndIsNotSplitFurther() {
    Histogram histogram = histogram(10);
    Random random = new Random(1);
    long now = 0;
    for (int i = 0; i < 5_000; i++) {
      now += SECOND / 1000;
      histogram.read(random.nextInt(10) < 3 ? one(123_456) : one(random.nextLong(1_000_000)), now);
      if (i % 100 == 0) {
        histogram.restructure(now);
      }
    }
    Bucket hot = bucketOf(histogram, 123_456, now);
    assertEquals(one(123_456), hot.keys());
    assertEquals(0.3, hot.rates().reads() / histogram.load(now), 0.05);
  }

  @Test
  void bucketThatItsQueriesReadFromEndToEndIsNotSplit() {
    Histogram histogram = histogram(10);
    Random random = new Random(2);
    long now = 0;
    for (int i = 0; i < 5_000; i++) {
      now += SECOND / 1000;
      boolean crowd = random.nextInt(10) < 8;
      histogram.read(crowd ? range(500_100, 500_200) : one(random.nextLong(1_000_000)), now);
      histogram.restructure(now);
    }
    assertEquals(range(500_100, 500_200), bucketOf(histogram, 500_150, now).keys());
  }

  @Test
  void evenReadsChangeNothing() {
    Histogram histogram = histogram(10);
    List<KeyRange> before = histogram.buckets(0).stream().map(Bucket::keys).toList();
    Random random = new Random(3);
    long now = 0;
    for (int i = 0; i < 50_000; i++) {
      now += SECOND / 1000;
      histogram.read(one(random.nextLong(1_000_000)), now);
      if (i % 1000 == 999) {
        histogram.restructure(now);
      }
    }
    assertEquals(before, histogram.buckets(now).stream().map(Bucket::keys).toList());
  }

  @Test
  void keysThatBeginAlikeAreToldApart() {
    KeyRange users = KeyRange.of(Bytes.utf8("user00010000"), Bytes.utf8("user00019999"));
    Histogram histogram =
        new Histogram(users, PositionMap.FIRST_BYTES, HistogramSettings.DEFAULT, 0);
    for (Bucket bucket : histogram.buckets(0)) {
      assertTrue(bucket.share() > 0.01 && bucket.share() < 0.2, bucket::toString);
    }
  }

  @Test
  void ratesOfAnIntervalAreTheBucketsParts() {
    Histogram histogram = histogram(10);
    Random random = new Random(4);
    for (int i = 0; i < 100_000; i++) {
      histogram.read(one(random.nextLong(1_000_000)), 0);
    }
    double load = histogram.load(0);
    assertEquals(0.25, histogram.rates(range(100_000, 350_000), 0).reads() / load, 0.02);
    assertEquals(1, histogram.rates(ALL, 0).reads() / load, 1e-9);
  }

  @Test
  void rangeOfFewKeysBeginsWithFewerBuckets() {
    KeyRange single = one(5);
    Histogram histogram =
        new Histogram(single, PositionMap.FIRST_BYTES, HistogramSettings.DEFAULT, 0);
    assertEquals(List.of(single), histogram.buckets(0).stream().map(Bucket::keys).toList());
    for (int i = 0; i < 100; i++) {
      histogram.read(single, i);
    }
    histogram.restructure(100);
    assertEquals(1, histogram.buckets(100).size());
  }

  @Test
  void settingsOfNoUseAreRefused() {
    assertThrows(IllegalArgumentException.class, () -> HistogramSettings.DEFAULT.withBuckets(1));
    assertThrows(
        IllegalArgumentException.class, () -> HistogramSettings.DEFAULT.withHalfLifeNanos(0));
    assertThrows(IllegalArgumentException.class, () -> new HistogramSettings(10, 4, 5, 1));
  }
}
