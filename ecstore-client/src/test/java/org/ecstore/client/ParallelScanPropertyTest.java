package org.ecstore.client;

import static org.ecstore.client.StoreFixture.WORDS;
import static org.ecstore.client.StoreFixture.key;
import static org.ecstore.client.StoreFixture.stored;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.ecstore.client.error.WrongArgumentException;
import org.ecstore.client.fake.FakeCluster;
import org.ecstore.client.fake.FakeStore;
import org.ecstore.client.fake.FakeTime;
import org.ecstore.client.fake.Fault;
import org.ecstore.client.fake.SlowCluster;
import org.ecstore.id.NodeId;
import org.ecstore.id.Position;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.model.RefusalCode;
import org.ecstore.protocol.ClientReply;
import org.ecstore.protocol.ClientRequest;
import org.junit.jupiter.api.Test;

/**
 * Scans whose pieces are fetched from several copies at once return what a map would: whatever the
 * order of answers, while ranges are split, merged and moved, copies lag, and answers are lost.
 */
class ParallelScanPropertyTest {
  /** A third of them with each build. */
  private static final long SEEDS = Boolean.getBoolean("ecstore.long") ? 300 : 100;

  private static final Position FAR = new Position(1_000_000);
  private static final int BIG = 5_000;

  /** A cluster, a model of what a snapshot of it shows, and a store that reads ahead. */
  private static final class Case implements AutoCloseable {
    private final Random random;
    private final FakeTime time;
    private final FakeCluster cluster;
    private final SlowCluster slow;
    private final NavigableMap<Long, String> model = new TreeMap<>();
    private final int keys;
    private final String seed;

    Case(long number, int keys) {
      this.random = new Random(number);
      this.time = new FakeTime(number);
      this.cluster = new FakeCluster(time, "n1:1", "n2:1", "n3:1");
      this.slow = new SlowCluster(cluster, time, random);
      this.keys = keys;
      this.seed = "seed " + number;
      for (int i = 0; i < keys; i++) {
        if (random.nextInt(4) > 0) {
          put(i, "v" + i);
          model.put((long) i, "v" + i);
        }
      }
      for (String follower : List.of("n2:1", "n3:1")) {
        if (random.nextInt(3) > 0) {
          cluster.store().follow(follower, FAR);
        }
      }
      for (int i = random.nextInt(8); i > 0; i--) {
        reshape();
      }
    }

    private int scans() {
      long first =
          cluster.requests(ClientRequest.BeginWith.class).stream()
              .filter(begin -> begin.read() instanceof ClientRequest.Scan)
              .count();
      return (int) first + cluster.requests(ClientRequest.Scan.class).size();
    }

    private void put(long number, String value) {
      cluster.store().write(stored(number), Optional.of(Bytes.utf8(value)));
    }

    private void reshape() {
      Bytes at = stored(random.nextInt(keys));
      switch (random.nextInt(4)) {
        case 0 -> cluster.store().move(at, "n" + (1 + random.nextInt(3)) + ":1");
        case 1 -> cluster.store().merge(at);
        default -> cluster.store().split(at);
      }
    }

    /** Ranges change, others write, and copies fall behind. */
    private void trouble() {
      if (random.nextInt(10) == 0) {
        reshape();
      }
      if (random.nextInt(5) == 0) {
        put(random.nextInt(keys), "later");
      }
      if (random.nextInt(10) == 0) {
        int from = random.nextInt(keys);
        KeyRange some = KeyRange.of(stored(from), stored(from + 1 + random.nextInt(keys / 4)));
        cluster
            .store()
            .hotReplica(
                random.nextBoolean() ? "n4:1" : "n5:1",
                random.nextInt(4) == 0 ? Optional.empty() : Optional.of(some));
      }
      if (random.nextInt(10) == 0) {
        int from = random.nextInt(keys);
        cluster.store().cutAt(List.of(stored(from), stored(from + random.nextInt(keys))));
      }
      if (random.nextInt(20) == 0) {
        boolean behind = random.nextBoolean();
        cluster.store().follow("n3:1", behind ? new Position(1) : FAR);
      }
    }

    private Fault fault(ClientRequest request) {
      boolean read =
          request instanceof ClientRequest.Locate || request instanceof ClientRequest.Scan;
      if (!read || random.nextInt(12) > 0) {
        return new Fault.None();
      }
      return switch (random.nextInt(5)) {
        case 0 -> new Fault.LoseRequest();
        case 1 -> new Fault.LoseReply();
        case 2 -> new Fault.SlowReply();
        case 3 -> new Fault.NotSent();
        default -> new Fault.Instead(new ClientReply.Refused(RefusalCode.OVERLOADED, "busy"));
      };
    }

