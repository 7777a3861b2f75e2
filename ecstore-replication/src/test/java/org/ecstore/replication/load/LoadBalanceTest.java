package org.ecstore.replication.load;

import static org.ecstore.replication.load.Accesses.SECOND;
import static org.ecstore.replication.load.Accesses.histogram;
import static org.ecstore.replication.load.Accesses.key;
import static org.ecstore.replication.load.Accesses.one;
import static org.ecstore.replication.load.Accesses.range;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.TreeSet;
import org.ecstore.id.NodeId;
import org.junit.jupiter.api.Test;

class LoadBalanceTest {
  private static final NodeId SELF = new NodeId(1);
  private static final long HOT = 123_456;

  private final Random random = new Random(5);
  private final NodeLoads loads = new NodeLoads();
  private final Histogram histogram = histogram(10);
  private long now;

  private LoadBalance balance(BalanceSettings settings) {
    LoadBalance balance = new LoadBalance(SELF, histogram, settings);
    balance.heldBy(List.of(SELF, new NodeId(7), new NodeId(13)));
    for (int node = 1; node <= 18; node++) {
      loads.heard(new NodeId(node), 50);
    }
    return balance;
  }

  /** Some seconds of a flash crowd: 1000 reads each, of which so many tenths are of one key. */
  private void crowd(LoadBalance balance, int tenths) {
    for (int i = 0; i < 5000; i++) {
      now += SECOND / 1000;
      balance.observeRead(
          random.nextInt(10) < tenths ? one(HOT) : one(random.nextLong(1_000_000)), now);
      if (i % 100 == 0) {
        histogram.restructure(now);
      }
    }
    loads.heard(SELF, balance.load(now));
  }

  private List<HotReplicaOrder> hotReplicasOf(LoadBalance balance) {
    crowd(balance, 6);
    List<HotReplicaOrder> orders = balance.round(now, loads, random);
    orders.forEach(order -> balance.ready(order.keys(), order.node()));
    return orders;
  }

  @Test
  void hotReplicasGoWhereNoCopyIs() {
    LoadBalance balance = balance(BalanceSettings.DEFAULT);
    List<HotReplicaOrder> orders = hotReplicasOf(balance);
    assertFalse(orders.isEmpty());
    TreeSet<NodeId> nodes = new TreeSet<>();
    for (HotReplicaOrder order : orders) {
      assertEquals(one(HOT), order.keys());
      assertTrue(nodes.add(order.node()), "one hot-spot replica on a node: " + orders);
    }
    assertFalse(nodes.contains(SELF));
    assertFalse(nodes.contains(new NodeId(7)));
    assertFalse(nodes.contains(new NodeId(13)));
    assertEquals(orders, balance.hotReplicas());
  }

  @Test
  void budgetIsNotExceeded() {
    LoadBalance balance = balance(BalanceSettings.DEFAULT.withHotReplicasMax(3));
    assertEquals(3, hotReplicasOf(balance).size());
    for (int i = 0; i < 10; i++) {
      crowd(balance, 6);
      balance.round(now, loads, random);
    }
    assertEquals(3, balance.hotReplicas().size());
  }

  @Test
  void nodesThatAreNoLighterGetNoHotReplicas() {
    LoadBalance balance = balance(BalanceSettings.DEFAULT);
    crowd(balance, 6);
    for (int node = 1; node <= 18; node++) {
      loads.heard(new NodeId(node), balance.load(now));
    }
    assertEquals(List.of(), balance.round(now, loads, random));
  }

  @Test
  void differentGeneratorsChooseDifferentNodesAmongTheLightest() {
    TreeSet<NodeId> first = new TreeSet<>();
    for (int seed = 0; seed < 30; seed++) {
      LoadBalanceTest test = new LoadBalanceTest();
      LoadBalance balance = test.balance(BalanceSettings.DEFAULT.withSpeed(1, 1));
      test.crowd(balance, 6);
      test.loads.heard(new NodeId(4), 10);
      test.loads.heard(new NodeId(5), 11);
      test.loads.heard(new NodeId(6), 12);
      first.add(balance.round(test.now, test.loads, new Random(seed)).getFirst().node());
    }
    assertEquals(new TreeSet<>(List.of(new NodeId(4), new NodeId(5), new NodeId(6))), first);
  }

