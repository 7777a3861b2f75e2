package org.ecstore.replication.load;

import static org.ecstore.replication.load.Accesses.ALL;
import static org.ecstore.replication.load.Accesses.KEYS;
import static org.ecstore.replication.load.Accesses.SECOND;
import static org.ecstore.replication.load.Accesses.bucketOf;
import static org.ecstore.replication.load.Accesses.histogram;
import static org.ecstore.replication.load.Accesses.key;
import static org.ecstore.replication.load.Accesses.one;
import static org.ecstore.replication.load.Accesses.range;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.ecstore.id.NodeId;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.replication.placement.PositionMap;
import org.junit.jupiter.api.Test;

/** What the paper says of load-adaptive replication: ecStore §4.2, §4.3, §4.4, C.2. */
class LoadPaperTest {
  private static final NodeId SELF = new NodeId(1);
  private static final long HOT = 700_000;

  private final Random random = new Random(11);
  private final NodeLoads loads = new NodeLoads();
  private final Histogram histogram = histogram(10);
  private final LoadBalance balance =
      new LoadBalance(SELF, histogram, BalanceSettings.DEFAULT.withTimeout(0.1, 10 * SECOND));
  private long now;

  private void idleNeighbours() {
    for (int node = 1; node <= 18; node++) {
      loads.heard(new NodeId(node), node);
    }
  }

  private void read(KeyRange query) {
    now += SECOND / 1000;
    balance.observeRead(query, now);
    if (now % (SECOND / 20) == 0) {
      histogram.restructure(now);
    }
  }

  /** Two keys, one asked for three times as often as the other, among random ones. */
  private List<HotReplicaOrder> flashCrowd() {
    idleNeighbours();
    for (int i = 0; i < 4000; i++) {
      int drawn = random.nextInt(10);
      read(one(drawn < 6 ? HOT : drawn < 8 ? HOT + 50_000 : random.nextLong(KEYS)));
    }
    loads.heard(SELF, balance.load(now));
    return balance.round(now, loads, random);
  }

  /** §4.3: "all the buckets in the histogram are initially assigned equal bucket ranges". */
  @Test
  void bucketsAreEqualAtFirst() {
    List<Bucket> buckets = histogram.buckets(0);
    assertEquals(10, buckets.size());
    for (Bucket bucket : buckets) {
      assertEquals(0.1, bucket.share(), 0.001);
    }
  }

  /** §4.3: the buckets' ranges together are the node's whole range. */
  @Test
  void bucketsTileTheRange() {
    flashCrowd();
    Optional<Bytes> next = Optional.of(ALL.start());
    for (Bucket bucket : histogram.buckets(now)) {
      assertEquals(next.orElseThrow(), bucket.keys().start());
      next = bucket.keys().end();
    }
    assertEquals(ALL.end(), next);
  }

  /**
   * §4.3: a range query counts for all buckets that it overlaps, an exact query is a range query.
   */
  @Test
  void queryCountsForTheBucketsThatItOverlaps() {
    List<Bucket> buckets = histogram.buckets(0);
    KeyRange firstTwo =
        KeyRange.of(buckets.getFirst().keys().start(), buckets.get(1).keys().start().successor());
    balance.observeRead(firstTwo, 0);
    balance.observeRead(KeyRange.single(buckets.get(3).keys().start()), 0);
    List<Boolean> counted =
        histogram.buckets(0).stream().map(bucket -> bucket.rates().reads() > 0).toList();
    assertEquals(
        List.of(true, true, false, true, false, false, false, false, false, false), counted);
  }

  /** §4.3, equation 2: the load of a node is the sum of its buckets' frequencies. */
  @Test
  void loadIsTheSumOfAllFrequencies() {
    flashCrowd();
    double sum = histogram.buckets(now).stream().mapToDouble(b -> b.rates().reads()).sum();
    assertEquals(sum, balance.load(now), 1e-9);
  }

  /** §4.3: not "in an ad-hoc manner", but when the load has grown by the threshold factor. */
  @Test
  void balancingBeginsWhenTheLoadHasGrownByTheFactor() {
    idleNeighbours();
    int rounds = 0;
    for (int i = 0; i < 60_000; i++) {
      read(one(HOT));
      loads.heard(SELF, balance.load(now));
      rounds += balance.round(now, loads, random).isEmpty() ? 0 : 1;
    }
    // 1000 reads per second: the levels are 100, 200, 400, 800.
    assertTrue(rounds >= 2 && rounds <= 4, "rounds: " + rounds);
  }

  /** §4.3: "the more load the data range observes, the more replicas created". */
  @Test
  void hotterRangesGetMoreHotReplicas() {
    List<HotReplicaOrder> orders = flashCrowd();
    long hotter = orders.stream().filter(order -> order.keys().contains(key(HOT))).count();
    long hot = orders.stream().filter(order -> order.keys().contains(key(HOT + 50_000))).count();
    assertTrue(hot >= 1 && hotter >= 2 * hot, orders::toString);
  }

  /** §4.3: the overloaded node chooses "the lightest-loaded node" to shed its load to. */
  @Test
  void lightestNodesAreChosen() {
    double heaviest =
        flashCrowd().stream().mapToDouble(order -> order.node().value()).max().orElseThrow();
    int hotReplicas = balance.hotReplicas().size();
    assertTrue(
        heaviest <= hotReplicas + BalanceSettings.DEFAULT.lightest() + 1,
        balance.hotReplicas()::toString);
  }

