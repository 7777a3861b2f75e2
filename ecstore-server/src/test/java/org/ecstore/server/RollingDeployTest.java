package org.ecstore.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.UnaryOperator;
import org.ecstore.client.Codec;
import org.ecstore.client.EcStore;
import org.ecstore.client.Entry;
import org.ecstore.client.Table;
import org.ecstore.client.error.WrongArgumentException;
import org.ecstore.client.schema.Default;
import org.ecstore.client.schema.NotYetWritten;
import org.ecstore.client.schema.Removed;
import org.ecstore.client.schema.StoredAs;
import org.ecstore.key.Tuple;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Programs of two neighbouring releases at work on one cluster, each with a store of its own, while
 * a component comes and another goes: no record is lost, and none is refused.
 */
@Timeout(120)
class RollingDeployTest {
  /** Each release's record. */
  record User(String name, long visits) {}

  @StoredAs("User")
  record WithMailSoon(String name, long visits, @NotYetWritten @Default("") String mail) {}

  @StoredAs("User")
  record WithMail(String name, long visits, @Default("") String mail) {}

  @Removed("name")
  @StoredAs("User")
  record WithoutName(long visits, @Default("") String mail) {}

  private static final Table<User> FIRST = Table.of("users", Codec.record(User.class));
  private static final Table<WithMailSoon> SECOND =
      Table.of("users", Codec.record(WithMailSoon.class));
  private static final Table<WithMail> THIRD = Table.of("users", Codec.record(WithMail.class));
  private static final Table<WithoutName> FOURTH =
      Table.of("users", Codec.record(WithoutName.class));

  private static final int KEYS = 10;
  private static final int VISITS = 150;

  @TempDir private Path directory;

  /** What one release's program does: it counts visits in all records, in turn. */
  private static <V> Runnable program(EcStore store, Table<V> table, UnaryOperator<V> visit) {
    return () -> {
      for (int i = 0; i < VISITS; i++) {
        Tuple key = Tuple.of(i % KEYS);
        store.execute(tx -> tx.update(table, key, visit));
      }
    };
  }

  private static void together(ExecutorService threads, Runnable... programs) throws Exception {
    List<Future<?>> running = new ArrayList<>();
    for (Runnable program : programs) {
      running.add(threads.submit(program));
    }
    for (Future<?> each : running) {
      each.get();
    }
  }

  private static <V> List<V> all(EcStore store, Table<V> table) {
    return store.<List<V>, RuntimeException>read(
        at -> at.scan(table).stream().map(Entry::value).toList());
  }

  @Test
  void releasesRunBesideEachOther() throws Exception {
    try (LocalCluster cluster =
            LocalCluster.start(directory, ClusterSettings.DEFAULT.withNodes(2).withCopies(1));
        EcStore one = EcStore.connect(cluster.addresses());
        EcStore other = EcStore.connect(cluster.addresses());
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      one.catalog().open(FIRST);
      for (int key = 0; key < KEYS; key++) {
        int id = key;
        one.execute(tx -> tx.put(FIRST, Tuple.of(id), new User("u" + id, 0)));
      }

      other.catalog().open(SECOND);
      together(
          threads,
          program(one, FIRST, user -> new User(user.name(), user.visits() + 1)),
          program(other, SECOND, user -> second(user)));
      assertEquals(
          2L * VISITS, all(one, FIRST).stream().mapToLong(User::visits).sum(), "none is lost");

      one.catalog().open(THIRD);
      together(
          threads,
          program(
              one,
              THIRD,
              user -> new WithMail(user.name(), user.visits() + 1, user.name() + "@example.org")),
          program(other, SECOND, user -> second(user)));
      assertEquals(4L * VISITS, all(one, THIRD).stream().mapToLong(WithMail::visits).sum());
      assertTrue(
          all(one, THIRD).stream()
              .allMatch(user -> user.mail().equals(user.name() + "@example.org")),
          "the release before keeps what it does not set");
      assertThrows(
          WrongArgumentException.class,
          () -> one.execute(tx -> tx.put(FIRST, Tuple.of(1), new User("old", 0))));
      assertThrows(WrongArgumentException.class, () -> other.catalog().open(FIRST));

      other.catalog().open(FOURTH);
      together(
          threads,
          program(
              one,
              THIRD,
              user ->
                  new WithMail(
                      Optional.ofNullable(user.name()).orElse("gone"),
                      user.visits() + 1,
                      user.mail())),
          program(other, FOURTH, user -> new WithoutName(user.visits() + 1, user.mail())));
      assertEquals(6L * VISITS, all(other, FOURTH).stream().mapToLong(WithoutName::visits).sum());
    }
  }

  private static WithMailSoon second(WithMailSoon user) {
    return new WithMailSoon(user.name(), user.visits() + 1, user.mail());
  }
}
