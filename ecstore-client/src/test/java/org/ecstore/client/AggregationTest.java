package org.ecstore.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Collectors;
import org.ecstore.client.error.ConflictException;
import org.ecstore.client.error.WrongArgumentException;
import org.ecstore.client.fake.FakeCluster;
import org.ecstore.client.fake.FakeTime;
import org.ecstore.key.Tuple;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

class AggregationTest {
  record Order(String city, long total, List<String> tags) {}

  private static final Table<Long> COUNTERS = Table.of("counters", Codec.longs());
  private static final Table<Order> ORDERS = Table.of("orders", Codec.record(Order.class));

  private static final Index<Order> BY_CITY =
      ORDERS.index("by-city", order -> Tuple.of(order.city(), Tuple.desc(order.total())));

  private static final Index<Order> BY_TAG = ORDERS.indexEach("by-tag", Order::tags);

  private static final Aggregation SALES = Aggregation.count().sum(1).min(1).max(1).groupBy(1);

  private FakeCluster cluster;
  private EcStore store;

  @BeforeEach
  void start() {
    FakeTime time = new FakeTime(1);
    cluster = new FakeCluster(time, "n1:1", "n2:1", "n3:1");
    store = EcStore.over(cluster, EcStoreOptions.DEFAULT, time);
    store.catalog().open(ORDERS);
    store.execute(
        tx -> {
          tx.put(ORDERS, Tuple.of(1), new Order("Oslo", 100, List.of("a", "b")));
          tx.put(ORDERS, Tuple.of(2), new Order("Oslo", 250, List.of("b")));
          tx.put(ORDERS, Tuple.of(3), new Order("Bergen", 30, List.of()));
          for (int i = 0; i < 10; i++) {
            tx.put(COUNTERS, Tuple.of(i % 2 == 0 ? "even" : "odd", i), (long) i);
          }
        });
  }

  @AfterEach
  void stop() {
    store.close();
  }

  private List<Group> groups(Index<Order> index, Aggregation aggregation) {
    return store.read(at -> at.scan(index).aggregate(aggregation));
  }

  private static void assertRefused(Executable call, String... parts) {
    String message = assertThrows(WrongArgumentException.class, call).getMessage();
    for (String part : parts) {
      assertTrue(message.contains(part), message);
    }
  }

  private void assertSales() {
    List<Group> sales = groups(BY_CITY, SALES);
    assertEquals(
        List.of(Tuple.of("Bergen"), Tuple.of("Oslo")), sales.stream().map(Group::key).toList());
    Group oslo = sales.get(1);
    assertEquals(2, oslo.count());
    assertEquals(new BigDecimal(350), oslo.sum(1));
    assertEquals(Optional.of(100L), oslo.min(1, Long.class));
    assertEquals(Optional.of(250L), oslo.max(1, Long.class));
  }

  @Test
  void nodesFindGroupsOfAnIndex() {
    int before = cluster.store().aggregatedPages();
    assertSales();
    assertTrue(cluster.store().aggregatedPages() > before);
  }

  @Test
  void nodesOfAnEarlierReleaseSendTheRecords() {
    cluster.store().forgetAggregates();
    int before = cluster.store().aggregatedPages();
    assertSales();
    assertEquals(before, cluster.store().aggregatedPages());
  }

  @Test
  void valuesOfATableOfNumbersHaveSums() {
    Aggregation all = Aggregation.count().sumOfValues().minOfValues().maxOfValues();
    Group one =
        store.<List<Group>, RuntimeException>read(at -> at.scan(COUNTERS).aggregate(all)).get(0);
    assertEquals(new BigDecimal(45), one.sumOfValues());
    assertEquals(Optional.of(0L), one.minOfValues());
    assertEquals(Optional.of(9L), one.maxOfValues());
    assertEquals(
        "[(\"odd\"): 3, (\"even\"): 3]",
        store
            .<List<Group>, RuntimeException>read(
                at ->
                    at.scan(COUNTERS)
                        .reverse()
                        .aggregate(
                            Aggregation.count()
                                .groupBy(1)
                                .where(1, Condition.atLeast(4))
                                .where(1, Condition.below(10))))
            .toString());
  }

  @Test
  void nothingIsOneGroupOfNoRecord() {
    Group none =
        store
            .<List<Group>, RuntimeException>read(
                at -> at.scan(COUNTERS, Tuple.of("none")).aggregate(SALES.groupBy(0)))
            .get(0);
    assertEquals(0, none.count());
    assertEquals(BigDecimal.ZERO, none.sum(1));
    assertEquals(Optional.empty(), none.max(1, Long.class));
    assertEquals(
        List.of(),
        store.<List<Group>, RuntimeException>read(
            at -> at.scan(COUNTERS, Tuple.of("none")).aggregate(SALES)));
  }

  @Test
  void anIndexOfSeveralValuesHasEachOfThem() {
    assertEquals(
        "[(\"a\"): 1, (\"b\"): 2]", groups(BY_TAG, Aggregation.count().groupBy(1)).toString());
    assertEquals(3, store.<Long, RuntimeException>read(at -> at.scan(BY_TAG).count()));
  }