    EcStore store(int requests, long bytes) {
      return ParallelScanPropertyTest.store(slow, time, requests, bytes);
    }

    @Override
    public void close() {
      slow.close();
    }
  }

  private static EcStore store(SlowCluster nodes, FakeTime time, int requests, long bytes) {
    return EcStore.over(
        nodes,
        EcStoreOptions.DEFAULT.deadline(java.time.Duration.ofHours(1)).scanAhead(requests, bytes),
        time);
  }

  @Test
  void scansInPiecesAgreeWithAMap() {
    int parallel = 0;
    for (long seed = 0; seed < SEEDS; seed++) {
      try (Case run = new Case(seed, seed % 20 == 0 ? BIG : 400)) {
        run.cluster.store().pageRecordsMax(1 + run.random.nextInt(run.keys / 10));
        EcStore store = run.store(1 + run.random.nextInt(6), run.random.nextInt(20) << 20);
        try (ManualSnapshot snapshot = store.snapshot()) {
          run.slow.meanwhile(run::trouble);
          run.cluster.plan((address, request) -> run.fault(request));
          check(run, snapshot);
          check(run, snapshot);
        }
        parallel += run.slow.mostUnderWay() > 2 ? 1 : 0;
      }
    }
    assertTrue(parallel > SEEDS / 3, "most had several requests under way: " + parallel);
  }

  private static void check(Case run, Snapshot view) {
    Random random = run.random;
    long from = random.nextInt(run.keys);
    long to = from + 1 + random.nextInt(run.keys);
    boolean all = random.nextInt(3) == 0;
    TupleRange range = all ? TupleRange.all() : TupleRange.between(key(from), key(to));
    NavigableMap<Long, String> part = all ? run.model : run.model.subMap(from, true, to, false);
    boolean reverse = random.nextBoolean();
    List<Entry<String>> expected =
        (reverse ? part.descendingMap() : part)
            .entrySet().stream()
                .map(entry -> new Entry<>(key(entry.getKey()), entry.getValue()))
                .toList();
    Scan<String> scan = view.scan(WORDS, range);
    scan = reverse ? scan.reverse() : scan;

    assertEquals(expected, scan.toList(), run.seed);
    assertEquals(expected.size(), scan.count(), run.seed);
    assertEquals(expected.stream().findFirst(), scan.unordered().first(), run.seed);
    int limit = random.nextInt(run.keys);
    List<Entry<String>> limited = expected.subList(0, Math.min(limit, expected.size()));
    assertEquals(limited, scan.limit(limit).toList(), run.seed);
    assertEquals(limited.size(), scan.limit(limit).count(), run.seed);
    checkUnordered(run, scan, expected, limit);
    checkToken(run, scan, expected);
  }

  private static void checkUnordered(
      Case run, Scan<String> scan, List<Entry<String>> expected, int limit) {
    Comparator<Entry<String>> byKey = Comparator.comparingLong(entry -> entry.key().number(0));
    assertEquals(
        expected.stream().sorted(byKey).toList(),
        scan.unordered().stream().sorted(byKey).toList(),
        run.seed);
    List<Entry<String>> some = scan.unordered().limit(limit).toList();
    assertEquals(Math.min(limit, expected.size()), some.size(), run.seed);
    assertEquals(some.size(), new HashSet<>(some).size(), run.seed);
    assertTrue(new HashSet<>(expected).containsAll(some), run.seed);
  }

  /** A token says the same whether the scan read ahead or not, and leads on from there. */
  private static void checkToken(Case run, Scan<String> scan, List<Entry<String>> expected) {
    if (expected.isEmpty()) {
      return;
    }
    int stop = 1 + run.random.nextInt(expected.size());
    Cursor<String> ahead = scan.cursor();
    for (int i = 0; i < stop; i++) {
      assertEquals(expected.get(i), ahead.next(), run.seed);
    }
    Cursor<String> alone = scan.limit(stop).cursor();
    alone.forEachRemaining(entry -> {});
    assertEquals(alone.continuation(), ahead.continuation(), run.seed);
    assertEquals(
        expected.subList(stop, expected.size()),
        scan.resume(ahead.continuation().orElseThrow()).toList(),
        run.seed);
  }

