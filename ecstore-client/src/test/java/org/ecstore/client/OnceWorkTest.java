package org.ecstore.client;

import static org.ecstore.client.StoreFixture.WORDS;
import static org.ecstore.client.StoreFixture.key;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.ecstore.client.error.UnknownOutcomeException;
import org.ecstore.client.error.WrongArgumentException;
import org.ecstore.client.fake.Fault;
import org.ecstore.key.Bytes;
import org.ecstore.key.Tuple;
import org.ecstore.model.Isolation;
import org.ecstore.protocol.ClientRequest;
import org.junit.jupiter.api.Test;

class OnceWorkTest {
  private final StoreFixture fixture = new StoreFixture(1);
  private final EcStore store = fixture.store;
  private final AtomicInteger runs = new AtomicInteger();

  private String place(String id, Session by) {
    return by.transact(
        id,
        Codec.utf8(),
        tx -> {
          runs.incrementAndGet();
          tx.upsert(WORDS, key(1), before -> before.orElse("") + "x");
          return "receipt of " + id;
        });
  }

  private Optional<String> word() {
    return store.read(snapshot -> snapshot.get(WORDS, key(1)));
  }

  @Test
  void whatIsSentAgainIsNotDoneAgainAndHasTheSameResult() {
    for (int i = 0; i < 3; i++) {
      assertEquals("receipt of a", place("a", store));
    }
    assertEquals("receipt of a", place("a", store.session()));
    assertEquals("receipt of a", place("a", store.with(Isolation.SNAPSHOT)));
    assertEquals(1, runs.get());
    assertEquals(Optional.of("x"), word());
  }

  @Test
  void whetherItWasDoneNowIsSaidWithTheResult() {
    for (boolean isFirst : new boolean[] {true, false, false}) {
      Once<String> once = store.transactOnce("a", Codec.utf8(), tx -> "receipt " + isFirst);
      assertEquals(new Once<>("receipt true", isFirst), once);
    }
    assertEquals("receipt true", store.transact("a", Codec.utf8(), tx -> "not again"));
  }

  @Test
  void anotherKeyIsAnotherRequest() {
    assertEquals("receipt of a", place("a", store));
    assertEquals("receipt of b", place("b", store));
    assertEquals(Optional.of("xx"), word());
  }

  @Test
  void whatNothingComesOfSaysWhetherItWasDone() {
    TransactionAction<RuntimeException> action = tx -> tx.put(WORDS, key(1), "done");
    assertTrue(store.execute("a", action));
    assertFalse(store.execute("a", action));
    assertTrue(store.with(Isolation.SNAPSHOT).execute("b", action));
    assertFalse(store.session().execute("b", action));
  }

  @Test
  void whatFailsIsDoneWhenItIsSentAgain() {
    assertThrows(
        ArithmeticException.class,
        () ->
            store.execute(
                "a",
                tx -> {
                  tx.put(WORDS, key(1), "half");
                  throw new ArithmeticException("no");
                }));
    assertEquals(Optional.empty(), word());
    assertEquals("receipt of a", place("a", store));
  }

  /** Both have found nothing under the key when one of them commits. */
  @Test
  void ofTwoAtTheSameTimeOneIsDone() {
    for (Session session : List.of(store, store.with(Isolation.SNAPSHOT))) {
      AtomicInteger tries = new AtomicInteger();
      String id = "at the same time " + session;
      boolean first =
          session.execute(
              id,
              tx -> {
                if (tries.getAndIncrement() == 0) {
                  store.requiresNew().execute(id, other -> other.put(WORDS, key(1), "other"));
                }
                tx.put(WORDS, key(1), "this");
              });
      assertFalse(first);
      assertEquals(1, tries.get());
      assertEquals(Optional.of("other"), word());
    }
  }

  @Test
  void withinAnotherTransactionItIsPartOfThat() {
    assertThrows(
        ArithmeticException.class,
        () ->
            store.execute(
                tx -> {
                  assertTrue(store.execute("a", joined -> joined.put(WORDS, key(1), "joined")));
                  throw new ArithmeticException("no");
                }));
    assertEquals("receipt of a", place("a", store));
    assertEquals(Optional.of("x"), word());
  }