  /**
   * §4.3: consecutive buckets of similar frequency are merged, hot ones are split, and "the total
   * number of buckets in the histogram is kept constant".
   */
  @Test
  void hotBucketsAreSplitColdOnesMergedAndTheirNumberStays() {
    flashCrowd();
    List<Bucket> buckets = histogram.buckets(now);
    assertEquals(10, buckets.size());
    assertEquals(one(HOT), bucketOf(histogram, HOT, now).keys());
    double widest = buckets.stream().mapToDouble(Bucket::share).max().orElseThrow();
    assertTrue(widest > 0.15, "merged: " + widest);
  }

  /** §4.3: "we only choose to replicate the data ranges maintained by small buckets". */
  @Test
  void onlySmallBucketsAreReplicated() {
    idleNeighbours();
    for (int i = 0; i < 5000; i++) {
      balance.observeRead(one(random.nextLong(KEYS)), now += SECOND / 1000);
    }
    loads.heard(SELF, balance.load(now));
    assertEquals(List.of(), balance.round(now, loads, random), "every bucket is wide");
    assertNotEquals(List.of(), new LoadPaperTest().flashCrowd());
  }

  /** §4.2: additional copies of popular objects only, so that "the costs are kept minimal". */
  @Test
  void littleIsReplicated() {
    flashCrowd();
    KeyMeasure measure = new KeyMeasure(ALL, PositionMap.FIRST_BYTES);
    double replicated =
        balance.hotReplicas().stream()
            .mapToDouble(hotReplica -> measure.share(hotReplica.keys()))
            .sum();
    assertTrue(replicated < 0.01, "shares of the range: " + replicated);
  }

  /** §4.3: "it is common that data access patterns change over time". */
  @Test
  void histogramFollowsTheCrowd() {
    flashCrowd();
    for (int i = 0; i < 60_000; i++) {
      read(one(random.nextInt(10) < 6 ? 200_000 : random.nextLong(KEYS)));
    }
    assertEquals(one(200_000), bucketOf(histogram, 200_000, now).keys());
    assertNotEquals(one(HOT), bucketOf(histogram, HOT, now).keys());
  }

  /** §4.3: if U is larger than Q, the nodes with replicas are told to discard them. */
  @Test
  void hotReplicasOfWhatIsUpdatedMoreThanReadAreDropped() {
    List<HotReplicaOrder> made = flashCrowd();
    assertTrue(made.stream().anyMatch(order -> order.keys().equals(one(HOT))));
    TreeMap<NodeId, Integer> dropped = new TreeMap<>();
    for (int i = 0; i < 60_000; i++) {
      now += SECOND / 1000;
      balance.observeUpdate(key(HOT), now);
      read(one(HOT + 50_000));
      for (HotReplicaOrder order : balance.expired(now)) {
        assertTrue(
            order.keys().contains(key(HOT))
                || order.keys().start().compareTo(key(HOT + 50_000)) != 0);
        dropped.merge(order.node(), 1, Integer::sum);
      }
    }
    assertTrue(
        balance.hotReplicas().stream().noneMatch(hotReplica -> hotReplica.keys().equals(one(HOT))));
    assertTrue(balance.hotReplicas().stream().anyMatch(s -> s.keys().contains(key(HOT + 50_000))));
    assertTrue(!dropped.isEmpty());
  }

  /** §4.4: a copy that is overloaded redirects the read to one of its hot-spot replicas. */
  @Test
  void overloadedCopyRedirects() {
    List<HotReplicaOrder> made = flashCrowd();
    made.forEach(order -> balance.ready(order.keys(), order.node()));
    NodeId to = balance.redirect(one(HOT), loads, random).orElseThrow();
    assertTrue(made.contains(new HotReplicaOrder(one(HOT), to)));
    for (int node = 2; node <= 18; node++) {
      loads.heard(new NodeId(node), loads.of(SELF));
    }
    assertEquals(Optional.empty(), balance.redirect(one(HOT), loads, random));
  }

  /**
   * C.2: of 1000 days of photos, 500 each, "today" is asked for by 60% of the queries, and ten
   * buckets capture it exactly.
   */
  @Test
  void tenBucketsCaptureAFlashCrowd() {
    KeyRange today = range(730 * 500, 731 * 500);
    Histogram days =
        new Histogram(
            range(0, 1000 * 500),
            PositionMap.FIRST_BYTES,
            HistogramSettings.DEFAULT.withBuckets(10),
            0);
    for (int i = 0; i < 200; i++) {
      long day = random.nextLong(1000);
      days.read(
          random.nextInt(10) < 6 ? today : range(day * 500, (day + 1) * 500), i * SECOND / 100);
      if (i % 10 == 9) {
        days.restructure(i * SECOND / 100);
      }
    }
    long end = 2 * SECOND;
    Bucket hot = bucketOf(days, 730 * 500, end);
    assertEquals(today, hot.keys());
    assertEquals(0.6, hot.rates().reads() / days.load(end), 0.1);
  }
}