  @Test
  void aTransactionValidatesWhatItHasSeenAndNotWhatWasReadAhead() {
    try (Case run = new Case(1, 400)) {
      run.cluster.store().pageRecordsMax(10);
      for (int at = 0; at < 400; at += 50) {
        run.cluster.store().split(stored(at));
      }
      EcStore store = run.store(4, 16 << 20);
      for (boolean reverse : List.of(false, true)) {
        List<Long> order =
            new ArrayList<>(reverse ? run.model.descendingKeySet() : run.model.navigableKeySet());
        try (ManualTransaction tx = store.begin()) {
          Scan<String> scan = tx.scan(WORDS).unordered();
          Cursor<String> cursor = (reverse ? scan.reverse() : scan).cursor();
          for (int i = 0; i < 60; i++) {
            assertEquals(order.get(i), cursor.next().key().number(0), "in order, asked or not");
          }
          tx.put(WORDS, key(1_000), "mine");
          tx.commit();
        }
        List<ClientRequest.Commit> commits = run.cluster.requests(ClientRequest.Commit.class);
        var interval = commits.get(commits.size() - 1).intervals().get(0);
        for (int i = 0; i < order.size(); i++) {
          assertEquals(i < 60, interval.contains(stored(order.get(i))), "record " + i);
        }
        store.execute(tx -> tx.delete(WORDS, key(1_000)));
      }
      assertTrue(run.slow.mostUnderWay() > 2);
    }
  }

  @Test
  void aReaderThatStopsIsNotFetchedFor() {
    long bound = 12 << 20;
    for (boolean ordered : List.of(true, false)) {
      try (Case run = new Case(3, 600)) {
        String large = "x".repeat(100_000);
        for (int i = 0; i < 600; i++) {
          run.put(i, large);
          if (i % 60 == 0) {
            run.cluster.store().split(stored(i));
          }
        }
        run.cluster.store().pageRecordsMax(10);
        EcStore store = run.store(8, bound);
        try (ManualSnapshot snapshot = store.snapshot()) {
          Scan<String> scan = snapshot.scan(WORDS);
          Cursor<String> cursor = (ordered ? scan : scan.unordered()).cursor();
          long read = 0;
          long most = 0;
          while (cursor.hasNext()) {
            run.slow.answerAll();
            int asked = run.cluster.requests(ClientRequest.class).size();
            run.slow.answerAll();
            assertEquals(asked, run.cluster.requests(ClientRequest.class).size());
            long held = run.slow.bytesSent() - read;
            most = Math.max(most, held);
            assertTrue(held <= bound, held + " bytes are held");
            read += cursor.next().value().length();
          }
          assertTrue(read == 60_000_000L, "all was read: " + read);
          assertTrue(most > bound / 3, "it did read ahead: " + most);
        }
      }
    }
  }

  @Test
  void aRangeIsCutWhereItsHotReplicasBegin() {
    try (Case run = new Case(8, 2_000)) {
      run.cluster.store().pageRecordsMax(100);
      EcStore store = run.store(4, 16 << 20);
      List<Integer> bounds = List.of(500, 1_000, 1_500);
      KeyRange hot = KeyRange.of(stored(500), stored(1_000));
      run.cluster.store().hotReplica("n4:1", Optional.of(hot));
      KeyRange warm = KeyRange.of(stored(1_000), stored(1_500));
      run.cluster.store().hotReplica("n5:1", Optional.of(warm));
      for (boolean reverse : List.of(false, true)) {
        store.read(
            snapshot -> {
              // Who reads hot keys is told of the hot-spot replicas.
              snapshot.get(WORDS, key(700));
              snapshot.get(WORDS, key(1_200));
              Scan<String> scan = snapshot.scan(WORDS);
              Set<NodeId> nodes = new TreeSet<>();
              Cursor<String> cursor = (reverse ? scan.reverse() : scan).cursor();
              int read = 0;
              while (cursor.hasNext()) {
                cursor.next();
                read++;
                nodes.add(snapshot.lastRead().orElseThrow().node());
              }
              assertEquals(run.model.size(), read);
              assertTrue(nodes.contains(FakeStore.node("n4:1")), nodes::toString);
              return nodes.contains(FakeStore.node("n5:1"));
            });
      }
      for (int bound : bounds) {
        assertTrue(
            run.cluster.requests(ClientRequest.Scan.class).stream()
                .anyMatch(scan -> scan.interval().start().equals(stored(bound))),
            "a piece begins at " + bound);
      }
    }
  }

