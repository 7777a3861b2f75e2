package org.ecstore.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.ecstore.client.error.AlreadyExistsException;
import org.ecstore.client.error.UnknownOutcomeException;
import org.ecstore.client.fake.FakeCluster;
import org.ecstore.client.fake.FakeTime;
import org.ecstore.client.fake.Fault;
import org.ecstore.key.Tuple;
import org.ecstore.model.ReadLevel;
import org.ecstore.protocol.ClientRequest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What the guides show ({@code docs/guides}): their pieces are of here, as they stand. */
class GuideExamplesTest {
  // ---- a shop ----

  record Product(String name, long cents) {}

  record Line(String sku, String name, long quantity, long cents) {}

  record Order(UUID id, String customer, Instant placed, List<Line> lines, long cents) {}

  static final Table<Product> PRODUCTS = Table.of("products", Codec.record(Product.class));
  static final Table<Long> STOCK = Table.of("stock", Codec.longs());
  static final Table<Long> CARTS = Table.of("carts", Codec.longs());
  static final Table<Order> ORDERS = Table.of("orders", Codec.record(Order.class));

  static final Index<Order> BY_CUSTOMER =
      ORDERS.index("by-customer", order -> Tuple.of(order.customer(), order.placed()));

  private final FakeTime time = new FakeTime(1);
  private final FakeCluster cluster = new FakeCluster(time, "n1:1", "n2:1");
  private final EcStore store =
      EcStore.over(cluster, EcStoreOptions.DEFAULT.deadline(Duration.ofSeconds(2)), time);

  @AfterEach
  void close() {
    store.close();
  }

  private void offer(String sku, String name, long cents, long stock) {
    store.execute(
        tx -> {
          tx.put(PRODUCTS, Tuple.of(sku), new Product(name, cents));
          tx.put(STOCK, Tuple.of(sku), stock);
        });
  }

  private Order place(String requestId, String customer) {
    UUID id = UUID.nameUUIDFromBytes(requestId.getBytes(StandardCharsets.UTF_8));
    Instant now = Instant.now();
    return store.transact(
        requestId,
        Codec.record(Order.class),
        tx -> {
          List<Line> lines =
              tx.scan(CARTS, Tuple.of(customer)).stream().map(entry -> take(tx, entry)).toList();
          long cents = lines.stream().mapToLong(line -> line.quantity() * line.cents()).sum();
          Order order = new Order(id, customer, now, lines, cents);
          tx.insert(ORDERS, Tuple.of(id), order);
          return order;
        });
  }

  private static Line take(Transaction tx, Entry<Long> inCart) {
    String sku = inCart.key().string(1);
    long wanted = inCart.value();
    Product product = tx.get(PRODUCTS, Tuple.of(sku)).orElseThrow();
    long left = tx.get(STOCK, Tuple.of(sku)).orElse(0L) - wanted;
    if (left < 0) {
      throw new IllegalStateException("of " + sku + " there are not " + wanted);
    }
    tx.put(STOCK, Tuple.of(sku), left);
    tx.delete(CARTS, inCart.key());
    return new Line(sku, product.name(), wanted, product.cents());
  }

  record ProductPage(Product product, long left, Map<Tuple, Product> others) {}

  private ProductPage page(String sku, List<Tuple> seenLately) {
    return store.read(
        at -> {
          Reads reads = at.reads();
          Read<Optional<Product>> product = reads.get(PRODUCTS, Tuple.of(sku));
          Read<Optional<Long>> left = reads.get(STOCK, Tuple.of(sku));
          Read<Map<Tuple, Product>> others = reads.getAll(PRODUCTS, seenLately);
          reads.run();
          return new ProductPage(product.get().orElseThrow(), left.get().orElse(0L), others.get());
        });
  }

  @Test
  void aPageHasWhatSeveralTablesSayAtOneMoment() {
    offer("tea", "Tea", 499, 2);
    offer("cup", "Cup", 999, 5);
    assertEquals(
        new ProductPage(
            new Product("Tea", 499), 2, Map.of(Tuple.of("cup"), new Product("Cup", 999))),
        page("tea", List.of(Tuple.of("cup"), Tuple.of("gone"))));
  }

  private static List<Tuple> beginningWith(Snapshot at, String typed) {
    return at.scan(PRODUCTS, TupleRange.startingWith(Tuple.of(typed))).limit(10).keys().toList();
  }

  @Test
  void whatBeginsAsWasTypedIsARange() {
    offer("tea", "Tea", 499, 2);
    offer("teapot", "Teapot", 1999, 2);
    offer("cup", "Cup", 999, 5);
    assertEquals(
        List.of(Tuple.of("tea"), Tuple.of("teapot")),
        store.<List<Tuple>, RuntimeException>read(at -> beginningWith(at, "te")));
  }

  @Test
  void aShopSellsWhatThereIsOnce() {
    store.catalog().open(ORDERS).forEach(store.catalog()::build);
    offer("tea", "Tea", 499, 2);
    store.execute(tx -> tx.put(CARTS, Tuple.of("alice", "tea"), 2L));
    Order order = place("request-1", "alice");
    assertEquals(order, place("request-1", "alice"));
    assertEquals(998, order.cents());
    store.execute(tx -> tx.put(CARTS, Tuple.of("bob", "tea"), 1L));
    assertThrows(IllegalStateException.class, () -> place("request-2", "bob"));

    Page<Order> newest =
        store.read(at -> at.scan(BY_CUSTOMER, Tuple.of("alice")).reverse().limit(20).page());
    assertEquals(List.of(order), newest.entries().stream().map(Entry::value).toList());
    assertFalse(newest.hasMore());
  }

