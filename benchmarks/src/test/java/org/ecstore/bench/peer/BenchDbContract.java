package org.ecstore.bench.peer;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.Vector;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.ecstore.bench.store.BenchDb;
import org.ecstore.bench.store.Target;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import site.ycsb.ByteArrayByteIterator;
import site.ycsb.ByteIterator;
import site.ycsb.DBException;
import site.ycsb.Status;

/** All stores give loads the same answers. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class BenchDbContract {
  private static final byte[] ANY = {0, -1, '\'', '"', 10, 127, -128};

  /** The store, empty before the first test. Each test has a table of its own. */
  abstract Target target();

  private static Map<String, ByteIterator> fields(Map<String, byte[]> values) {
    Map<String, ByteIterator> fields = new HashMap<>();
    values.forEach((name, value) -> fields.put(name, new ByteArrayByteIterator(value)));
    return fields;
  }

  private static Map<String, ByteIterator> record(String text) {
    Map<String, byte[]> values = new TreeMap<>();
    for (int i = 0; i < 10; i++) {
      values.put("field" + i, (text + i).getBytes(StandardCharsets.UTF_8));
    }
    return fields(values);
  }

  private static byte[] read(BenchDb store, String table, String key, String field) {
    Map<String, ByteIterator> result = new HashMap<>();
    assertEquals(Status.OK, store.read(table, key, null, result));
    assertEquals(10, result.size());
    return java.util.Objects.requireNonNull(result.get(field)).toArray();
  }

  private interface Work {
    void with(BenchDb store);
  }

  private void client(Work work) throws DBException {
    BenchDb store = target().client();
    try {
      work.with(store);
    } finally {
      store.cleanup();
    }
  }

  @Test
  void whatWasInsertedIsReadByteByByte() throws DBException {
    client(
        store -> {
          Map<String, ByteIterator> record = record("x");
          record.put("field3", new ByteArrayByteIterator(ANY));
          assertEquals(Status.OK, store.insert("reads", "user1", record));
          assertArrayEquals(ANY, read(store, "reads", "user1", "field3"));
          Map<String, ByteIterator> some = new HashMap<>();
          assertEquals(Status.OK, store.read("reads", "user1", Set.of("field7"), some));
          assertEquals(Set.of("field7"), some.keySet());
          assertEquals(Status.NOT_FOUND, store.read("reads", "user2", null, new HashMap<>()));
          assertEquals(Status.NOT_FOUND, store.read("nothing", "user1", null, new HashMap<>()));
        });
  }

  @Test
  void insertAndUpdateReplaceAndDeleteRemoves() throws DBException {
    client(
        store -> {
          assertEquals(Status.OK, store.insert("writes", "user1", record("old")));
          assertEquals(Status.OK, store.insert("writes", "user1", record("again")));
          assertArrayEquals(
              "again5".getBytes(StandardCharsets.UTF_8), read(store, "writes", "user1", "field5"));
          assertEquals(Status.OK, store.update("writes", "user1", record("new")));
          assertArrayEquals(
              "new5".getBytes(StandardCharsets.UTF_8), read(store, "writes", "user1", "field5"));
          assertEquals(Status.OK, store.update("writes", "user1", fields(Map.of("field5", ANY))));
          assertArrayEquals(ANY, read(store, "writes", "user1", "field5"));
          assertArrayEquals(
              "new4".getBytes(StandardCharsets.UTF_8), read(store, "writes", "user1", "field4"));
          assertEquals(Status.OK, store.delete("writes", "user1"));
          assertEquals(Status.NOT_FOUND, store.read("writes", "user1", null, new HashMap<>()));
        });
  }

  @Test
  void scansAreInTheOrderOfKeysFromTheFirstNotBelow() throws DBException {
    client(
        store -> {
          for (int i = 0; i < 20; i++) {
            String key = "user%02d".formatted(i * 2);
            assertEquals(Status.OK, store.insert("scans", key, record(key + "-")));
          }
          assertEquals(List.of("user06-0", "user08-0", "user10-0"), scanned(store, "user05", 3));
          assertEquals(List.of("user06-0", "user08-0"), scanned(store, "user06", 2));
          assertEquals(List.of("user36-0", "user38-0"), scanned(store, "user35", 9));
          assertEquals(List.of(), scanned(store, "user39", 9));
        });
  }

  @SuppressWarnings("JdkObsolete") // YCSB wants a Vector.
  private static List<String> scanned(BenchDb store, String from, int count) {
    Vector<HashMap<String, ByteIterator>> result = new Vector<>();
    assertEquals(Status.OK, store.scan("scans", from, count, null, result));
    List<String> firsts = new ArrayList<>();
    for (HashMap<String, ByteIterator> record : result) {
      assertEquals(10, record.size());
      firsts.add(String.valueOf(record.get("field0")));
    }
    return firsts;
  }

  @Test
  void friendsAreReadTogetherAndChangedTogether() throws DBException {
    client(
        store -> {
          store.insert("friends", "ann", record("a"));
          store.insert("friends", "bob", record("b"));
          assertEquals(Status.OK, store.readBoth("friends", "ann", "bob"));
          assertEquals(Status.NOT_FOUND, store.readBoth("friends", "ann", "eve"));
          for (BenchDb.Reads reads : BenchDb.Reads.values()) {
            byte[] value = reads.name().getBytes(StandardCharsets.UTF_8);
            assertEquals(
                new BenchDb.Attempted(Status.OK, 0),
                store.befriend("friends", "ann", "bob", "field9", value, reads));
            for (String user : List.of("ann", "bob")) {
              assertArrayEquals(value, read(store, "friends", user, "field9"));
            }
          }
          assertArrayEquals(
              "a1".getBytes(StandardCharsets.UTF_8), read(store, "friends", "ann", "field1"));
          assertEquals(
              new BenchDb.Attempted(Status.OK, 0),
              store.befriend("friends", "ann", "bob", "field9", ANY, BenchDb.Reads.APART));
          for (BenchDb.Reads reads : BenchDb.Reads.values()) {
            BenchDb.Attempted none =
                store.befriend("friends", "ann", "eve", "field9", new byte[] {1}, reads);
            assertEquals(Status.NOT_FOUND, none.status());
            assertArrayEquals(ANY, read(store, "friends", "ann", "field9"));
          }
        });
  }

  /** The transaction that comes last wrote both, if such are transactions. */
  @Test
  void friendsMadeAtTheSameTimeAreTriedAgainUntilDone() throws Exception {
    client(
        store -> {
          for (String user : List.of("p", "q", "r")) {
            store.insert("crowd", user, record(user));
          }
        });
    int threads = 4;
    try (ExecutorService executor = Executors.newFixedThreadPool(threads)) {
      List<Future<?>> running = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        byte[] value = {(byte) i};
        String[] pair = i % 2 == 0 ? new String[] {"p", "q"} : new String[] {"q", "p"};
        running.add(
            executor.submit(
                () -> {
                  client(
                      store -> {
                        BenchDb.Reads[] reads = BenchDb.Reads.values();
                        for (int n = 0; n < 25; n++) {
                          assertEquals(
                              Status.OK,
                              store
                                  .befriend(
                                      "crowd", pair[0], pair[1], "field0", value, reads[n % 2])
                                  .status());
                        }
                      });
                  return true;
                }));
      }
      for (Future<?> one : running) {
        one.get();
      }
    }
    client(
        store ->
            assertArrayEquals(
                read(store, "crowd", "p", "field0"), read(store, "crowd", "q", "field0")));
  }

  @Test
  void settingsNameVersionAndDurability() {
    assertTrue(target().settings().containsKey("durability"), target().settings()::toString);
  }
}
