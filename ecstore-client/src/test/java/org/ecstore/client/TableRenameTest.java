package org.ecstore.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.ecstore.client.error.EcStoreException;
import org.ecstore.client.error.WrongArgumentException;
import org.ecstore.client.fake.FakeCluster;
import org.ecstore.client.fake.FakeTime;
import org.ecstore.key.Tuple;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** Renames of tables: whole, stopped, overtaken, and back. */
class TableRenameTest {
  record User(String name, String email, String city, List<String> tags) {}

  private FakeTime time;
  private FakeCluster cluster;
  private EcStore store;
  private EcStore other;

  private Table<User> users;

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
    users.index("by-email", User::email).unique();
    users.index("by-city", user -> Tuple.of(user.city(), user.name()));
    users.indexEach("by-tag", User::tags);
  }

  @AfterEach
  void stop() {
    other.close();
    store.close();
  }

  private static User user(String name, String city) {
    return new User(name, name + "@example.org", city, List.of("a tag"));
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

  private void assertSound() {
    for (Index<User> index : users.indexes()) {
      IndexCheck check = store.catalog().verify(index);
      assertEquals(List.of(), check.differences(), index.name());
    }
  }

  private Table<User> renamed() {
    Table<User> people = Table.of("people", Codec.record(User.class));
    people.index("by-email", User::email).unique();
    people.index("by-town", User::city);
    return people;
  }

  @Test
  void aTableIsRenamedWithItsRecordsAndTheOthersIndexes() {
    store.catalog().open(users);
    for (long id = 0; id < 450; id++) {
      put(store, id, user("u" + id, "Oslo"));
    }
    Table<User> people = renamed();
    List<Long> told = new ArrayList<>();
    assertEquals(450, store.catalog().rename(users, people, told::add));
    assertEquals(450L, told.get(told.size() - 1));
    assertEquals(450, store.<Long, RuntimeException>read(at -> at.count(people)));
    assertEquals(0, store.<Long, RuntimeException>read(at -> at.count(users)));
    for (Index<User> index : people.indexes()) {
      assertEquals(List.of(), store.catalog().verify(index).differences());
    }
    assertEquals(
        0,
        store.<Long, RuntimeException>read(
            at -> at.count(CatalogKeys.OWN, CatalogKeys.entriesOf("users"))));
    assertEquals(0, store.catalog().rename(users, people), "it is done");
    put(people, 7, user("ada", "Rome"));
    assertRefused(
        WrongArgumentException.class, () -> put(store, 1, user("eve", "Rome")), "renamed");
    assertRefused(WrongArgumentException.class, () -> other.catalog().open(declare()), "people");
    store.catalog().dropTable("users");
    put(store, 1, user("ada", "Rome"));
  }

  private void put(Table<User> table, long id, User user) {
    store.execute(tx -> tx.put(table, Tuple.of(id), user));
  }

  private void stopAmidRename(Table<User> people) {
    store.catalog().open(users);
    for (long id = 0; id < 450; id++) {
      put(store, id, user("u" + id, "Oslo"));
    }
    assertThrows(
        IllegalStateException.class,
        () ->
            store
                .catalog()
                .rename(
                    users,
                    people,
                    records -> {
                      if (records >= 7) {
                        throw new IllegalStateException("ended");
                      }
                    }));
  }

  /** A program that ends amid it, others that write, and others that would drop or rename. */
  @Test
  void aRenameGoesOnWhereItStopped() {
    Table<User> people = renamed();
    stopAmidRename(people);
    assertRefused(
        WrongArgumentException.class, () -> put(other, 1, user("eve", "Rome")), "renamed");
    assertRefused(
        WrongArgumentException.class, () -> put(people, 1, user("eve", "Rome")), "renamed");
    for (String either : List.of("users", "people")) {
      assertRefused(
          WrongArgumentException.class, () -> other.catalog().dropTable(either), "to=people");
    }
    Table<User> folk = Table.of("folk", Codec.record(User.class));
    assertRefused(
        WrongArgumentException.class, () -> other.catalog().rename(users, folk), "to=people");
    other.execute(tx -> tx.put(folk, Tuple.of(1), user("bob", "Rome")));
    assertRefused(
        WrongArgumentException.class, () -> other.catalog().rename(folk, people), "to=people");
    assertEquals(443, other.catalog().rename(users, people));
    assertEquals(450, store.<Long, RuntimeException>read(at -> at.count(people)));
    for (Index<User> index : people.indexes()) {
      assertEquals(List.of(), store.catalog().verify(index).differences());
    }
  }

  @Test
  void aRenameGoesBackTheOtherWayRound() {
    Table<User> people = renamed();
    stopAmidRename(people);
    assertEquals(7, other.catalog().rename(people, users));
    assertEquals(450, store.<Long, RuntimeException>read(at -> at.count(users)));
    assertSound();
    put(store, 1, user("ada", "Rome"));
    assertRefused(
        WrongArgumentException.class, () -> put(people, 1, user("eve", "Rome")), "renamed");
  }

  /** A call that was frozen finds that another has gone on. */
  @Test
  void aCallThatWasOvertakenDoesNoMore() {
    Table<User> people = renamed();
    store.catalog().open(users);
    for (long id = 0; id < 50; id++) {
      put(store, id, user("u" + id, "Oslo"));
    }
    boolean[] overtaken = {false};
    assertRefused(
        WrongArgumentException.class,
        () ->
            store
                .catalog()
                .rename(
                    users,
                    people,
                    records -> {
                      if (!overtaken[0]) {
                        overtaken[0] = true;
                        assertEquals(49, other.catalog().rename(users, people));
                      }
                    }),
        "another call");
    assertEquals(50, store.<Long, RuntimeException>read(at -> at.count(people)));
  }

  /** Records of before a table had lifetimes have none, and records that have one keep it. */
  @Test
  void lifetimesAreRenamedAsTheyAre() {
    Table<User> plain = Table.of("users", Codec.record(User.class));
    put(plain, 1, user("ada", "Oslo"));
    Table<User> from =
        Table.of("users", Codec.record(User.class)).expiringAfter(Duration.ofDays(1));
    Table<User> to = Table.of("people", Codec.record(User.class)).expiringAfter(Duration.ofDays(1));
    store.catalog().open(from);
    put(from, 2, user("bob", "Oslo"));
    store.catalog().rename(from, to);
    assertEquals(
        Optional.empty(),
        store.<Optional<java.time.Instant>, RuntimeException>read(
            at -> at.expiresAt(to, Tuple.of(1))));
    time.advance(Duration.ofDays(2).toNanos());
    store.sweep();
    assertEquals(
        List.of(Tuple.of(1)),
        store.<List<Tuple>, RuntimeException>read(at -> at.scan(to).keys().toList()));
  }

  @Test
  void whatCannotBeRenamedIsSaid() {
    put(store, 1, user("ada", "Oslo"));
    assertRefused(
        WrongArgumentException.class, () -> store.catalog().rename(users, users), "another name");
    Table<User> expiring =
        Table.of("people", Codec.record(User.class)).expiringAfter(Duration.ofDays(1));
    assertRefused(
        WrongArgumentException.class,
        () -> store.catalog().rename(users, expiring),
        "expiringAfter");
    Table<User> people = renamed();
    assertRefused(
        WrongArgumentException.class, () -> store.catalog().rename(people, users), "no such table");
    put(people, 7, user("bob", "Oslo"));
    assertRefused(
        WrongArgumentException.class,
        () -> store.catalog().rename(users, people),
        "under the new name");
    put(store, 1, user("ada", "Rome"));
  }
}