  // ---- first steps ----

  static final Table<Long> VISITS = Table.of("visits", Codec.longs());

  @Test
  void firstSteps() {
    store.execute(tx -> tx.add(VISITS, Tuple.of("/home"), 1));
    long visits = store.read(snapshot -> snapshot.get(VISITS, Tuple.of("/home")).orElse(0L));
    assertEquals(1, visits);
  }

  // ---- pages over HTTP ----

  record Post(String text) {}

  static final Table<Post> POSTS = Table.of("posts", Codec.record(Post.class));

  private Map<String, Object> posts(String author, Optional<String> after) {
    return store.read(
        snapshot -> {
          Scan<Post> newest = snapshot.scan(POSTS, Tuple.of(author)).reverse().limit(20);
          Page<Post> page = after.map(newest::resume).orElse(newest).page();
          Map<String, Object> body = new LinkedHashMap<>();
          body.put("posts", page.entries().stream().map(entry -> entry.value().text()).toList());
          page.next().ifPresent(token -> body.put("next", token));
          page.previous().ifPresent(token -> body.put("previous", token));
          return body;
        });
  }

  @Test
  void pagesGoOnBehindOneAnother() {
    Instant now = Instant.EPOCH;
    store.execute(
        tx -> {
          for (int i = 0; i < 30; i++) {
            tx.put(POSTS, Tuple.of("alice", now.plusSeconds(i)), new Post("post " + i));
          }
        });
    Map<String, Object> first = posts("alice", Optional.empty());
    Map<String, Object> second = posts("alice", Optional.of(String.valueOf(first.get("next"))));
    assertTrue(String.valueOf(first.get("posts")).startsWith("[post 29, "), first::toString);
    assertTrue(String.valueOf(second.get("posts")).startsWith("[post 9, "), second::toString);
    assertFalse(second.containsKey("next"));
  }

  // ---- sessions and staleness ----

  @Test
  void sessionsGoFromProcessToProcess() {
    store.execute(tx -> tx.put(POSTS, Tuple.of("alice", Instant.EPOCH), new Post("Hello")));
    EcStore other = EcStore.over(cluster, EcStoreOptions.DEFAULT, new FakeTime(2));

    // In the process that wrote:
    String token = store.token();
    // In another, that reads:
    Session session = other.session(token);
    long count = session.read(snapshot -> snapshot.count(POSTS));
    assertEquals(1, count);

    // For a browser, as in a cookie; and in the instance that it comes to next:
    String cookie = store.sealedToken();
    other.seen(cookie);
    assertEquals(1L, other.<Long, RuntimeException>read(snapshot -> snapshot.count(POSTS)));

    // Half a second old is good enough for a list that all look at:
    long about =
        store.read(ReadLevel.bounded(Duration.ofMillis(500)), snapshot -> snapshot.count(POSTS));
    assertEquals(1, about);
    other.close();
  }

  // ---- what to do after UnknownOutcome ----

  static final Table<Long> BALANCES = Table.of("balances", Codec.longs());

  private boolean deposit(String requestId, String account, long amount) {
    return store.execute(
        requestId,
        tx -> tx.upsert(BALANCES, Tuple.of(account), balance -> balance.orElse(0L) + amount));
  }

  @Test
  void aRequestThatIsSentAgainIsDoneOnce() {
    store.execute(tx -> tx.put(BALANCES, Tuple.of("alice"), 0L));
    // Every commit arrives, no answer comes back, and no node says what became of it.
    cluster.plan(
        (address, request) ->
            request instanceof ClientRequest.Commit || request instanceof ClientRequest.AskOutcome
                ? new Fault.LoseReply()
                : new Fault.None());
    assertThrows(UnknownOutcomeException.class, () -> deposit("d-17", "alice", 100));
    cluster.plan((address, request) -> new Fault.None());
    deposit("d-17", "alice", 100);
    assertFalse(deposit("d-17", "alice", 100));
    assertEquals(
        Optional.of(100L), store.read(snapshot -> snapshot.get(BALANCES, Tuple.of("alice"))));
  }

  // ---- coming from elsewhere ----

  record Person(String name, String city) {}

  static final Table<Person> PEOPLE = Table.of("people", Codec.record(Person.class));
  static final Index<Person> BY_CITY = PEOPLE.index("by-city", Person::city);

  @Test
  void whatElsewhereIsAQueryIsAnIndexHere() {
    store.catalog().open(PEOPLE).forEach(store.catalog()::build);
    store.execute(tx -> tx.insert(PEOPLE, Tuple.of(1), new Person("Alice", "Paris")));

    // SELECT * FROM people WHERE city = 'Paris'
    List<Entry<Person>> inParis = store.read(at -> at.scan(BY_CITY, Tuple.of("Paris")).toList());
    assertEquals(1, inParis.size());

    // SELECT city, COUNT(*) FROM people GROUP BY city
    List<Group> byCity =
        store.read(at -> at.scan(BY_CITY).aggregate(Aggregation.count().groupBy(1)));
    assertEquals(1, byCity.get(0).count());

    // UPDATE people SET city = 'Rome' WHERE id = 1
    Optional<Person> moved =
        store.transact(
            tx -> tx.update(PEOPLE, Tuple.of(1), person -> new Person(person.name(), "Rome")));
    assertTrue(moved.isPresent());

    // INSERT, where the key is there
    assertThrows(
        AlreadyExistsException.class,
        () -> store.execute(tx -> tx.insert(PEOPLE, Tuple.of(1), new Person("Bob", "Oslo"))));
  }
}
