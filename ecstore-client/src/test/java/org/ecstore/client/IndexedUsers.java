package org.ecstore.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.ecstore.client.error.EcStoreException;
import org.ecstore.client.fake.FakeCluster;
import org.ecstore.client.fake.FakeTime;
import org.ecstore.key.Tuple;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.function.Executable;

/** Users with three indexes, in a store that two clients have open. */
abstract class IndexedUsers {
  record User(String name, String email, String city, List<String> tags) {}

  FakeTime time;
  FakeCluster cluster;
  EcStore store;
  EcStore other;

  Table<User> users;
  Index<User> byEmail;
  Index<User> byCity;
  Index<User> byTag;

  /** A program of its own: what it declares is not what another one does. */
  static Table<User> declare() {
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

  static User user(String name, String city, String... tags) {
    return new User(name, name + "@example.org", city, List.of(tags));
  }

  static void assertRefused(
      Class<? extends EcStoreException> type, Executable call, String... parts) {
    String message = assertThrows(type, call).getMessage();
    for (String part : parts) {
      assertTrue(message.contains(part), message);
    }
  }

  void put(EcStore in, long id, User user) {
    in.execute(tx -> tx.put(users, Tuple.of(id), user));
  }

  List<String> namesBy(Index<User> index, TupleRange range) {
    return store.read(
        at -> at.scan(index, range).stream().map(entry -> entry.value().name()).toList());
  }

  void assertSound() {
    for (Index<User> index : users.indexes()) {
      IndexCheck check = store.catalog().verify(index);
      assertEquals(List.of(), check.differences(), index.name());
    }
  }
}