  /** Of one range with two copies, the pieces of a scan are asked for at once. */
  @Test
  void aRangeIsCutWhereItsCopiesSay() {
    for (boolean copies : List.of(true, false)) {
      FakeTime time = new FakeTime(1);
      FakeCluster cluster = new FakeCluster(time, "n1:1", "n2:1");
      SlowCluster slow = new SlowCluster(cluster, time, new Random(1));
      List<Long> all = LongStream.range(0, 2_000).boxed().toList();
      all.forEach(
          number -> cluster.store().write(stored(number), Optional.of(Bytes.utf8("v" + number))));
      if (copies) {
        cluster.store().follow("n2:1", FAR);
      }
      cluster.store().pageRecordsMax(100);
      cluster.store().cutAt(List.of(stored(500), stored(1_000), stored(1_500)));
      try (EcStore store = store(slow, time, 4, 16 << 20)) {
        for (boolean reverse : List.of(false, true)) {
          List<Long> found =
              store.read(
                  snapshot -> {
                    Scan<String> scan = snapshot.scan(WORDS);
                    return (reverse ? scan.reverse() : scan)
                        .stream().map(entry -> entry.key().number(0)).toList();
                  });
          List<Long> sorted = new ArrayList<>(found);
          Collections.sort(sorted);
          assertEquals(all, sorted);
          if (reverse) {
            Collections.reverse(sorted);
          }
          assertEquals(sorted, found);
        }
      }
      Set<Bytes> starts = new TreeSet<>();
      cluster
          .requests(ClientRequest.Scan.class)
          .forEach(scan -> starts.add(scan.interval().start()));
      for (long cut : List.of(500L, 1_000L, 1_500L)) {
        // Pages of a hundred begin there anyway, in one direction; in the other only if it is cut.
        boolean ends =
            cluster.requests(ClientRequest.Scan.class).stream()
                .anyMatch(scan -> scan.interval().end().equals(Optional.of(stored(cut))));
        assertEquals(copies, ends && starts.contains(stored(cut)), "cut at " + cut);
      }
      assertEquals(copies, slow.mostUnderWay() > 2, "requests under way: " + slow.mostUnderWay());
    }
  }

  @Test
  void aShortScanAsksForNoMoreThanItNeeds() {
    try (Case run = new Case(5, 400)) {
      for (int at = 0; at < 400; at += 40) {
        run.cluster.store().split(stored(at));
      }
      EcStore store = run.store(4, 16 << 20);
      store.read(snapshot -> snapshot.scan(WORDS).toList());
      int before = run.scans();
      store.read(snapshot -> snapshot.scan(WORDS, TupleRange.from(key(40))).limit(20).toList());
      assertEquals(before + 1, run.scans());
      store.read(snapshot -> snapshot.scan(WORDS, TupleRange.from(key(40))).iterator().next());
      assertEquals(before + 2, run.scans());
    }
  }

  @Test
  void anUnorderedScanHasNoContinuation() {
    try (Case run = new Case(6, 40)) {
      EcStore store = run.store(4, 16 << 20);
      try (ManualSnapshot snapshot = store.snapshot()) {
        Scan<String> scan = snapshot.scan(WORDS).unordered();
        Cursor<String> cursor = scan.cursor();
        cursor.next();
        assertThrows(WrongArgumentException.class, cursor::continuation);
        assertThrows(WrongArgumentException.class, scan::page);
      }
    }
  }

  @Test
  void anAheadPieceThatNoCopyAnswersHoldsUpNothingBeforeIt() {
    try (Case run = new Case(7, 400)) {
      for (String node : List.of("n2:1", "n3:1")) {
        run.cluster.store().follow(node, new Position(1));
      }
      run.cluster.store().split(stored(200));
      run.cluster.store().move(stored(200), "n2:1");
      run.cluster.store().move(stored(0), "n1:1");
      run.cluster.store().pageRecordsMax(20);
      EcStore store = run.store(4, 16 << 20);
      store.read(snapshot -> snapshot.scan(WORDS).count());
      try (ManualSnapshot snapshot = store.snapshot()) {
        run.cluster.plan(
            (address, request) ->
                request instanceof ClientRequest.Scan scan
                        && scan.interval().start().compareTo(stored(200)) >= 0
                    ? new Fault.Instead(new ClientReply.Refused(RefusalCode.OVERLOADED, "busy"))
                    : new Fault.None());
        List<Long> first = new ArrayList<>();
        long begun = run.time.nanos();
        Cursor<String> cursor = snapshot.scan(WORDS).cursor();
        List<Long> expected = List.copyOf(run.model.headMap(200L).keySet());
        for (int i = 0; i < expected.size(); i++) {
          first.add(cursor.next().key().number(0));
        }
        assertEquals(expected, first);
        assertTrue(run.time.nanos() - begun < 1_000_000_000L, "no piece paused for long");
        run.cluster.plan((address, request) -> new Fault.None());
        List<Long> rest = new ArrayList<>();
        cursor.forEachRemaining(entry -> rest.add(entry.key().number(0)));
        assertEquals(List.copyOf(run.model.tailMap(200L).keySet()), rest);
      }
    }
  }
}