  @Test
  void hotReplicasOfANodeThatIsGoneAreForgotten() {
    LoadBalance balance = balance(BalanceSettings.DEFAULT);
    List<HotReplicaOrder> orders = hotReplicasOf(balance);
    balance.lost(orders.getFirst().node());
    assertEquals(orders.subList(1, orders.size()), balance.hotReplicas());
    balance.lost(orders.getLast().keys(), orders.getLast().node());
    assertEquals(orders.subList(1, orders.size() - 1), balance.hotReplicas());
  }

  @Test
  void hotReplicasThatServeAllReadsAreNotTakenForUseless() {
    LoadBalance balance = balance(BalanceSettings.DEFAULT.withTimeout(1, 5 * SECOND));
    List<HotReplicaOrder> orders = hotReplicasOf(balance);
    for (int i = 0; i < 120; i++) {
      now += SECOND;
      balance.observeUpdate(key(HOT), now);
      orders.forEach(order -> balance.served(order.keys(), order.node(), 100));
      assertEquals(List.of(), balance.expired(now));
    }
    orders.forEach(order -> balance.served(order.keys(), order.node(), 0));
    assertEquals(List.of(), balance.expired(now));
    now += 5 * SECOND;
    assertEquals(orders, balance.expired(now));
    assertEquals(List.of(), balance.hotReplicas());
  }

  @Test
  void hotReplicasThatAreOfUseAgainInTimeAreKept() {
    LoadBalance balance = balance(BalanceSettings.DEFAULT.withTimeout(1, 5 * SECOND));
    List<HotReplicaOrder> orders = hotReplicasOf(balance);
    now += 200 * SECOND;
    assertEquals(List.of(), balance.expired(now));
    orders.forEach(order -> balance.served(order.keys(), order.node(), 100));
    now += 4 * SECOND;
    assertEquals(List.of(), balance.expired(now));
    orders.forEach(order -> balance.served(order.keys(), order.node(), 0));
    now += 4 * SECOND;
    assertEquals(List.of(), balance.expired(now));
    assertEquals(orders, balance.hotReplicas());
  }

  @Test
  void readersAreSentToReadyHotReplicasThatHaveAllTheyAskFor() {
    LoadBalance balance = balance(BalanceSettings.DEFAULT);
    crowd(balance, 6);
    List<HotReplicaOrder> orders = balance.round(now, loads, random);
    assertEquals(Optional.empty(), balance.redirect(one(HOT), loads, random));
    HotReplicaOrder ready = orders.getFirst();
    balance.ready(ready.keys(), ready.node());
    assertEquals(Optional.of(ready.node()), balance.redirect(one(HOT), loads, random));
    assertEquals(Optional.empty(), balance.redirect(one(HOT + 1), loads, random));
    assertEquals(Optional.empty(), balance.redirect(range(HOT, HOT + 2), loads, random));
  }

  @Test
  void lighterOneOfTwoHotReplicasIsPreferred() {
    LoadBalance balance = balance(BalanceSettings.DEFAULT.withSpeed(1, 2));
    List<HotReplicaOrder> orders = hotReplicasOf(balance);
    assertEquals(2, orders.size());
    loads.heard(orders.getFirst().node(), 10);
    loads.heard(orders.getLast().node(), 60);
    int lighter = 0;
    for (int i = 0; i < 1000; i++) {
      NodeId to = balance.redirect(one(HOT), loads, random).orElseThrow();
      lighter += to.equals(orders.getFirst().node()) ? 1 : 0;
    }
    assertEquals(750, lighter, 60);
  }
}
