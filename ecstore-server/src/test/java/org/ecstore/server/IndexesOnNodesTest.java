package org.ecstore.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.ecstore.client.Aggregation;
import org.ecstore.client.Codec;
import org.ecstore.client.EcStore;
import org.ecstore.client.Group;
import org.ecstore.client.Index;
import org.ecstore.client.Table;
import org.ecstore.client.TupleRange;
import org.ecstore.client.error.EcStoreException;
import org.ecstore.client.error.UniqueViolationException;
import org.ecstore.key.Tuple;
import org.ecstore.model.Isolation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Indexes on a real node: built while several threads write, compared at snapshots meanwhile. */
@Timeout(120)
class IndexesOnNodesTest {
  record User(String name, String city, long number) {}

  private static final Table<User> USERS = Table.of("users", Codec.record(User.class));
  private static final Index<User> BY_CITY =
      USERS.index("by-city", user -> Tuple.of(user.city(), user.name()));
  private static final Index<User> BY_NUMBER = USERS.index("by-number", User::number).unique();

  private static final int KEYS = 300;
  private static final int WRITERS = 3;

  @TempDir private Path directory;

  /** More records than a page has, by number and by bytes. */
  @Test
  void nodesCountAndSumUpOverManyPages() throws Exception {
    Table<Long> numbers = Table.of("numbers", Codec.longs());
    String pad = "x".repeat(60);
    try (EcStore store = EcStore.open(directory.resolve("store"))) {
      for (int from = 0; from < 10_000; from += 500) {
        int first = from;
        store.execute(
            tx -> {
              for (int i = first; i < first + 500; i++) {
                tx.put(numbers, Tuple.of(i % 7, i, pad), (long) i);
              }
            });
      }
      List<Group> groups =
          store.read(
              at ->
                  at.scan(numbers)
                      .aggregate(Aggregation.count().sum(1).sumOfValues().max(1).groupBy(1)));
      assertEquals(7, groups.size());
      assertEquals(10_000, groups.stream().mapToLong(Group::count).sum());
      for (Group group : groups) {
        assertEquals(group.sum(1), group.sumOfValues());
        long last = group.max(1, Long.class).orElseThrow();
        assertTrue(last > 9_990 && last % 7 == group.key().number(0), group::toString);
      }
      assertEquals(10_000, store.<Long, RuntimeException>read(at -> at.count(numbers)));
    }
  }

  @Test
  void anIndexIsBuiltWhileItsTableIsWritten() throws Exception {
    try (EcStore store = EcStore.open(directory.resolve("store"));
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Table<User> before = Table.of("users", Codec.record(User.class));
      for (long key = 0; key < KEYS; key++) {
        long id = key;
        store.execute(tx -> tx.put(before, Tuple.of(id), new User("u" + id, "c" + id % 7, id)));
      }
      AtomicBoolean over = new AtomicBoolean();
      List<Index<?>> unbuilt = store.catalog().open(USERS);
      assertEquals(List.of(BY_CITY, BY_NUMBER), unbuilt);
      List<Future<Long>> writers = new ArrayList<>();
      for (int i = 0; i < WRITERS; i++) {
        int writer = i;
        writers.add(threads.submit(() -> writeUntil(store, writer, over)));
      }
      try {
        for (Index<?> index : unbuilt) {
          assertTrue(store.catalog().build(index) >= KEYS / 2);
        }
        for (int i = 0; i < 50; i++) {
          compare(store);
        }
        store.catalog().rebuild(BY_CITY);
        compare(store);
      } finally {
        over.set(true);
      }
      for (Future<Long> writer : writers) {
        assertTrue(writer.get() > 0);
      }
      for (Index<User> index : USERS.indexes()) {
        assertEquals(List.of(), store.catalog().verify(index).differences());
      }
      compare(store);
    }
  }

  /**
   * Writes random records; numbers are drawn by all, so that one of two is refused. Those that were
   * there before have others: before it is built, an index does not know of them.
   */
  private static long writeUntil(EcStore store, int writer, AtomicBoolean over) {
    Random random = new Random(writer);
    long written = 0;
    while (!over.get()) {
      long id = random.nextInt(KEYS);
      long number = random.nextInt(KEYS, 3 * KEYS);
      Isolation isolation = random.nextBoolean() ? Isolation.SERIALIZABLE : Isolation.SNAPSHOT;
      try {
        store
            .with(isolation)
            .execute(
                tx -> {
                  if (random.nextInt(4) == 0) {
                    tx.delete(USERS, Tuple.of(id));
                  } else {
                    tx.put(
                        USERS,
                        Tuple.of(id),
                        new User("n" + random.nextInt(50), "c" + random.nextInt(7), number));
                  }
                });
        written++;
      } catch (UniqueViolationException taken) {
        assertEquals("by-number", taken.index());
      } catch (EcStoreException atTheDeadline) {
        // The machine is slow; what is there is compared all the same.
      }
    }
    return written;
  }

  private static void compare(EcStore store) {
    store.read(
        at -> {
          List<Tuple> byCity =
              at.scan(USERS).stream()
                  .map(entry -> entry.value())
                  .map(user -> Tuple.of(user.city(), user.name()))
                  .sorted()
                  .toList();
          assertEquals(
              byCity,
              at.scan(BY_CITY).stream()
                  .map(entry -> Tuple.of(entry.value().city(), entry.value().name()))
                  .toList());
          List<Long> numbers =
              at.scan(USERS).stream().map(entry -> entry.value().number()).sorted().toList();
          assertEquals(
              numbers, at.scan(BY_NUMBER).stream().map(entry -> entry.value().number()).toList());
          assertEquals(numbers.size(), at.count(BY_NUMBER, TupleRange.all()));
          return null;
        });
  }
}
