package org.ecstore.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import org.ecstore.client.error.ClosedException;
import org.ecstore.client.error.TooLargeException;
import org.ecstore.client.error.UniqueViolationException;
import org.ecstore.client.error.WrongArgumentException;
import org.ecstore.key.Tuple;
import org.ecstore.model.Isolation;
import org.ecstore.model.ReadLevel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Reading by indexes, and what is written with records. */
class IndexTest extends IndexedUsers {
  @Test
  void recordsAreFoundByWhatIndexesAreOf() {
    assertEquals(List.of(), store.catalog().open(users));
    put(store, 1, user("cleo", "Rome", "red", "blue"));
    put(store, 2, user("ada", "Oslo", "red"));
    put(store, 3, user("bob", "Oslo"));
    assertEquals(List.of("ada", "bob", "cleo"), namesBy(byCity, TupleRange.all()));
    assertEquals(List.of("ada", "bob"), namesBy(byCity, TupleRange.prefix(Tuple.of("Oslo"))));
    assertEquals(List.of("bob", "cleo"), namesBy(byCity, TupleRange.from(Tuple.of("Oslo", "b"))));
    assertEquals(List.of("cleo", "ada"), namesBy(byTag, TupleRange.only(Tuple.of("red"))));
    assertEquals(
        Optional.of(Tuple.of(3)),
        store
            .<Optional<Entry<User>>, RuntimeException>read(
                at -> at.find(byEmail, Tuple.of("bob@example.org")))
            .map(Entry::key));
    assertEquals(3, store.<Long, RuntimeException>read(at -> at.count(byTag, TupleRange.all())));
    assertEquals(
        List.of(Tuple.of(1), Tuple.of(3), Tuple.of(2)),
        store.<List<Tuple>, RuntimeException>read(
            at -> at.scan(byEmail).reverse().keys().toList()));
    assertSound();
  }

  @Test
  void entriesFollowTheirRecords() {
    store.catalog().open(users);
    put(store, 1, user("cleo", "Rome", "red", "blue"));
    put(store, 1, user("cleo", "Oslo", "blue", "green"));
    assertEquals(List.of(), namesBy(byCity, TupleRange.prefix(Tuple.of("Rome"))));
    assertEquals(List.of(), namesBy(byTag, TupleRange.only(Tuple.of("red"))));
    assertEquals(List.of("cleo"), namesBy(byTag, TupleRange.only(Tuple.of("green"))));
    store.execute(tx -> tx.delete(users, Tuple.of(1)));
    assertEquals(List.of(), namesBy(byCity, TupleRange.all()));
    assertEquals(List.of(), namesBy(byTag, TupleRange.all()));
    assertSound();
  }

  @Test
  void aTransactionFindsWhatItHasWritten() {
    store.catalog().open(users);
    put(store, 1, user("ada", "Oslo"));
    store.execute(
        tx -> {
          tx.put(users, Tuple.of(2), user("bob", "Oslo"));
          tx.put(users, Tuple.of(1), user("ada", "Rome"));
          assertEquals(List.of(Tuple.of(2)), tx.scan(byCity, Tuple.of("Oslo")).keys().toList());
          tx.put(users, Tuple.of(2), user("bob", "Rome"));
          tx.delete(users, Tuple.of(1));
          assertEquals(List.of(Tuple.of(2)), tx.scan(byCity).keys().toList());
          tx.put(users, Tuple.of(3), user("cleo", "Bern"));
        });
    assertEquals(List.of("cleo", "bob"), namesBy(byCity, TupleRange.all()));
    assertSound();
  }

  @ParameterizedTest
  @EnumSource(Isolation.class)
  void aUniqueValueIsOfOneRecord(Isolation isolation) {
    store.catalog().open(users);
    put(store, 1, user("ada", "Oslo"));
    UniqueViolationException violation =
        assertThrows(
            UniqueViolationException.class,
            () ->
                store
                    .with(isolation)
                    .execute(tx -> tx.put(users, Tuple.of(2), user("ada", "Rome"))));
    assertEquals("by-email", violation.index());
    assertEquals("users", violation.table());
    assertEquals("(2)", violation.key());
    assertEquals("(1)", violation.owner());
    assertTrue(violation.getMessage().contains("ada@example.org"), violation.getMessage());
    assertEquals(List.of("ada"), namesBy(byCity, TupleRange.all()));
    store.execute(
        tx -> {
          tx.delete(users, Tuple.of(1));
          tx.put(users, Tuple.of(2), user("ada", "Rome"));
        });
    assertSound();
  }

