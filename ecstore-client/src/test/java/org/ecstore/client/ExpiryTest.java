package org.ecstore.client;

import static org.ecstore.client.StoreFixture.key;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.ecstore.client.error.AlreadyExistsException;
import org.ecstore.client.error.EcStoreException;
import org.ecstore.client.error.TooLargeException;
import org.ecstore.client.error.WrongArgumentException;
import org.ecstore.client.fake.Fault;
import org.ecstore.key.Bytes;
import org.ecstore.key.Tuple;
import org.ecstore.model.Isolation;
import org.ecstore.protocol.ClientRequest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ExpiryTest {
  private static final Table<String> PLAIN = Table.of("carts", Codec.utf8());
  private static final Table<Bytes> PLAIN_BYTES = Table.of("carts", Codec.bytes());
  private static final Table<String> CARTS = PLAIN.expiringAfter(Duration.ofMinutes(30));

  private final StoreFixture fixture =
      new StoreFixture(1, EcStoreOptions.DEFAULT.sweepEvery(Duration.ZERO));
  private final EcStore store = fixture.store;

  @AfterEach
  void close() {
    fixture.close();
  }

  private void put(long key, String value) {
    store.execute(tx -> tx.put(CARTS, key(key), value));
  }

  private void put(long key, String value, Duration lifetime) {
    store.execute(tx -> tx.put(CARTS, key(key), value, lifetime));
  }

  private Optional<String> cart(long key) {
    return store.read(snapshot -> snapshot.get(CARTS, key(key)));
  }

  private void pass(Duration time) {
    fixture.time.advance(time.toNanos());
  }

  /** What is there to look at, of all parts. */
  private List<Tuple> entries() {
    return store.read(snapshot -> snapshot.scan(Expiry.TABLE, Tuple.of("expiry")).keys().toList());
  }

  @Test
  void aRecordIsThereUntilItIsOverAndSwept() {
    put(1, "apples");
    put(2, "pears", Duration.ofMinutes(90));
    pass(Duration.ofMinutes(29));
    assertEquals(0, store.sweep());
    assertEquals(Optional.of("apples"), cart(1));
    // A sixteenth of its lifetime later at most.
    pass(Duration.ofMinutes(3));
    assertEquals(Optional.of("apples"), cart(1), "one that is over is there until it is swept");
    assertEquals(1, store.sweep());
    assertEquals(Optional.empty(), cart(1));
    assertEquals(Optional.of("pears"), cart(2));
    pass(Duration.ofMinutes(90));
    assertEquals(1, store.sweep());
    assertEquals(Optional.empty(), cart(2));
    assertEquals(List.of(), entries());
  }

  @Test
  void allThatReadsReadsTheValueAlone() {
    put(1, "apples");
    assertEquals(
        Map.of(key(1), "apples"), store.read(at -> at.getAll(CARTS, List.of(key(1), key(2)))));
    assertEquals(
        List.of("apples"), store.read(at -> at.scan(CARTS).stream().map(Entry::value).toList()));
    store.execute(tx -> tx.update(CARTS, key(1), value -> value + ", plums"));
    assertEquals(Optional.of("apples, plums"), cart(1));
    assertEquals(1L, store.<Long, RuntimeException>read(at -> at.count(CARTS)));
  }

  @Test
  void whenItIsOverIsSaid() {
    Instant now = Instant.ofEpochMilli(fixture.time.millis());
    put(1, "apples", Duration.ofSeconds(10));
    store.execute(tx -> tx.put(PLAIN, key(2), "for ever"));
    assertEquals(Optional.of(now.plusSeconds(10)), store.read(at -> at.expiresAt(CARTS, key(1))));
    assertEquals(Optional.empty(), store.read(at -> at.expiresAt(CARTS, key(2))));
    assertEquals(Optional.empty(), store.read(at -> at.expiresAt(CARTS, key(3))));
    store.execute(
        tx -> {
          tx.put(CARTS, key(3), "pears");
          assertEquals(
              Optional.of(Duration.ofMinutes(30)),
              tx.expiresAt(CARTS, key(3))
                  .map(at -> Duration.between(Instant.ofEpochMilli(fixture.time.millis()), at)));
        });
  }

  @Test
  void aRecordThatIsWrittenAgainLivesOn() {
    for (int i = 0; i < 100; i++) {
      put(1, "round " + i);
      pass(Duration.ofMinutes(1));
      store.sweep();
    }
    assertEquals(Optional.of("round 99"), cart(1));
    assertTrue(entries().size() <= 33, () -> entries().toString());
    pass(Duration.ofMinutes(60));
    assertEquals(1, store.sweep());
    assertEquals(List.of(), entries());
  }

  @Test
  void aShorterLifetimeTakesThePlaceOfALongerOne() {
    put(1, "long", Duration.ofDays(1));
    put(1, "short", Duration.ofSeconds(1));
    pass(Duration.ofSeconds(3));
    assertEquals(1, store.sweep());
    assertEquals(Optional.empty(), cart(1));
    pass(Duration.ofDays(2));
    assertEquals(0, store.sweep(), "the entry that was left behind");
    assertEquals(List.of(), entries());
  }

  @Test
  void whatWasDeletedOrIsKeptForEverIsLeftAlone() {
    put(1, "deleted");
    put(2, "kept");
    store.execute(tx -> tx.delete(CARTS, key(1)));
    store.execute(tx -> tx.put(PLAIN, key(2), "kept, though it was not to be"));
    store.execute(tx -> tx.put(PLAIN, key(3), ""));
    pass(Duration.ofHours(1));
    assertEquals(0, store.sweep());
    assertEquals(Optional.of("kept, though it was not to be"), cart(2));
    assertEquals(Optional.of(""), cart(3));
    assertEquals(List.of(), entries());
  }

  /** The sweep has found it over, and not deleted it yet, when it is written again. */
  @ParameterizedTest
  @EnumSource(Isolation.class)
  void aRecordThatIsWrittenWhileItIsSweptStays(Isolation isolation) {
    put(1, "old");
    pass(Duration.ofHours(1));
    Session writer = store.session().with(isolation).requiresNew();
    AtomicBoolean isSwept = new AtomicBoolean();
    fixture.cluster.plan(
        (address, request) -> {
          if (request instanceof ClientRequest.Commit && !isSwept.getAndSet(true)) {
            writer.execute(tx -> tx.put(CARTS, key(1), "new"));
          }
          return new Fault.None();
        });
    assertEquals(0, store.sweep());
    assertTrue(isSwept.get());
    assertEquals(Optional.of("new"), cart(1));
    pass(Duration.ofHours(1));
    assertEquals(1, store.sweep());
  }

  @Test
  void manyAreSweptInLots() {
    store.execute(
        tx -> {
          for (long i = 0; i < 3_000; i++) {
            tx.put(CARTS, key(i), "x", Duration.ofSeconds(1));
          }
        });
    pass(Duration.ofSeconds(2));
    assertEquals(3_000, store.sweep());
    int most =
        fixture.cluster.requests(ClientRequest.Commit.class).stream()
            .skip(1)
            .mapToInt(commit -> commit.writes().size())
            .max()
            .orElseThrow();
    assertEquals(2 * ExpirySweeper.AT_ONCE, most);
    assertEquals(0L, store.<Long, RuntimeException>read(at -> at.count(CARTS)));
    assertEquals(List.of(), entries());
  }

  /** Each answer to its commits is lost, and so are the questions about them. */
  @Test
  void aSweepThatFailsIsGoneOnWithByTheNext() {
    for (long i = 0; i < 50; i++) {
      put(i, "x", Duration.ofSeconds(1));
    }
    pass(Duration.ofSeconds(2));
    fixture.cluster.plan(Fault.Plan.outcomesLost());
    assertThrows(EcStoreException.class, store::sweep);
    fixture.cluster.plan((address, request) -> new Fault.None());
    store.sweep();
    assertEquals(0L, store.<Long, RuntimeException>read(at -> at.count(CARTS)));
    assertEquals(List.of(), entries());
  }

  @Test
  void wrongUseIsRefusedBeforeAnythingIsWritten() {
    for (Duration wrong :
        List.of(
            Duration.ZERO, Duration.ofSeconds(-1), Duration.ofNanos(1), Duration.ofDays(40_000))) {
      assertThrows(WrongArgumentException.class, () -> PLAIN.expiringAfter(wrong));
      assertThrows(WrongArgumentException.class, () -> put(1, "x", wrong));
    }
    WrongArgumentException plain =
        assertThrows(
            WrongArgumentException.class,
            () -> store.execute(tx -> tx.put(PLAIN, key(1), "x", Duration.ofMinutes(1))));
    assertTrue(String.valueOf(plain.getMessage()).contains("expiringAfter"), plain::toString);
    assertThrows(WrongArgumentException.class, () -> store.quorum(3, 2, 2).put(CARTS, key(1), "x"));
    assertThrows(
        TooLargeException.class,
        () -> store.execute(tx -> tx.put(CARTS, Tuple.of("k".repeat(4_070)), "x")));
    assertEquals(0L, store.<Long, RuntimeException>read(at -> at.count(CARTS)));
    assertEquals(List.of(), entries());
  }

  @Test
  void insertFindsOneThatIsOverAndNotSwept() {
    store.execute(tx -> tx.insert(CARTS, key(1), "apples"));
    pass(Duration.ofHours(1));
    assertThrows(
        AlreadyExistsException.class, () -> store.execute(tx -> tx.insert(CARTS, key(1), "pears")));
    store.sweep();
    store.execute(tx -> tx.insert(CARTS, key(1), "pears"));
    assertEquals(Optional.of("pears"), cart(1));
  }

  /** Against a model: what is over and looked for is gone, and nothing else is. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void whatIsThereIsWhatIsNotOver(long seed) {
    Random random = new Random(seed);
    Map<Long, Long> over = new TreeMap<>();
    for (int step = 0; step < 300; step++) {
      long key = random.nextInt(20);
      switch (random.nextInt(5)) {
        case 0, 1 -> {
          Duration lifetime = Duration.ofMillis(1 + random.nextInt(100_000));
          put(key, "v", lifetime);
          over.put(key, fixture.time.millis() + lifetime.toMillis());
        }
        case 2 -> {
          store.execute(tx -> tx.delete(CARTS, key(key)));
          over.remove(key);
        }
        case 3 -> {
          store.execute(tx -> tx.put(PLAIN, key(key), "v"));
          over.put(key, Long.MAX_VALUE);
        }
        default -> {
          pass(Duration.ofMillis(random.nextInt(30_000)));
          store.sweep();
        }
      }
      List<Long> there = new ArrayList<>();
      store.read(at -> at.scan(CARTS).keys().toList()).forEach(each -> there.add(each.number(0)));
      long now = fixture.time.millis();
      // Deleted no sooner than it is over, and later by a sixteenth at most.
      over.forEach(
          (each, when) -> assertTrue(when <= now || there.contains(each), "gone too soon"));
      assertTrue(over.keySet().containsAll(there));
      over.keySet().retainAll(there);
    }
    pass(Duration.ofDays(1));
    store.sweep();
    over.values().removeIf(when -> when != Long.MAX_VALUE);
    assertEquals(over.size(), store.<Long, RuntimeException>read(at -> at.count(CARTS)));
    assertEquals(List.of(), entries());
  }

  @Test
  void bytesOfRecordsAreAsTheyWereWrittenDown() {
    Bytes stored = Expiry.stored(0x0102_0304_0506_0708L, Bytes.of(9, 10));
    assertEquals(
        Bytes.of(0xFF, 0x65, 0x63, 0x73, 0x74, 0x54, 0x4C, 0x01, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10),
        stored);
    assertEquals(Bytes.of(9, 10), Expiry.value(stored));
    assertEquals(Bytes.EMPTY, Expiry.value(Expiry.stored(1, Bytes.EMPTY)));
    assertFalse(Expiry.over(Bytes.of(0xFF, 0x65, 0x63, 0x73)).isPresent());
  }

  @Test
  void anEntryIsSoonAfterItsRecordIsOverAndOfAPartOfItsKeys() {
    Set<Long> parts = new TreeSet<>();
    Set<Long> times = new TreeSet<>();
    Random random = new Random(5);
    for (int i = 0; i < 2_000; i++) {
      long millis = 1 + (long) (random.nextDouble() * Math.pow(10, 1 + random.nextInt(11)));
      long over = 4_000_000_000_000L + random.nextInt(1_000_000);
      Tuple entry = Expiry.entry(CARTS, key(i), over, Duration.ofMillis(millis));
      assertEquals(
          Tuple.of("expiry", entry.number(1), entry.number(2), "carts", key(i).encode()), entry);
      assertTrue(entry.number(2) > over && entry.number(2) <= over + Math.max(1, millis / 16));
      parts.add(entry.number(1));
      times.add(Expiry.entry(CARTS, key(i), over, Duration.ofDays(30)).number(2) - over);
      assertEquals(new Expiry.Due(entry, "carts", key(i)), Expiry.due(entry).orElseThrow());
    }
    assertEquals(16, parts.size());
    assertTrue(times.size() > 1_900, "records that were made together come due together");
  }

  /** Until a fixed day, a little less each time. */
  @Test
  void lifetimesThatDifferLeaveFewEntriesToo() {
    Duration left = Duration.ofDays(30);
    while (left.toMinutes() > 10) {
      put(1, "x", left);
      pass(Duration.ofMinutes(10));
      left = left.minusMinutes(10);
    }
    int entries = entries().size();
    assertTrue(entries < 300, () -> entries + " entries of 4,319 writes");
  }

  /** The caller catches the refusal and commits the rest: there is no record that never expires. */
  @Test
  void whatIsRefusedLeavesNothingBehind() {
    Tuple zeros = Tuple.of(Bytes.wrap(new byte[1_500]));
    store.execute(
        tx -> {
          tx.put(CARTS, key(1), "x");
          assertThrows(TooLargeException.class, () -> tx.put(CARTS, zeros, "x"));
        });
    assertEquals(1L, store.<Long, RuntimeException>read(at -> at.count(CARTS)));
  }

  @Test
  void entriesThatNoneCanReadAndKeysThatFailStopNothingElse() {
    for (long i = 0; i < 200; i++) {
      put(i, "x", Duration.ofSeconds(1));
    }
    store.execute(
        tx -> {
          for (long part = 0; part < Expiry.PARTS; part++) {
            tx.put(Expiry.TABLE, Tuple.of("expiry", part, 5L), Bytes.EMPTY);
            tx.put(
                Expiry.TABLE, Tuple.of("expiry", part, 6L, "carts", Bytes.of(0xEE)), Bytes.EMPTY);
          }
        });
    pass(Duration.ofSeconds(2));
    // Whatever has this key in it does not commit.
    Bytes bad = CARTS.key(key(77));
    fixture.cluster.plan(
        (address, request) ->
            request instanceof ClientRequest.Commit commit
                    && commit.writes().stream().anyMatch(write -> write.key().equals(bad))
                ? new Fault.NotSent()
                : new Fault.None());
    assertThrows(EcStoreException.class, store::sweep);
    assertEquals(List.of(key(77)), store.read(at -> at.scan(CARTS).keys().toList()));
    fixture.cluster.plan((address, request) -> new Fault.None());
    assertEquals(1, store.sweep());
    assertEquals(2 * Expiry.PARTS, entries().size(), "those that none can read");
  }

  /** One that is written all the time is not read by what deletes its old entries. */
  @Test
  void aSweepIsInNoWritersWay() {
    put(1, "x", Duration.ofMillis(1));
    pass(Duration.ofSeconds(1));
    put(1, "y", Duration.ofHours(1));
    Bytes hot = CARTS.key(key(1));
    List<ClientRequest.Commit> commits = new ArrayList<>();
    fixture.cluster.plan(
        (address, request) -> {
          if (request instanceof ClientRequest.Commit commit) {
            commits.add(commit);
          }
          return new Fault.None();
        });
    assertEquals(0, store.sweep());
    assertEquals(1, commits.size());
    assertFalse(commits.get(0).reads().contains(hot));
    assertEquals(1, entries().size());
  }

  /** What is over is found, and its entry has gone to another writer before the sweep commits. */
  @Test
  void anEntryThatIsWrittenWhileItIsSweptStays() {
    put(1, "x", Duration.ofMillis(1));
    List<Tuple> old = entries();
    pass(Duration.ofSeconds(1));
    store.execute(tx -> tx.delete(CARTS, key(1)));
    AtomicBoolean isSwept = new AtomicBoolean();
    Session writer = store.session().requiresNew();
    fixture.cluster.plan(
        (address, request) -> {
          if (request instanceof ClientRequest.Commit && !isSwept.getAndSet(true)) {
            // As by a clock that is a second behind.
            writer.execute(
                tx -> {
                  tx.put(PLAIN_BYTES, key(1), Expiry.stored(over(old), Bytes.EMPTY));
                  tx.put(Expiry.TABLE, old.get(0), Bytes.EMPTY);
                });
          }
          return new Fault.None();
        });
    assertEquals(1, store.sweep(), "it is run again, and finds the record");
    assertEquals(List.of(), entries());
    assertEquals(Optional.empty(), cart(1));
  }

  private static long over(List<Tuple> entries) {
    return entries.get(0).number(2) - 1;
  }

  @Test
  void aSweepOfNothingDueIsCheap() {
    put(1, "x");
    int before = fixture.cluster.requests(ClientRequest.Begin.class).size();
    assertEquals(0, store.sweep());
    int begun = fixture.cluster.requests(ClientRequest.Begin.class).size() - before;
    assertTrue(begun <= 1, () -> begun + " snapshots");
  }

  /** A sweep that finds something takes some snapshots, and the one after it another. */
  @Test
  void aStoreSweepsByItselfOnceItHasWrittenOne() throws Exception {
    // Of a sweep that finds something three at most, so that one has ended with these.
    CountDownLatch snapshots = new CountDownLatch(5);
    AtomicBoolean isOver = new AtomicBoolean();
    try (StoreFixture other =
        new StoreFixture(2, EcStoreOptions.DEFAULT.sweepEvery(Duration.ofMillis(20)))) {
      other.cluster.plan(
          (address, request) -> {
            if (isOver.get()
                && Thread.currentThread().getName().equals("ecstore-client-expiry")
                && (request instanceof ClientRequest.Begin
                    || request instanceof ClientRequest.BeginWith)) {
              snapshots.countDown();
            }
            return new Fault.None();
          });
      other.store.execute(tx -> tx.put(CARTS, key(1), "x", Duration.ofMillis(1)));
      other.time.advance(Duration.ofSeconds(1).toNanos());
      isOver.set(true);
      assertTrue(snapshots.await(30, TimeUnit.SECONDS));
      assertEquals(Optional.empty(), other.store.read(at -> at.get(CARTS, key(1))));
    }
  }
}