  /**
   * The commit is done and nothing is heard of it: the client gives up, and its user asks again.
   */
  @Test
  void whatWasDoneAndNotHeardOfIsNotDoneAgain() {
    fixture.cluster.plan(Fault.Plan.outcomesLost());
    assertThrows(
        UnknownOutcomeException.class, () -> place("a", store.within(Duration.ofSeconds(2))));
    fixture.cluster.plan((address, request) -> new Fault.None());
    assertEquals("receipt of a", place("a", store));
    assertEquals(1, runs.get());
    assertEquals(Optional.of("x"), word());
  }

  /** The answer that is lost is settled by the client itself. */
  @Test
  void anAnswerThatIsLostIsSettled() {
    AtomicInteger commits = new AtomicInteger();
    fixture.cluster.plan(
        (address, request) ->
            request instanceof ClientRequest.Commit && commits.getAndIncrement() == 0
                ? new Fault.LoseReply()
                : new Fault.None());
    assertEquals("receipt of a", place("a", store));
    assertEquals("receipt of a", place("a", store));
    assertEquals(Optional.of("x"), word());
  }

  @Test
  void afterTheRetentionItIsForgottenAndCleanedAway() {
    AtomicLong now = new AtomicLong(1_000_000);
    TypedSession session = (TypedSession) store.requiresNew();
    OnceWork work = new OnceWork(session, Duration.ofMillis(100), now::get);
    for (int i = 0; i < 100; i++) {
      assertTrue(work.isFirst("key " + i, tx -> {}));
    }
    now.addAndGet(99);
    assertFalse(work.isFirst("key 7", tx -> {}));
    now.addAndGet(1);
    assertTrue(work.isFirst("key 7", tx -> {}), "it is over");
    assertFalse(work.isFirst("key 7", tx -> {}));
    for (int part = 0; part < 16; part++) {
      work.clean(part);
    }
    List<Tuple> left =
        store.read(
            snapshot ->
                snapshot.scan(OnceWork.TABLE, TupleRange.prefix(Tuple.of("once"))).keys().toList());
    assertEquals(List.of(Tuple.of("once", "key 7")), left);
    List<Tuple> entries =
        store.read(
            snapshot ->
                snapshot
                    .scan(OnceWork.TABLE, TupleRange.prefix(Tuple.of("once-over")))
                    .keys()
                    .toList());
    assertEquals(1, entries.size(), entries::toString);
    assertFalse(work.isFirst("key 7", tx -> {}), "what is not over stays");
  }

  @Test
  void whatIsOverGoesByItself() {
    AtomicLong now = new AtomicLong(1_000_000);
    TypedSession session = (TypedSession) store.requiresNew();
    OnceWork work = new OnceWork(session, Duration.ofMillis(10), now::get);
    for (int i = 0; i < 5_000; i++) {
      work.isFirst("key " + i, tx -> {});
      now.incrementAndGet();
    }
    int left =
        store.read(
            snapshot ->
                snapshot
                    .scan(OnceWork.TABLE, TupleRange.prefix(Tuple.of("once")))
                    .keys()
                    .toList()
                    .size());
    assertTrue(left < 2_500, left + " of 5,000 are left, of which 10 are not over");
  }

  @Test
  void aKeyThatIsNoneIsRefused() {
    for (String id : List.of("", "x".repeat(256))) {
      WrongArgumentException refused =
          assertThrows(WrongArgumentException.class, () -> place(id, store));
      assertTrue(refused.getMessage().contains("of 1 to 255 characters"), refused.getMessage());
    }
    assertEquals(0, runs.get());
    place("x".repeat(255), store);
  }

  @Test
  void aRetentionThatForgetsAtOnceIsRefused() {
    assertThrows(
        WrongArgumentException.class,
        () -> EcStoreOptions.DEFAULT.idempotencyRetention(Duration.ofNanos(1)));
  }

  @Test
  void aRecordOfALaterReleaseIsNotTakenForOneOfThis() {
    store.execute(tx -> tx.put(OnceWork.TABLE, Tuple.of("once", "a"), Bytes.of(2, 0, 0)));
    WrongArgumentException refused =
        assertThrows(WrongArgumentException.class, () -> place("a", store));
    assertTrue(refused.getMessage().contains("by a later ecStore"), refused.getMessage());
    assertEquals(0, runs.get());
  }
}