  @Test
  void twoRecordsMayExchangeAUniqueValue() {
    store.catalog().open(users);
    put(store, 1, user("ada", "Oslo"));
    put(store, 2, user("bob", "Oslo"));
    store.execute(
        tx -> {
          tx.put(users, Tuple.of(1), user("bob", "Oslo"));
          tx.put(users, Tuple.of(2), user("ada", "Oslo"));
        });
    assertEquals(
        Optional.of(Tuple.of(2)),
        store
            .<Optional<Entry<User>>, RuntimeException>read(
                at -> at.find(byEmail, Tuple.of("ada@example.org")))
            .map(Entry::key));
    assertThrows(
        UniqueViolationException.class,
        () ->
            store.execute(
                tx -> {
                  tx.put(users, Tuple.of(7), user("eve", "Oslo"));
                  tx.put(users, Tuple.of(8), user("eve", "Rome"));
                }));
    assertSound();
  }

  @Test
  void recordsThatAreNotMeantAreNotInAnIndex() {
    Table<User> table = Table.of("people", Codec.record(User.class));
    Index<User> oslo =
        table
            .index("oslo", User::name)
            .where(user -> user.city().equals("Oslo"))
            .where(user -> !user.name().equals("eve"));
    Index<User> some =
        table.index("some", user -> user.tags().isEmpty() ? null : Optional.of(user.tags().get(0)));
    store.catalog().open(table);
    store.execute(
        tx -> {
          tx.put(table, Tuple.of(1), user("ada", "Oslo"));
          tx.put(table, Tuple.of(2), user("bob", "Rome", "red"));
          tx.put(table, Tuple.of(3), user("eve", "Oslo"));
        });
    assertEquals(List.of("ada"), namesBy(oslo, TupleRange.all()));
    assertEquals(List.of("bob"), namesBy(some, TupleRange.all()));
  }

  @Test
  void aCoveringIndexKeepsAPartOfEachRecord() {
    Table<User> table = Table.of("people", Codec.record(User.class));
    Covering<User, String> names =
        table.index("names", User::city).covering(Codec.utf8(), User::name);
    Covering<User, String> unique =
        table.index("unique", User::email).unique().covering(Codec.utf8(), User::name);
    store.catalog().open(table);
    store.execute(
        tx -> {
          tx.put(table, Tuple.of(1), user("ada", "Oslo"));
          tx.put(table, Tuple.of(2), user("bob", "Oslo"));
        });
    store.execute(
        tx -> tx.put(table, Tuple.of(1), new User("eda", "ada@example.org", "Oslo", List.of())));
    List<Entry<String>> found =
        List.of(new Entry<>(Tuple.of(1), "eda"), new Entry<>(Tuple.of(2), "bob"));
    assertEquals(
        found,
        store.<List<Entry<String>>, RuntimeException>read(
            at -> at.scan(names, TupleRange.all()).toList()));
    assertEquals(
        found,
        store.<List<Entry<String>>, RuntimeException>read(
            at -> at.scan(unique, TupleRange.all()).toList()));
    assertEquals(List.of("eda", "bob"), namesBy(unique.index(), TupleRange.all()));
  }