  @Test
  void aTransactionsOwnWritesCount() {
    store.execute(
        tx -> {
          tx.add(COUNTERS, Tuple.of("even", 0), 1000);
          tx.put(COUNTERS, Tuple.of("odd", 11), 11L);
          tx.delete(COUNTERS, Tuple.of("odd", 1));
          List<Group> groups =
              tx.scan(COUNTERS).aggregate(Aggregation.count().sumOfValues().groupBy(1));
          assertEquals(new BigDecimal(1020), groups.get(0).sumOfValues());
          assertEquals(new BigDecimal(35), groups.get(1).sumOfValues());
          tx.put(ORDERS, Tuple.of(4), new Order("Oslo", 1, List.of()));
          assertEquals(new BigDecimal(351), tx.scan(BY_CITY).aggregate(SALES).get(1).sum(1));
        });
  }

  /** What was summed up is read: a write to it meanwhile is a conflict. */
  @Test
  void whatWasLookedAtIsValidated() {
    assertThrows(
        ConflictException.class,
        () -> {
          try (ManualTransaction tx = store.begin()) {
            long count = tx.scan(COUNTERS, Tuple.of("odd")).count();
            store.execute(other -> other.put(COUNTERS, Tuple.of("odd", 77), 1L));
            tx.put(COUNTERS, Tuple.of("sum"), count);
            tx.commit();
          }
        });
  }

  @Test
  void aLimitAndATokenBoundWhatCounts() {
    Aggregation sum = Aggregation.count().sumOfValues();
    assertEquals(
        "6",
        store
            .<List<Group>, RuntimeException>read(at -> at.scan(COUNTERS).limit(3).aggregate(sum))
            .get(0)
            .sumOfValues()
            .toString());
    String token =
        store
            .<Page<Long>, RuntimeException>read(at -> at.scan(COUNTERS).limit(3).page())
            .next()
            .orElseThrow();
    assertEquals(
        "39",
        store
            .<List<Group>, RuntimeException>read(
                at -> at.scan(COUNTERS).resume(token).aggregate(sum))
            .get(0)
            .sumOfValues()
            .toString());
  }

  @Test
  void whatCannotBeFoundIsSaid() {
    assertRefused(
        () -> store.read(at -> at.scan(COUNTERS).aggregate(Aggregation.count().sum(0))),
        "(\"even\", 0)");
    Table<String> words = Table.of("words", Codec.utf8());
    store.execute(tx -> tx.put(words, Tuple.of(7), "abcdefgh"));
    assertRefused(
        () -> store.read(at -> at.scan(words).aggregate(Aggregation.count().sumOfValues())),
        "Codec.longs()");
    store.execute(tx -> tx.put(Table.of("counters", Codec.utf8()), Tuple.of("bad"), "abc"));
    assertRefused(
        () -> store.read(at -> at.scan(COUNTERS).aggregate(Aggregation.count().sumOfValues())),
        "(\"bad\")");
    assertRefused(() -> groups(BY_CITY, Aggregation.count().sumOfValues()), "by-city", "no values");
    Table<Long> expiring = Table.of("expiring", Codec.longs()).expiringAfter(Duration.ofDays(1));
    assertRefused(
        () -> store.read(at -> at.scan(expiring).aggregate(Aggregation.count().sumOfValues())),
        "expires");
    Group group = groups(BY_CITY, SALES).get(0);
    assertRefused(() -> group.sum(2), "sum of element 2");
    assertRefused(() -> group.max(1, String.class), "java.lang.String");
    assertRefused(() -> Aggregation.count().sum(-1), "-1");
    assertRefused(() -> Condition.equalTo(Tuple.desc(1)), "ascending");
    assertRefused(
        () -> Aggregation.count().sum(0).sum(1).sum(2).sum(3).sum(4).sum(5).sum(6).sum(7).sum(8),
        "8");
  }

  /** The record's key, with which an entry ends, is no element of the index. */
  @Test
  void anEntryHasTheElementsOfTheIndexOnly() {
    Group all = groups(BY_TAG, Aggregation.count().sum(1).min(1)).get(0);
    assertEquals(3, all.count());
    assertEquals(BigDecimal.ZERO, all.sum(1));
    assertEquals(Optional.empty(), all.min(1, Object.class));
    assertEquals(
        "[(\"a\"): 1, (\"b\"): 2]", groups(BY_TAG, Aggregation.count().groupBy(2)).toString());
  }

  /** Over many pages and ranges, which are split between one read and the next. */
  @Test
  void piecesOfAllRangesCountOnce() {
    Table<Long> many = Table.of("many", Codec.longs());
    Random random = new Random(7);
    store.execute(
        tx -> {
          for (int i = 0; i < 3_000; i++) {
            tx.put(many, Tuple.of(i / 100, i), 1L);
          }
        });
    cluster.store().pageRecordsMax(100);
    int before = cluster.store().aggregatedPages();
    for (int i = 0; i < 20; i++) {
      cluster.store().split(Tuple.of(random.nextInt(30)).encode(many.keys().start()));
      List<Group> groups =
          store.read(at -> at.scan(many).aggregate(Aggregation.count().sumOfValues().groupBy(1)));
      assertEquals(30, groups.size());
      assertEquals(
          "100 100",
          groups.stream()
              .map(group -> group.count() + " " + group.sumOfValues())
              .distinct()
              .collect(Collectors.joining(",")));
      assertEquals(3_000, store.<Long, RuntimeException>read(at -> at.count(many)));
    }
    assertTrue(cluster.store().aggregatedPages() - before > 20 * 2 * 30);
  }
}
