package org.ecstore.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import org.ecstore.client.IndexDescription.State;
import org.ecstore.client.error.CatalogChangedException;
import org.ecstore.client.error.ClosedException;
import org.ecstore.client.error.ConflictException;
import org.ecstore.client.error.EcStoreException;
import org.ecstore.client.error.TooLargeException;
import org.ecstore.client.error.UniqueViolationException;
import org.ecstore.client.error.WrongArgumentException;
import org.ecstore.client.fake.FakeCluster;
import org.ecstore.client.fake.FakeTime;
import org.ecstore.key.Tuple;
import org.ecstore.model.Isolation;
import org.ecstore.model.ReadLevel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class IndexTest {
  record User(String name, String email, String city, List<String> tags) {}

  private FakeTime time;
  private FakeCluster cluster;
  private EcStore store;
  private EcStore other;

  private Table<User> users;
  private Index<User> byEmail;
  private Index<User> byCity;
  private Index<User> byTag;

  /** A program of its own: what it declares is not what another one does. */
  private static Table<User> declare() {
    return Table.of("users", Codec.record(User.class));
  }

  @BeforeEach
  void start() {
    time = new FakeTime(1);
    cluster = new FakeCluster(time, "n1:1", "n2:1", "n3:1");
    store = EcStore.over(cluster, EcStoreOptions.DEFAULT, time);
    other = EcStore.over(cluster, EcStoreOptions.DEFAULT, time);
    users = declare();
    byEmail = users.index("by-email", User::email).unique();
    byCity = users.index("by-city", user -> Tuple.of(user.city(), user.name()));
    byTag = users.indexEach("by-tag", User::tags);
  }

  @AfterEach
  void stop() {
    other.close();
    store.close();
  }

  private static User user(String name, String city, String... tags) {
    return new User(name, name + "@example.org", city, List.of(tags));
  }

  private static void assertRefused(
      Class<? extends EcStoreException> type, Executable call, String... parts) {
    String message = assertThrows(type, call).getMessage();
    for (String part : parts) {
      assertTrue(message.contains(part), message);
    }
  }

  private void put(EcStore in, long id, User user) {
    in.execute(tx -> tx.put(users, Tuple.of(id), user));
  }

  private List<String> namesBy(Index<User> index, TupleRange range) {
    return store.read(
        at -> at.scan(index, range).stream().map(entry -> entry.value().name()).toList());
  }

  private void assertSound() {
    for (Index<User> index : users.indexes()) {
      IndexCheck check = store.catalog().verify(index);
      assertEquals(List.of(), check.differences(), index.name());
    }
  }

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
  void anIndexOfATableWithRecordsIsBuilt() {
    Table<User> before = declare();
    for (long id = 0; id < 1_000; id++) {
      User user = user("u" + id, "city " + id % 7, "t" + id % 3);
      long key = id;
      store.execute(tx -> tx.put(before, Tuple.of(key), user));
    }
    assertEquals(List.of(byCity, byEmail, byTag), store.catalog().open(users));
    assertRefused(
        WrongArgumentException.class, () -> namesBy(byCity, TupleRange.all()), "not built yet");
    put(store, 5, user("new", "Oslo"));
    List<Long> progress = new ArrayList<>();
    assertEquals(1_000, store.catalog().build(byCity, progress::add));
    assertTrue(progress.size() > 3, progress::toString);
    assertEquals(progress.stream().sorted().toList(), progress);
    assertEquals(1_000L, progress.get(progress.size() - 1));
    store.catalog().open(users).forEach(store.catalog()::build);
    assertEquals(List.of(), store.catalog().open(users));
    assertEquals(List.of("new"), namesBy(byCity, TupleRange.prefix(Tuple.of("Oslo"))));
    assertEquals(143, namesBy(byCity, TupleRange.prefix(Tuple.of("city 3"))).size());
    assertSound();
  }

  @Test
  void whatIsNotUniqueCannotBeBuiltBeforeItIsMended() {
    Table<User> before = declare();
    store.execute(
        tx -> {
          tx.put(before, Tuple.of(1), user("ada", "Oslo"));
          tx.put(before, Tuple.of(2), user("ada", "Rome"));
          tx.put(before, Tuple.of(3), user("cleo", "Rome"));
        });
    store.catalog().open(users);
    assertThrows(UniqueViolationException.class, () -> store.catalog().build(byEmail));
    // The entry is the first one's: a change of the second must not take it away.
    put(store, 2, user("bob", "Rome"));
    store.catalog().build(byEmail);
    assertEquals(List.of("ada", "bob", "cleo"), namesBy(byEmail, TupleRange.all()));
    assertSound2(byEmail);
  }

  private void assertSound2(Index<User> index) {
    assertEquals(List.of(), store.catalog().verify(index).differences());
  }

  @Test
  void aProgramThatDoesNotDeclareAnIndexWritesNothing() {
    Table<User> old = declare();
    other.execute(tx -> tx.put(old, Tuple.of(1), user("ada", "Oslo")));
    store.catalog().open(users).forEach(store.catalog()::build);
    assertRefused(
        WrongArgumentException.class,
        () -> other.execute(tx -> tx.put(old, Tuple.of(2), user("bob", "Oslo"))),
        "does not declare",
        "by-city");
    assertTrue(
        other.<Optional<User>, RuntimeException>read(at -> at.get(old, Tuple.of(1))).isPresent());
    assertRefused(
        WrongArgumentException.class,
        () -> other.quorum(1, 1, 1).put(users, Tuple.of(2), user("bob", "Oslo")),
        "by transactions");
    other.execute(tx -> tx.put(users, Tuple.of(2), user("bob", "Oslo")));
    assertSound();
  }

  @Test
  void aTransactionBegunBeforeAnIndexWasMadeIsEndedByIt() {
    Table<User> old = declare();
    try (ManualTransaction tx = other.begin()) {
      tx.put(old, Tuple.of(1), user("ada", "Oslo"));
      store.catalog().open(users);
      assertThrows(CatalogChangedException.class, tx::commit);
    }
    int[] runs = new int[1];
    other.execute(
        tx -> {
          runs[0]++;
          tx.put(users, Tuple.of(1), user("ada", "Oslo"));
        });
    assertEquals(1, runs[0]);
    assertSound();
  }

  @Test
  void aClientThatKnowsNothingOfTheCatalogLearnsOfItByItsFirstCommit() {
    store.catalog().open(users);
    int[] runs = new int[1];
    other.execute(
        tx -> {
          runs[0]++;
          tx.put(users, Tuple.of(1), user("ada", "Oslo"));
        });
    assertEquals(2, runs[0]);
    assertSound();
  }

  @Test
  void anIndexThatIsDroppedIsNeitherReadNorWritten() {
    store.catalog().open(users);
    put(store, 1, user("ada", "Oslo"));
    assertEquals(List.of("ada"), namesBy(byCity, TupleRange.all()));
    other.catalog().drop("users", "by-city");
    assertRefused(
        WrongArgumentException.class, () -> namesBy(byCity, TupleRange.all()), "no such index");
    assertEquals(Optional.empty(), store.catalog().table("users").orElseThrow().index("by-city"));
    put(store, 2, user("bob", "Oslo"));
    assertEquals(
        0L,
        store.<Long, RuntimeException>read(
            at -> at.count(CatalogKeys.OWN, CatalogKeys.entriesOf("users", "by-city"))));
    assertEquals(List.of(byCity), store.catalog().open(users));
    store.catalog().build(byCity);
    assertEquals(List.of("ada", "bob"), namesBy(byCity, TupleRange.all()));
    assertSound();
  }

  @Test
  void whatAnIndexIsMadeOfChangesWithItsVersion() {
    store.catalog().open(users);
    put(store, 1, user("Ada", "Oslo"));
    Table<User> later = declare();
    later.index("by-email", User::email).unique();
    later.index("by-city", user -> Tuple.of(user.city(), user.name()));
    later.indexEach("by-tag", User::tags);
    Index<User> lower =
        later.index("by-email", u -> u.email().toUpperCase(Locale.ROOT)).unique().version(2);
    assertRefused(WrongArgumentException.class, () -> store.catalog().open(later), "version 2");
    assertRefused(
        WrongArgumentException.class,
        () -> store.execute(tx -> tx.put(later, Tuple.of(2), user("b", "c"))),
        "declared otherwise");
    assertEquals(1, store.catalog().rebuild(lower));
    assertEquals(List.of("Ada"), namesBy(lower, TupleRange.only(Tuple.of("ADA@EXAMPLE.ORG"))));
    assertEquals(List.of(), namesBy(lower, TupleRange.only(Tuple.of("Ada@example.org"))));
    assertRefused(
        WrongArgumentException.class,
        () -> put(store, 3, user("eve", "Rome")),
        "declared otherwise");
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
  void aTableThatIsDroppedIsGoneWithItsIndexes() {
    store.catalog().open(users);
    for (long id = 0; id < 700; id++) {
      put(store, id, user("u" + id, "Oslo"));
    }
    assertEquals(700, other.catalog().dropTable("users"));
    assertEquals(Optional.empty(), store.catalog().table("users"));
    assertEquals(0L, store.<Long, RuntimeException>read(at -> at.count(users)));
    assertEquals(
        0L,
        store.<Long, RuntimeException>read(
            at -> at.count(CatalogKeys.OWN, TupleRange.prefix(Tuple.of("index")))));
    put(store, 1, user("again", "Oslo"));
    assertEquals(3, store.catalog().open(users).size());
  }

  @Test
  void theCatalogSaysWhatThereIs() {
    store.catalog().open(users);
    TableDescription table = other.catalog().tables().get(0);
    assertEquals("users", table.name());
    assertEquals(
        List.of(
            new IndexDescription("by-city", false, false, 1, State.READABLE),
            new IndexDescription("by-email", true, false, 1, State.READABLE),
            new IndexDescription("by-tag", false, false, 1, State.READABLE)),
        table.indexes());
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
  void keysThatBeginWithAnotherAreBuiltAsWell() {
    Table<User> before = declare();
    store.execute(
        tx -> {
          for (long id = 0; id < 150; id++) {
            tx.put(before, Tuple.of("a"), user("parent", "Oslo"));
            tx.put(before, Tuple.of("a", null), user("none", "Oslo"));
            tx.put(before, Tuple.of("a", id), user("u" + id, "Oslo"));
          }
        });
    store.catalog().open(users);
    for (Index<User> index : users.indexes()) {
      assertEquals(152, store.catalog().build(index));
      assertEquals(152, store.catalog().verify(index).records());
    }
    assertEquals(152, namesBy(byCity, TupleRange.all()).size());
  }

  /** The writer has found no entry to remove; the build writes one before the writer commits. */
  @Test
  void aWriterUnderSnapshotIsInTheWayOfABuildThatEntersWhatItRemoves() {
    Table<User> before = declare();
    store.execute(tx -> tx.put(before, Tuple.of(5), user("ada", "Oslo")));
    store.execute(tx -> tx.put(before, Tuple.of(9), user("eve", "Oslo")));
    store.catalog().open(users);
    try (ManualTransaction tx = other.with(Isolation.SNAPSHOT).begin()) {
      tx.put(users, Tuple.of(5), user("bob", "Oslo"));
      assertEquals(
          2, other.with(Isolation.SNAPSHOT).<Long, RuntimeException>read(at -> at.count(users)));
      boolean[] isOver = new boolean[1];
      store
          .catalog()
          .build(
              byEmail,
              records -> {
                if (!isOver[0] && records == 1) {
                  isOver[0] = true;
                  assertThrows(ConflictException.class, tx::commit);
                }
              });
      assertTrue(isOver[0]);
    }
    assertEquals(List.of("ada", "eve"), namesBy(byEmail, TupleRange.all()));
    assertEquals(List.of(), store.catalog().verify(byEmail).differences());
  }

  @Test
  void anIndexThatIsDroppedWhileItIsBuiltLeavesNothing() {
    Table<User> before = declare();
    for (long id = 0; id < 300; id++) {
      long key = id;
      store.execute(tx -> tx.put(before, Tuple.of(key), user("u" + key, "Oslo")));
    }
    store.catalog().open(users);
    assertRefused(
        WrongArgumentException.class,
        () ->
            store
                .catalog()
                .build(
                    byCity,
                    records -> {
                      if (records > 100
                          && other
                              .catalog()
                              .table("users")
                              .orElseThrow()
                              .index("by-city")
                              .isPresent()) {
                        other.catalog().drop("users", "by-city");
                      }
                    }),
        "no such index");
    assertEquals(
        0L,
        store.<Long, RuntimeException>read(
            at -> at.count(CatalogKeys.OWN, CatalogKeys.entriesOf("users", "by-city"))));
    assertEquals(List.of(byCity, byEmail, byTag), store.catalog().open(users));
    store.catalog().open(users).forEach(store.catalog()::build);
    assertSound();
  }

  @Test
  void aBuildWaitsForAnotherAndGoesOnWhereItHasStopped() {
    Table<User> before = declare();
    for (long id = 0; id < 300; id++) {
      long key = id;
      store.execute(tx -> tx.put(before, Tuple.of(key), user("u" + key, "Oslo")));
    }
    store.catalog().open(users);
    IllegalStateException killed = new IllegalStateException("killed");
    assertThrows(
        IllegalStateException.class,
        () ->
            store
                .catalog()
                .build(
                    byCity,
                    records -> {
                      if (records > 100) {
                        throw killed;
                      }
                    }));
    List<Long> progress = new ArrayList<>();
    assertEquals(300, other.catalog().build(byCity, progress::add));
    assertTrue(progress.get(0) > 100, progress::toString);
    assertEquals(0, store.catalog().build(byCity));
  }

  @Test
  void aVersionThatWasOverwrittenIsToldAndWrittenAnew() {
    store.catalog().open(users);
    put(store, 1, user("ada", "Oslo"));
    store.execute(tx -> tx.delete(CatalogKeys.OWN, CatalogKeys.VERSION));
    assertRefused(
        WrongArgumentException.class,
        () -> other.execute(tx -> tx.put(users, Tuple.of(2), user("bob", "Oslo"))),
        "was overwritten");
    other.catalog().open(Table.of("another", Codec.utf8()));
    other.execute(tx -> tx.put(users, Tuple.of(2), user("bob", "Oslo")));
    put(store, 3, user("cleo", "Oslo"));
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

  @Test
  void aTableIsEmptiedAsAWhole() {
    store.catalog().open(users);
    put(store, 1, user("ada", "Oslo", "red"));
    put(store, 2, user("bob", "Oslo", "red"));
    assertEquals(2, other.catalog().truncate("users"));
    assertEquals(List.of(), namesBy(byCity, TupleRange.all()));
    assertEquals(List.of(), store.catalog().open(users));
    put(store, 1, user("ada", "Oslo"));
    assertSound();
  }

  @Test
  void aProgramMayDeclareAnIndexAndNotOpenIt() {
    assertEquals(List.of(), store.catalog().openWith(users, List.of(byEmail)));
    assertEquals(1, store.catalog().table("users").orElseThrow().indexes().size());
    Table<User> old = declare();
    old.index("by-email", User::email).unique();
    other.execute(tx -> tx.put(old, Tuple.of(1), user("ada", "Oslo")));
    put(store, 2, user("bob", "Oslo"));
    assertRefused(
        WrongArgumentException.class, () -> namesBy(byCity, TupleRange.all()), "no such index");
    store.catalog().open(users).forEach(store.catalog()::build);
    assertRefused(
        WrongArgumentException.class,
        () -> other.execute(tx -> tx.put(old, Tuple.of(3), user("eve", "Oslo"))),
        "does not declare");
    assertEquals(List.of("ada", "bob"), namesBy(byCity, TupleRange.all()));
    assertSound();
  }

  @Test
  void recordsThatShareAValueMayChangeElsewhereBeforeAUniqueIndexIsBuilt() {
    Table<User> before = declare();
    store.execute(
        tx -> {
          tx.put(before, Tuple.of(1), user("ada", "Oslo"));
          tx.put(before, Tuple.of(2), user("ada", "Rome"));
        });
    store.catalog().open(users);
    assertThrows(UniqueViolationException.class, () -> store.catalog().build(byEmail));
    put(store, 2, user("ada", "Bern"));
    put(store, 1, user("ada", "Bern"));
    assertThrows(UniqueViolationException.class, () -> store.catalog().build(byEmail));
    store.execute(tx -> tx.delete(users, Tuple.of(1)));
    store.catalog().build(byEmail);
    assertEquals(List.of("ada"), namesBy(byEmail, TupleRange.all()));
    assertEquals(List.of(), store.catalog().verify(byEmail).differences());
  }

  @Test
  void aVersionThatWasSetTooHighIsToldAndWrittenAnew() {
    store.catalog().open(users);
    store.execute(tx -> tx.put(CatalogKeys.VERSIONS, CatalogKeys.VERSION, 100L));
    assertEquals(3, other.catalog().table("users").orElseThrow().indexes().size());
    assertRefused(
        WrongArgumentException.class,
        () -> other.execute(tx -> tx.put(users, Tuple.of(2), user("bob", "Oslo"))),
        "was overwritten");
    other.catalog().open(Table.of("another", Codec.utf8()));
    other.execute(tx -> tx.put(users, Tuple.of(2), user("bob", "Oslo")));
    put(store, 3, user("cleo", "Oslo"));
    assertSound();
  }

  @Test
  void aTableOfTheCatalogMayBeginToExpire() {
    Table<String> words = Table.of("words", Codec.utf8());
    store.catalog().open(words);
    store.execute(tx -> tx.put(words, Tuple.of(1), "for ever"));
    Table<String> passing = Table.of("words", Codec.utf8()).expiringAfter(Duration.ofSeconds(10));
    store.catalog().open(passing);
    store.execute(tx -> tx.put(passing, Tuple.of(2), "for a while"));
    time.advance(60_000_000_000L);
    assertEquals(1, store.sweep());
    assertEquals(
        Optional.of("for ever"),
        store.<Optional<String>, RuntimeException>read(at -> at.get(passing, Tuple.of(1))));
    assertRefused(
        WrongArgumentException.class,
        () -> store.execute(tx -> tx.put(words, Tuple.of(1), "x")),
        "expiringAfter");
    assertRefused(WrongArgumentException.class, () -> store.catalog().open(words), "expiringAfter");
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