  @Test
  void pagesOfAnIndexGoOnAndBack() {
    store.catalog().open(users);
    store.execute(
        tx -> {
          for (long id = 0; id < 250; id++) {
            tx.put(users, Tuple.of(id), user("u" + (1000 - id), "Oslo"));
          }
        });
    List<String> names = new ArrayList<>();
    Optional<String> next = Optional.of("");
    List<Optional<String>> previous = new ArrayList<>();
    while (next.isPresent()) {
      String token = next.get();
      Page<User> page =
          store.read(
              at -> {
                Scan<User> scan = at.scan(byCity, Tuple.of("Oslo")).limit(70);
                return (token.isEmpty() ? scan : scan.resume(token)).page();
              });
      page.entries().forEach(entry -> names.add(entry.value().name()));
      previous.add(page.previous());
      next = page.next();
    }
    assertEquals(250, names.size());
    assertEquals(names.stream().sorted().toList(), names);
    assertEquals(4, previous.size());
    assertEquals(Optional.empty(), previous.get(0));
    Page<User> back =
        store.read(
            at -> at.scan(byCity, Tuple.of("Oslo")).limit(70).resume(previous.get(2).get()).page());
    assertEquals(
        names.subList(70, 140),
        back.entries().stream().map(entry -> entry.value().name()).toList());
  }

  @Test
  void whatNoIndexCanHoldIsToldWithItsName() {
    store.catalog().open(users);
    assertRefused(
        TooLargeException.class, () -> put(store, 1, user("x".repeat(5_000), "Oslo")), "by-city");
    Table<User> table = Table.of("people", Codec.record(User.class));
    table.index("wrong", user -> new AtomicLong(user.tags().size()));
    store.catalog().open(table);
    assertRefused(
        WrongArgumentException.class,
        () -> store.execute(tx -> tx.put(table, Tuple.of(1), user("ada", "Oslo"))),
        "wrong",
        "AtomicLong");
    assertThrows(WrongArgumentException.class, () -> users.index("", User::name));
    assertRefused(
        WrongArgumentException.class, () -> store.catalog().drop("users", "none"), "no such index");
    Table<User> unknown = Table.of("unknown", Codec.record(User.class));
    assertRefused(
        WrongArgumentException.class,
        () -> store.execute(tx -> store.catalog().open(unknown)),
        "a change of the catalog within transact");
  }

  @Test
  void aTransactionThatCouldNotBeEnteredIsOver() {
    store.catalog().open(users);
    put(store, 1, user("ada", "Oslo"));
    try (ManualTransaction tx = store.begin()) {
      tx.put(users, Tuple.of(2), user("ada", "Rome"));
      assertThrows(UniqueViolationException.class, tx::commit);
      assertThrows(ClosedException.class, tx::commit);
    }
    assertThrows(
        ClosedException.class,
        () ->
            store.execute(
                tx -> {
                  tx.put(users, Tuple.of(2), user("ada", "Rome"));
                  assertThrows(
                      UniqueViolationException.class,
                      () -> tx.find(byEmail, Tuple.of("bob@example.org")));
                  tx.put(users, Tuple.of(2), user("bob", "Rome"));
                }));
    assertEquals(List.of("ada"), namesBy(byEmail, TupleRange.all()));
    assertSound();
  }

  @Test
  void anIndexOfAnExpiringTableGoesWithWhatIsOver() {
    Table<User> passing =
        Table.of("guests", Codec.record(User.class)).expiringAfter(Duration.ofSeconds(10));
    Index<User> byName = passing.index("by-name", User::name);
    store.catalog().open(passing);
    store.execute(tx -> tx.put(passing, Tuple.of(1), user("ada", "Oslo")));
    store.execute(tx -> tx.put(passing, Tuple.of(2), user("bob", "Oslo"), Duration.ofHours(1)));
    time.advance(60_000_000_000L);
    assertEquals(0, other.sweep());
    assertEquals(1, store.sweep());
    assertEquals(List.of("bob"), namesBy(byName, TupleRange.all()));
    assertEquals(List.of(), store.catalog().verify(byName).differences());
    Table<User> plain = Table.of("guests", Codec.record(User.class));
    plain.index("by-name", User::name);
    assertRefused(
        WrongArgumentException.class,
        () -> store.execute(tx -> tx.put(plain, Tuple.of(3), user("eve", "Oslo"))),
        "expire");
    assertRefused(
        WrongArgumentException.class,
        () -> plain.expiringAfter(Duration.ofDays(1)),
        "behind expiringAfter");
  }

