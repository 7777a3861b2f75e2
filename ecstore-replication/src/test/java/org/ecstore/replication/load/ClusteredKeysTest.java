package org.ecstore.replication.load;

import static org.ecstore.replication.load.Accesses.SECOND;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.ecstore.id.NodeId;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.replication.copy.SplitPoints.Keys;
import org.ecstore.replication.placement.PositionMap;
import org.junit.jupiter.api.Test;

/**
 * All keys of a range without bounds begin with {@code user}: what of it is small enough for a
 * hot-spot replica is told by a few keys between equal parts of the data, and not by the first
 * bytes.
 */
class ClusteredKeysTest {
  private static final NodeId SELF = new NodeId(1);
  private static final int USERS = 10_000;
  private static final int HOT = 1_234;

  private static Bytes user(int number) {
    return Bytes.utf8("user%06d".formatted(number));
  }

  private static Keys keys() {
    List<Bytes> splitKeys = new ArrayList<>();
    for (int part = 1; part < 16; part++) {
      splitKeys.add(user(part * USERS / 16));
    }
    return new Keys(Optional.of(user(0)), splitKeys, Optional.of(user(USERS - 1)));
  }

  private static int usersIn(KeyRange keys) {
    int count = 0;
    for (int number = 0; number < USERS; number++) {
      count += keys.contains(user(number)) ? 1 : 0;
    }
    return count;
  }

  /** The hot-spot replicas wanted where half of all reads are of one user, and the rest of all. */
  private static List<HotReplicaOrder> hotReplicas(PositionMap positions) {
    Random random = new Random(7);
    Histogram histogram = new Histogram(KeyRange.ALL, positions, HistogramSettings.DEFAULT, 0);
    LoadBalance balance = new LoadBalance(SELF, histogram, BalanceSettings.DEFAULT);
    NodeLoads loads = new NodeLoads();
    for (int node = 1; node <= 18; node++) {
      loads.heard(new NodeId(node), 50);
    }
    long now = 0;
    for (int i = 0; i < 10_000; i++) {
      now += SECOND / 1000;
      int number = random.nextBoolean() ? HOT : random.nextInt(USERS);
      balance.observeRead(KeyRange.single(user(number)), now);
      if (i % 100 == 0) {
        histogram.restructure(now);
      }
    }
    loads.heard(SELF, balance.load(now));
    return balance.round(now, loads, random);
  }

  private static int mostUsersOfABucket(PositionMap positions) {
    Histogram histogram = new Histogram(KeyRange.ALL, positions, HistogramSettings.DEFAULT, 0);
    return histogram.buckets(0).stream()
        .mapToInt(bucket -> usersIn(bucket.keys()))
        .max()
        .orElseThrow();
  }

  /**
   * Between two split points bytes are taken for even, which digits are not: twice a bucket's
   * share.
   */
  @Test
  void noBucketOfAFittedHistogramHoldsMuchMoreThanItSays() {
    assertTrue(mostUsersOfABucket(keys().positions()) <= USERS / 8);
    assertEquals(USERS, mostUsersOfABucket(PositionMap.FIRST_BYTES));
  }

  @Test
  void hotReplicasAreOfFewKeys() {
    List<HotReplicaOrder> orders = hotReplicas(keys().positions());
    assertTrue(
        orders.stream().anyMatch(order -> order.keys().contains(user(HOT))), orders::toString);
    for (HotReplicaOrder order : orders) {
      assertTrue(usersIn(order.keys()) <= USERS / 40, order::toString);
    }
  }

  @Test
  void byTheirFirstBytesHotReplicasWouldBeOfMostKeys() {
    List<HotReplicaOrder> orders = hotReplicas(PositionMap.FIRST_BYTES);
    assertFalse(
        orders.stream().allMatch(order -> usersIn(order.keys()) <= USERS / 40), orders::toString);
  }

  @Test
  void withoutDataThereIsNothingToFit() {
    assertTrue(
        new Keys(Optional.empty(), List.of(), Optional.empty())
            .positions()
            .equals(PositionMap.FIRST_BYTES));
  }
}
