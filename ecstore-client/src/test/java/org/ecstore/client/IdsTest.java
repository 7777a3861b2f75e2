package org.ecstore.client;

import static org.ecstore.client.StoreFixture.WORDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.LongStream;
import org.ecstore.client.error.UnavailableException;
import org.ecstore.client.error.WrongArgumentException;
import org.ecstore.client.fake.Fault;
import org.ecstore.client.fake.WaitingThreads;
import org.ecstore.id.TxnId;
import org.ecstore.key.Bytes;
import org.ecstore.key.Tuple;
import org.ecstore.protocol.ClientRequest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class IdsTest {
  private final StoreFixture fixture = new StoreFixture(1);
  private final EcStore store = fixture.store;

  @AfterEach
  void close() {
    store.close();
  }

  private int commits() {
    return fixture.cluster.requests(ClientRequest.Commit.class).size();
  }

  @Test
  void numbersAscendFromOneOnAndABlockIsOneCommit() {
    Sequence ids = store.sequence("orders", 10);
    List<Long> given = LongStream.range(0, 25).mapToObj(i -> ids.next()).toList();
    assertEquals(LongStream.rangeClosed(1, 25).boxed().toList(), given);
    assertEquals(3, commits());
    assertEquals(31, store.sequence("orders", 10).next(), "another instance takes its own block");
    assertEquals(1, store.sequence("invoices").next());
  }

  /** The number is no part of the transaction: it is not given again where that is rolled back. */
  @Test
  void aNumberMayBeTakenWithinATransaction() {
    Sequence ids = store.sequence("orders");
    assertThrows(
        IllegalStateException.class,
        () ->
            store.execute(
                tx -> {
                  tx.insert(WORDS, Tuple.of(ids.next()), "order");
                  throw new IllegalStateException("the application's");
                }));
    store.execute(tx -> tx.insert(WORDS, Tuple.of(ids.next()), "order"));
    assertEquals(
        List.of(Tuple.of(2)), store.read(snapshot -> snapshot.scan(WORDS).keys().toList()));
  }

  @Test
  void threadsAndInstancesGetNumbersOfTheirOwn() {
    List<CompletableFuture<List<Long>>> all = new ArrayList<>();
    for (int instance = 0; instance < 2; instance++) {
      Sequence ids = store.sequence("shared", 7);
      for (int thread = 0; thread < 4; thread++) {
        all.add(
            CompletableFuture.supplyAsync(
                () -> LongStream.range(0, 200).mapToObj(i -> ids.next()).toList()));
      }
    }
    Set<Long> given = new HashSet<>();
    for (CompletableFuture<List<Long>> each : all) {
      List<Long> mine = each.join();
      assertEquals(mine.stream().sorted().toList(), mine, "ascending");
      given.addAll(mine);
    }
    assertEquals(8 * 200, given.size());
  }

  /** The first commit is done, and the client never hears of it. */
  @Test
  void aBlockOfUnknownFateIsLeftOut() {
    AtomicReference<Optional<TxnId>> lost = new AtomicReference<>(Optional.empty());
    fixture.cluster.plan(
        (address, request) -> {
          if (request instanceof ClientRequest.Commit commit) {
            lost.compareAndSet(Optional.empty(), Optional.of(commit.txn()));
            return Optional.of(commit.txn()).equals(lost.get())
                ? new Fault.LoseReply()
                : new Fault.None();
          }
          return request instanceof ClientRequest.AskOutcome ask
                  && Optional.of(ask.txn()).equals(lost.get())
              ? new Fault.LoseRequest()
              : new Fault.None();
        });
    Sequence ids = store.sequence("orders", 10);
    assertEquals(11, ids.next());
    assertEquals(1, store.counters().unknown());
  }

  /** Each would try for the whole deadline otherwise, one after the other. */
  @Test
  void thoseWhoWaitForABlockTakeTheFailureOfTheOneThatAsks() throws InterruptedException {
    AtomicInteger begun = new AtomicInteger();
    CountDownLatch away = new CountDownLatch(1);
    fixture.cluster.plan(
        (address, request) -> {
          begun.incrementAndGet();
          try {
            assertTrue(away.await(30, TimeUnit.SECONDS));
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
          fixture.time.advance(EcStoreOptions.DEFAULT.deadline().toNanos());
          return new Fault.NotSent();
        });
    Sequence ids = store.sequence("orders");
    AtomicInteger failed = new AtomicInteger();
    WaitingThreads threads =
        WaitingThreads.start(
            6,
            () -> {
              assertThrows(UnavailableException.class, ids::next);
              failed.incrementAndGet();
            });
    away.countDown();
    threads.join();
    assertEquals(6, failed.get());
    assertEquals(1, begun.get());
    fixture.cluster.plan((address, request) -> new Fault.None());
    assertEquals(1, ids.next());
  }

  /** The transaction around it would be over long before. */
  @Test
  void withinATransactionANumberTakesNoLongerThanThatHasTime() {
    Sequence ids = store.sequence("orders");
    fixture.cluster.plan((address, request) -> new Fault.NotSent());
    Duration most = Duration.ofSeconds(3);
    long asked = fixture.time.nanos();
    assertThrows(
        UnavailableException.class,
        () -> store.within(most).execute(tx -> tx.insert(WORDS, Tuple.of(ids.next()), "order")));
    Duration took = Duration.ofNanos(fixture.time.nanos() - asked);
    assertTrue(took.compareTo(most) <= 0, () -> "took " + took);
  }

  /** It is one call, however often it tries; and nothing but the block may have been taken. */
  @Test
  void blocksOfUnknownFateTakeNoLongerThanOneDeadlineAndAreNoUnknownOutcome() {
    fixture.cluster.plan(Fault.Plan.outcomesLost());
    Sequence ids = store.sequence("orders");
    long asked = fixture.time.nanos();
    assertThrows(UnavailableException.class, ids::next);
    Duration took = Duration.ofNanos(fixture.time.nanos() - asked);
    assertTrue(took.compareTo(EcStoreOptions.DEFAULT.deadline()) <= 0, () -> "took " + took);
  }

  @Test
  void whatCannotBeASequenceIsRefused() {
    assertThrows(WrongArgumentException.class, () -> store.sequence(""));
    assertThrows(WrongArgumentException.class, () -> store.sequence("orders", 0));
    fixture
        .cluster
        .store()
        .write(
            Table.of("ecstore", Codec.longs()).key(Tuple.of("sequence", "orders")),
            Optional.of(Bytes.of(0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff)));
    Sequence over = store.sequence("orders");
    WrongArgumentException end = assertThrows(WrongArgumentException.class, over::next);
    assertTrue(String.valueOf(end.getMessage()).contains("come to its end"), end::getMessage);
  }

  @Test
  void timeOrderedIdsAscendAlsoWithinAMillisecondAndWhenTheClockIsPutBack() {
    long[] now = {1_800_000_000_000L};
    TimeOrderedIds ids = new TimeOrderedIds(() -> now[0]);
    List<UUID> made = new ArrayList<>();
    for (int i = 0; i < 30_000; i++) {
      now[0] += i == 10_000 ? 500 : i == 20_000 ? -5_000 : 0;
      made.add(ids.made());
    }
    List<Tuple> keys = made.stream().map(Tuple::of).toList();
    List<Tuple> sorted = new ArrayList<>(keys);
    Collections.sort(sorted);
    assertEquals(sorted, keys);
    assertEquals(made.size(), new HashSet<>(made).size());
    assertTrue(made.stream().allMatch(id -> id.version() == 7 && id.variant() == 2));
    assertEquals(1_800_000_000_000L, made.get(0).getMostSignificantBits() >>> 16);
    assertTrue(Tuple.of(TimeOrderedIds.next()).compareTo(Tuple.of(TimeOrderedIds.next())) < 0);
  }
}