  @Test
  void whatAnIndexCoversIsPartOfIt() {
    store.catalog().open(users);
    Table<User> later = declare();
    later.index("by-email", User::email).unique().covering(Codec.utf8(), User::name);
    assertRefused(WrongArgumentException.class, () -> store.catalog().open(later), "covering");
    Index<User> names = later.index("names", User::name).covering(Codec.utf8(), User::city).index();
    assertRefused(
        WrongArgumentException.class, () -> names.covering(Codec.utf8(), User::email), "already");
    assertRefused(
        TooLargeException.class,
        () -> store.read(at -> at.find(byEmail, Tuple.of("x".repeat(5_000)))),
        "too large");
  }

  @Test
  void recordsOfSeveralValuesComeWithEach() {
    store.catalog().open(users);
    put(store, 1, user("ada", "Oslo", "red", "blue"));
    assertEquals(List.of("ada", "ada"), namesBy(byTag, TupleRange.all()));
    assertEquals(
        1L, store.<Long, RuntimeException>read(at -> at.scan(byTag).keys().distinct().count()));
  }

  /** A model beside it: random writes of two clients, indexes that come and go. */
  @Test
  void anIndexNeverDiffersFromItsTable() {
    for (int seed = 0; seed < 20; seed++) {
      stop();
      start();
      Random random = new Random(seed);
      Map<Long, User> model = new TreeMap<>();
      store.catalog().open(users);
      for (int step = 0; step < 120; step++) {
        EcStore at = random.nextBoolean() ? store : other;
        if (random.nextInt(30) == 0) {
          Index<User> dropped = users.indexes().get(random.nextInt(3));
          at.catalog().drop(dropped);
          at.catalog().open(users);
        } else if (random.nextInt(30) == 0) {
          at.catalog().rebuild(users.indexes().get(random.nextInt(3)));
        } else {
          write(at, random, model);
        }
        store.catalog().open(users).forEach(store.catalog()::build);
        assertAsModel(at, model);
      }
      assertSound();
    }
  }

  private void write(EcStore at, Random random, Map<Long, User> model) {
    Map<Long, Optional<User>> writes = new LinkedHashMap<>();
    for (int i = random.nextInt(6); i >= 0; i--) {
      long id = random.nextInt(12);
      User user =
          new User(
              "n" + random.nextInt(5),
              id + "@example.org",
              "c" + random.nextInt(3),
              List.copyOf(new TreeSet<>(List.of("t" + random.nextInt(3), "t0"))));
      writes.put(id, random.nextInt(3) == 0 ? Optional.empty() : Optional.of(user));
    }
    int look = random.nextInt(8);
    at.with(random.nextBoolean() ? Isolation.SERIALIZABLE : Isolation.SNAPSHOT)
        .execute(
            tx -> {
              Map<Long, User> then = new TreeMap<>(model);
              int done = 0;
              for (Map.Entry<Long, Optional<User>> write : writes.entrySet()) {
                Tuple key = Tuple.of(write.getKey());
                if (write.getValue().isPresent()) {
                  tx.put(users, key, write.getValue().get());
                  then.put(write.getKey(), write.getValue().get());
                } else {
                  tx.delete(users, key);
                  then.remove(write.getKey());
                }
                if (done++ == look) {
                  assertEquals(then.size(), tx.scan(byCity).keys().toList().size());
                }
              }
            });
    writes.forEach(
        (id, user) -> {
          if (user.isPresent()) {
            model.put(id, user.get());
          } else {
            model.remove(id);
          }
        });
  }

  private void assertAsModel(EcStore at, Map<Long, User> model) {
    at.read(
        ReadLevel.STRONG,
        snapshot -> {
          List<Tuple> expected =
              model.entrySet().stream()
                  .sorted(
                      (a, b) ->
                          Tuple.of(a.getValue().city(), a.getValue().name(), a.getKey())
                              .compareTo(
                                  Tuple.of(b.getValue().city(), b.getValue().name(), b.getKey())))
                  .map(entry -> Tuple.of(entry.getKey()))
                  .toList();
          assertEquals(expected, snapshot.scan(byCity).keys().toList());
          assertEquals(
              model.values().size(), snapshot.count(byTag, TupleRange.only(Tuple.of("t0"))));
          assertEquals(model.keySet().size(), snapshot.scan(byEmail).toList().size());
          return null;
        });
  }
}
