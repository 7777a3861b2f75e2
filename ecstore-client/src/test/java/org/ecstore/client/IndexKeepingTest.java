package org.ecstore.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.ecstore.client.IndexDescription.State;
import org.ecstore.client.error.CatalogChangedException;
import org.ecstore.client.error.ConflictException;
import org.ecstore.client.error.UniqueViolationException;
import org.ecstore.client.error.WrongArgumentException;
import org.ecstore.key.Tuple;
import org.ecstore.model.Isolation;
import org.junit.jupiter.api.Test;

/** The catalog keeps indexes: makes, builds, changes and drops them, beside writers. */
class IndexKeepingTest extends IndexedUsers {
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
    assertEquals(List.of(), store.catalog().verify(byEmail).differences());
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
}
