package org.ecstore.bench.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.SplittableRandom;
import org.ecstore.bench.cost.CostModel;
import org.ecstore.key.KeyRange;
import org.ecstore.replication.load.Bucket;
import org.ecstore.replication.placement.PositionMap;
import org.junit.jupiter.api.Test;

class ModelTest {
  @Test
  void populationsCountWhatIsInARange() {
    for (Population population : List.of(Population.photos(5000), Population.users(5000, 1))) {
      assertEquals(5000, population.count(KeyRange.ALL));
      assertEquals(70, population.count(population.range(100, 170)));
      assertEquals(4900, population.count(population.range(100, 5000)));
      assertEquals(1, population.count(KeyRange.single(population.key(42))));
      assertEquals(42, population.below(population.key(42)));
    }
  }

  @Test
  void firstRankOfZipfIsTwiceAsPopularAsTheSecond() {
    Zipf zipf = new Zipf(1000, 1);
    SplittableRandom random = new SplittableRandom(1);
    int[] drawn = new int[1000];
    for (int i = 0; i < 200_000; i++) {
      drawn[zipf.draw(random)]++;
    }
    assertEquals(2, (double) drawn[0] / drawn[1], 0.1);
    assertEquals(200_000 / 7.485, drawn[0], 1000);
  }

  @Test
  void fixedBucketsHoldEqualShares() {
    Population photos = Population.photos(400_000);
    FixedRangeHistogram histogram =
        new FixedRangeHistogram(
            photos.range(0, 200_000), PositionMap.FIRST_BYTES, 200, 1_000_000_000L, 0);
    List<Bucket> buckets = histogram.buckets(0);
    assertEquals(200, buckets.size());
    for (Bucket bucket : buckets) {
      assertEquals(1000, photos.count(bucket.keys()), 2);
      assertEquals(0.005, bucket.share(), 0.0001);
    }
    histogram.read(photos.range(500, 1500), 0);
    histogram.restructure(0);
    assertEquals(buckets.get(100), histogram.buckets(0).get(100));
    assertEquals(histogram.load(0), histogram.rates(photos.range(0, 3000), 0).reads(), 1e-9);
  }

  /** With one record at a time, one client and nothing else, latencies are sums of costs. */
  @Test
  void loneReaderWaitsForItsOwnCostsOnly() {
    CostModel costs = CostModel.TYPICAL;
    ModelCluster cluster =
        new ModelCluster(new ModelCluster.Size(4, 2, 3), Population.users(1000, 1), costs, null, 1);
    long answer = 2 * costs.message(1) + costs.read();
    boolean[] done = {false};
    cluster.readFrom(cluster.nodes().getFirst(), 0, 999, 1, () -> done[0] = true);
    while (!done[0]) {
      assertTrue(cluster.scheduler().step(Long.MAX_VALUE));
    }
    assertEquals(answer + 2 * costs.network(), cluster.scheduler().nowNanos());
    assertEquals(List.of(0L, 0L, 0L, 1L), cluster.queries());
  }

  @Test
  void nodesHoldEqualPartsOfTheRecords() {
    Population users = Population.users(1800, 5);
    for (int nodes : new int[] {1, 2, 7, 18}) {
      ModelCluster cluster =
          new ModelCluster(new ModelCluster.Size(nodes, 1, 1), users, CostModel.TYPICAL, null, 1);
      for (int node = 0; node < nodes; node++) {
        int record = (int) ((long) users.size() * node / nodes);
        KeyRange range = cluster.copiesOf(users.key(record)).getFirst().keys;
        assertEquals(1800.0 / nodes, users.count(range), 1, nodes + " nodes");
      }
    }
  }
}
