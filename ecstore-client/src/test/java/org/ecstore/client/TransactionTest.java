package org.ecstore.client;

import static org.ecstore.client.StoreFixture.WORDS;
import static org.ecstore.client.StoreFixture.key;
import static org.ecstore.client.StoreFixture.stored;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import org.ecstore.client.error.AlreadyExistsException;
import org.ecstore.client.error.ClosedException;
import org.ecstore.client.error.ConflictException;
import org.ecstore.client.error.EcStoreException;
import org.ecstore.client.error.SnapshotTooOldException;
import org.ecstore.client.error.UnavailableException;
import org.ecstore.client.error.UnknownOutcomeException;
import org.ecstore.client.fake.Fault;
import org.ecstore.id.Position;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.model.Isolation;
import org.ecstore.model.ReadLevel;
import org.ecstore.model.RefusalCode;
import org.ecstore.model.Route;
import org.ecstore.protocol.ClientReply;
import org.ecstore.protocol.ClientRequest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TransactionTest {
  private final StoreFixture fixture = new StoreFixture(1);
  private final EcStore store = fixture.store;

  @AfterEach
  void close() {
    store.close();
  }

  private void put(long number, String value) {
    store.execute(tx -> tx.put(WORDS, key(number), value));
  }

  private void writeBehindTheClient(long number, String value) {
    fixture.cluster.store().write(stored(number), Optional.of(Bytes.utf8(value)));
  }

  private ClientRequest.Commit lastCommit() {
    List<ClientRequest.Commit> commits = fixture.cluster.requests(ClientRequest.Commit.class);
    return commits.get(commits.size() - 1);
  }

  @Test
  void aTransactionSeesItsOwnWritesOverItsSnapshot() {
    put(1, "one");
    put(2, "two");
    store.execute(
        tx -> {
          tx.put(WORDS, key(1), "uno");
          tx.delete(WORDS, key(2));
          tx.insert(WORDS, key(3), "tre");
          assertEquals(Optional.of("uno"), tx.get(WORDS, key(1)));
          assertEquals(Optional.empty(), tx.get(WORDS, key(2)));
          assertEquals(
              Map.of(key(1), "uno", key(3), "tre"),
              tx.getAll(WORDS, List.of(key(1), key(2), key(3))));
          assertEquals(2, tx.count(WORDS));
        });
    assertEquals(2, store.<Long, RuntimeException>read(snapshot -> snapshot.count(WORDS)));
  }

  @Test
  void aSnapshotDoesNotMove() {
    put(1, "before");
    try (ManualSnapshot snapshot = store.snapshot()) {
      put(1, "after");
      assertEquals(Optional.of("before"), snapshot.get(WORDS, key(1)));
    }
    assertEquals(Optional.of("after"), store.read(s -> s.get(WORDS, key(1))));
  }

  @Test
  void readsAndIntervalsAreSentForValidationAndOwnReadsAreNot() {
    for (int i = 0; i < 10; i++) {
      put(i, "v" + i);
    }
    store.execute(
        tx -> {
          tx.put(WORDS, key(50), "own");
          tx.get(WORDS, key(50));
          tx.get(WORDS, key(1));
          tx.insert(WORDS, key(60), "absence is read");
          assertEquals(3, tx.scan(WORDS, TupleRange.from(key(4))).limit(3).toList().size());
          assertTrue(tx.scan(WORDS, TupleRange.between(key(20), key(30))).toList().isEmpty());
        });
    ClientRequest.Commit commit = lastCommit();
    assertEquals(List.of(stored(1), stored(60)), commit.reads());
    assertEquals(
        List.of(KeyRange.of(stored(4), stored(6).successor()), KeyRange.of(stored(20), stored(30))),
        commit.intervals());
    assertEquals(2, commit.writes().size());
    assertEquals(Isolation.SERIALIZABLE, commit.isolation());
  }

  @Test
  void underSnapshotIsolationNoReadsAreSent() {
    put(1, "v");
    store
        .with(Isolation.SNAPSHOT)
        .execute(
            tx -> {
              tx.get(WORDS, key(1));
              tx.scan(WORDS).toList();
              tx.put(WORDS, key(2), "w");
            });
    assertEquals(List.of(), lastCommit().reads());
    assertEquals(List.of(), lastCommit().intervals());
    assertEquals(Isolation.SNAPSHOT, lastCommit().isolation());
  }

  @Test
  void aTransactionThatWroteNothingCommitsWithoutAskingAnyone() {
    put(1, "v");
    int before = fixture.cluster.requests(ClientRequest.Commit.class).size();
    assertEquals(Optional.of("v"), store.transact(tx -> tx.get(WORDS, key(1))));
    assertEquals(before, fixture.cluster.requests(ClientRequest.Commit.class).size());
  }

  @Test
  void aPhantomIsAConflictAndTheWorkRunsAgain() {
    List<Long> counts = new ArrayList<>();
    store.execute(
        tx -> {
          counts.add(tx.count(WORDS));
          if (counts.size() == 1) {
            writeBehindTheClient(7, "phantom");
          }
          tx.put(WORDS, key(100), "count " + counts);
        });
    assertEquals(List.of(0L, 1L), counts);
  }

  @Test
  void anExplicitCommitNamesTheConflictAndDoesNotRetry() {
    put(1, "old");
    try (ManualTransaction tx = store.begin()) {
      tx.get(WORDS, key(1));
      tx.put(WORDS, key(2), "derived");
      writeBehindTheClient(1, "new");
      ConflictException conflict = assertThrows(ConflictException.class, tx::commit);
      assertEquals(stored(1), Bytes.wrap(conflict.keys().start()));
      assertTrue(conflict.keys().isOne());
      assertEquals(Optional.of("words"), conflict.table());
      assertEquals(Optional.empty(), conflict.other());
      assertEquals(fixture.cluster.store().routeOf(stored(1)).range(), conflict.range());
      assertThrows(ClosedException.class, () -> tx.get(WORDS, key(1)));
      assertEquals(Optional.empty(), tx.commitNumber());
    }
  }

  @Test
  void aCommitHasANumberUnlessNothingWasWritten() {
    try (ManualTransaction tx = store.begin()) {
      tx.put(WORDS, key(1), "v");
      tx.commit();
      assertTrue(tx.commitNumber().orElseThrow().isAfter(tx.readPoint().position()));
      assertThrows(ClosedException.class, tx::commit);
    }
    try (ManualTransaction tx = store.begin()) {
      tx.get(WORDS, key(1));
      tx.commit();
      assertEquals(Optional.empty(), tx.commitNumber());
    }
  }

  @Test
  void insertFindsItsKeyTakenInTheStoreAndInTheTransaction() {
    put(1, "taken");
    AlreadyExistsException taken =
        assertThrows(
            AlreadyExistsException.class,
            () -> store.execute(tx -> tx.insert(WORDS, key(1), "again")));
    assertEquals("(\"words\", 1)", taken.details().get("key"));
    store.execute(
        tx -> {
          tx.put(WORDS, key(2), "own");
          assertThrows(AlreadyExistsException.class, () -> tx.insert(WORDS, key(2), "again"));
          tx.delete(WORDS, key(1));
          tx.insert(WORDS, key(1), "after its delete");
        });
    assertEquals(Optional.of("after its delete"), store.read(s -> s.get(WORDS, key(1))));
  }

  @Test
  void anExceptionOfTheWorkRollsBackAndComesOutAsItIs() {
    IOException thrown =
        assertThrows(
            IOException.class,
            () ->
                store.execute(
                    tx -> {
                      tx.put(WORDS, key(1), "not to be");
                      throw new IOException("the application's own");
                    }));
    assertEquals("the application's own", thrown.getMessage());
    assertEquals(Optional.empty(), store.read(s -> s.get(WORDS, key(1))));
    assertEquals(0, fixture.cluster.store().openLeases());
  }

  @Test
  void everySnapshotIsEndedHoweverTheWorkEnds() {
    put(1, "v");
    store.read(s -> s.get(WORDS, key(1)));
    store.begin().close();
    try (ManualTransaction tx = store.begin()) {
      tx.rollback();
      tx.rollback();
    }
    assertThrows(
        IllegalStateException.class,
        () ->
            store.read(
                s -> {
                  throw new IllegalStateException();
                }));
    assertEquals(0, fixture.cluster.store().openLeases());
  }

  @Test
  void aSnapshotThatBecameTooOldStartsTheWorkAgain() {
    put(1, "v");
    List<Boolean> runs = new ArrayList<>();
    Optional<String> value =
        store.read(
            snapshot -> {
              runs.add(true);
              if (runs.size() == 1) {
                snapshot.get(WORDS, key(2));
                fixture.cluster.store().forgetHistory();
              }
              return snapshot.get(WORDS, key(1));
            });
    assertEquals(Optional.of("v"), value);
    assertEquals(2, runs.size());
    try (ManualSnapshot snapshot = store.snapshot()) {
      fixture.cluster.store().forgetHistory();
      assertThrows(SnapshotTooOldException.class, () -> snapshot.get(WORDS, key(1)));
      assertThrows(SnapshotTooOldException.class, () -> snapshot.scan(WORDS).toList());
    }
    try (ManualTransaction tx = store.begin()) {
      tx.put(WORDS, key(1), "w");
      fixture.cluster.store().forgetHistory();
      assertThrows(SnapshotTooOldException.class, tx::commit);
    }
  }

  @Test
  void nothingThatAnswersIsUnavailableAndNamesTheNodeAndTheReason() {
    put(1, "v");
    fixture.cluster.plan(
        (address, request) ->
            request instanceof ClientRequest.BeginWith
                ? new Fault.Instead(
                    new ClientReply.Refused(RefusalCode.UNAVAILABLE, "no sequencer"))
                : new Fault.None());
    UnavailableException failure =
        assertThrows(UnavailableException.class, () -> store.read(s -> s.get(WORDS, key(1))));
    assertFalse(failure instanceof UnknownOutcomeException);
    assertTrue(failure.getMessage().contains("no sequencer"), failure.getMessage());
    assertTrue(failure.getMessage().contains("n1:1"), failure.getMessage());
  }

  @Test
  void anUnknownOutcomeNamesTheTransaction() {
    fixture.cluster.plan(
        (address, request) ->
            request instanceof ClientRequest.Commit || request instanceof ClientRequest.AskOutcome
                ? new Fault.LoseRequest()
                : new Fault.None());
    UnknownOutcomeException unknown =
        assertThrows(UnknownOutcomeException.class, () -> put(1, "v"));
    assertEquals(lastCommit().txn(), unknown.transaction());
    assertEquals(1, fixture.cluster.requests(ClientRequest.Commit.class).size());
    assertTrue(fixture.cluster.requests(ClientRequest.AskOutcome.class).size() > 3);
    assertEquals(1, store.counters().unknown());
  }

  @Test
  void anExpiredOutcomeIsUnknownAtOnce() {
    fixture.cluster.plan(
        (address, request) -> {
          if (request instanceof ClientRequest.Commit) {
            return new Fault.LoseReply();
          }
          return request instanceof ClientRequest.AskOutcome
              ? new Fault.Instead(new ClientReply.OutcomeExpired(new Position(9)))
              : new Fault.None();
        });
    assertThrows(UnknownOutcomeException.class, () -> put(1, "v"));
    assertEquals(1, fixture.cluster.requests(ClientRequest.AskOutcome.class).size());
  }

  @Test
  void theCommitGoesToThePrimaryOfTheFirstKey() {
    fixture.cluster.store().split(stored(10));
    fixture.cluster.store().move(stored(10), "n2:1");
    store.read(s -> s.get(WORDS, key(20)));
    List<String> asked = new ArrayList<>();
    fixture.cluster.plan(
        (address, request) -> {
          if (request instanceof ClientRequest.Commit) {
            asked.add(address);
          }
          return new Fault.None();
        });
    store.execute(
        tx -> {
          tx.put(WORDS, key(30), "b");
          tx.put(WORDS, key(20), "a");
        });
    assertEquals(List.of("n2:1"), asked);
  }

  @Test
  void movedRangesCostOneMoreRequestAndThenNone() {
    put(1, "v");
    store.read(s -> s.get(WORDS, key(1)));
    fixture.cluster.store().move(stored(1), "n3:1");
    int before = fixture.cluster.requests(ClientRequest.BeginWith.class).size();
    for (int i = 0; i < 3; i++) {
      assertEquals(Optional.of("v"), store.read(s -> s.get(WORDS, key(1))));
    }
    assertEquals(before + 4, fixture.cluster.requests(ClientRequest.BeginWith.class).size());
  }

  @Test
  void aRouteWithoutAnAddressIsAskedForElsewhere() {
    put(1, "v");
    Route here = fixture.cluster.store().routeOf(stored(1));
    Route nowhere = new Route(here.range(), here.epoch().next(), here.keys(), here.primary(), "");
    List<Fault> faults =
        new ArrayList<>(List.of(new Fault.Instead(new ClientReply.WrongRange(List.of(nowhere)))));
    fixture.cluster.plan(
        (address, request) ->
            request instanceof ClientRequest.BeginWith && !faults.isEmpty()
                ? faults.remove(0)
                : new Fault.None());
    int before = fixture.cluster.requests(ClientRequest.Locate.class).size();
    assertEquals(Optional.of("v"), store.read(s -> s.get(WORDS, key(1))));
    assertEquals(before + 1, fixture.cluster.requests(ClientRequest.Locate.class).size());
  }

  @Test
  void aSingleReadAndABlindWriteAreOneRequestEach() {
    put(1, "v");
    int before = fixture.cluster.requests(ClientRequest.class).size();
    store.read(s -> s.get(WORDS, key(1)));
    assertEquals(before + 1, fixture.cluster.requests(ClientRequest.class).size());
    store.read(s -> s.scan(WORDS).limit(100).toList());
    assertEquals(before + 2, fixture.cluster.requests(ClientRequest.class).size());
    put(2, "w");
    assertEquals(before + 3, fixture.cluster.requests(ClientRequest.class).size());
    store.execute(
        tx -> {
          tx.get(WORDS, key(1));
          tx.put(WORDS, key(1), "x");
        });
    assertEquals(before + 5, fixture.cluster.requests(ClientRequest.class).size());
  }

  /** Snapshot isolation validates what is written, against what was there when it began. */
  @Test
  void aWriteUnderSnapshotIsolationBegins() {
    put(1, "v");
    int before = fixture.cluster.requests(ClientRequest.Begin.class).size();
    store.with(Isolation.SNAPSHOT).execute(tx -> tx.put(WORDS, key(1), "w"));
    assertEquals(before + 1, fixture.cluster.requests(ClientRequest.Begin.class).size());
  }

  @Test
  void whatASessionSawLongAgoIsNoPlaceToWriteAt() {
    put(1, "v");
    int before = fixture.cluster.requests(ClientRequest.Begin.class).size();
    fixture.time.advance(5_000_000_000L);
    put(1, "w");
    assertEquals(before + 1, fixture.cluster.requests(ClientRequest.Begin.class).size());
  }

  @Test
  void allReadsOfASnapshotAreWhereTheFirstOneWas() {
    put(1, "v");
    put(2, "v");
    store.read(
        snapshot -> {
          assertEquals(Optional.of("v"), snapshot.get(WORDS, key(1)));
          put(2, "w");
          assertEquals(Optional.of("v"), snapshot.get(WORDS, key(2)));
          assertEquals(2, snapshot.scan(WORDS).count());
          return snapshot.token();
        });
  }

  /** Asked for, it begins there and then. */
  @Test
  void aSnapshotThatIsAskedForDoesNotWaitForARead() {
    put(1, "v");
    try (ManualSnapshot snapshot = store.snapshot();
        ManualTransaction tx = store.begin()) {
      put(1, "w");
      assertEquals(Optional.of("v"), snapshot.get(WORDS, key(1)));
      assertEquals(Optional.of("v"), tx.get(WORDS, key(1)));
    }
  }

  @Test
  void aSessionsTokenCarriesWhatItSawToAnother() {
    put(1, "v");
    String token = store.token();
    Session other = store.session(token);
    other.read(s -> s.get(WORDS, key(1)));
    List<ClientRequest.BeginWith> begins = fixture.cluster.requests(ClientRequest.BeginWith.class);
    assertEquals(
        lastCommit().point().position().value() + 1,
        begins.get(begins.size() - 1).token().position().value());
  }

  /** What was just committed by the store is seen in a session that is made then. */
  @Test
  void aSessionBeginsWhereTheStoreIs() {
    Session early = store.session();
    put(1, "v");
    Session fresh = store.session();
    assertEquals(store.token(), fresh.token());
    assertNotEquals(store.token(), early.token(), "it goes on without the store");
    fresh.with(ReadLevel.SESSION).read(s -> s.get(WORDS, key(1)));
    List<ClientRequest.BeginWith> begins = fixture.cluster.requests(ClientRequest.BeginWith.class);
    ClientRequest.BeginWith last = begins.get(begins.size() - 1);
    assertEquals(lastCommit().point().position().value() + 1, last.token().position().value());
  }

  @Test
  void aTransactionCanSayItsCommitNumber() {
    Committed<String> first =
        store.transactWithCommit(
            tx -> {
              tx.put(WORDS, key(1), "v");
              return "done";
            });
    assertEquals("done", first.result());
    Committed<String> second =
        store
            .session()
            .transactWithCommit(
                tx -> {
                  tx.put(WORDS, key(1), "w");
                  return "again";
                });
    assertTrue(second.number().orElseThrow().isAfter(first.number().orElseThrow()));
    assertEquals(Optional.empty(), store.transactWithCommit(tx -> tx.get(WORDS, key(1))).number());
  }

  @Test
  void aConflictOverAnIntervalSaysItByTheKeysOfTheApplication() {
    put(4, "v");
    try (ManualTransaction tx = store.begin()) {
      tx.scan(WORDS, TupleRange.between(key(2), key(7000))).toList();
      tx.put(WORDS, key(9), "derived");
      writeBehindTheClient(5, "phantom");
      ConflictException conflict = assertThrows(ConflictException.class, tx::commit);
      String said = conflict.getMessage();
      assertFalse(said.contains("\\x"), said);
      assertFalse(said.contains("x'"), said);
      assertTrue(said.contains("(\"words\", "), said);
    }
  }

  @Test
  void aSnapshotCanBeReadAgainByItsToken() {
    put(1, "before");
    String token = store.read(Snapshot::token);
    put(1, "after");
    assertEquals(Optional.of("before"), store.readAt(token, s -> s.get(WORDS, key(1))));
    fixture.cluster.store().forgetHistory();
    assertThrows(
        SnapshotTooOldException.class, () -> store.readAt(token, s -> s.get(WORDS, key(1))));
  }

  @Test
  void asynchronousWorkBringsItsValueOrItsException() {
    assertEquals("done", store.transactAsync(tx -> "done").join());
    assertEquals(0L, store.readAsync(s -> s.count(WORDS)).join());
    CompletionException failure =
        assertThrows(
            CompletionException.class,
            () ->
                store
                    .transactAsync(
                        tx -> {
                          throw new IOException("own");
                        })
                    .join());
    assertInstanceOf(IOException.class, failure.getCause());
  }

  @Test
  void afterCloseEverythingSaysSo() {
    ManualTransaction tx = store.begin();
    ManualSnapshot snapshot = store.snapshot();
    Cursor<String> cursor = snapshot.scan(WORDS).cursor();
    store.close();
    store.close();
    assertTrue(fixture.cluster.isClosed());
    assertThrows(ClosedException.class, () -> tx.get(WORDS, key(1)));
    assertThrows(ClosedException.class, tx::commit);
    assertThrows(ClosedException.class, () -> snapshot.get(WORDS, key(1)));
    assertThrows(ClosedException.class, cursor::hasNext);
    assertThrows(ClosedException.class, () -> put(1, "v"));
    assertThrows(ClosedException.class, () -> store.read(s -> s.count(WORDS)));
    assertThrows(ClosedException.class, store::begin);
    assertThrows(ClosedException.class, store::status);
    EcStoreException late =
        assertThrows(EcStoreException.class, () -> store.transactAsync(t -> 1).join());
    assertInstanceOf(ClosedException.class, late);
  }

  @Test
  void aLazyScanCannotOutliveItsSnapshot() {
    put(1, "v");
    Cursor<String> escaped = store.read(s -> s.scan(WORDS).cursor());
    assertThrows(ClosedException.class, escaped::hasNext);
  }

  @Test
  void interruptionEndsTheWaitAndStaysSet() {
    fixture.cluster.plan((address, request) -> new Fault.NotSent());
    Thread.currentThread().interrupt();
    try {
      assertThrows(UnavailableException.class, () -> put(1, "v"));
      assertTrue(Thread.currentThread().isInterrupted());
    } finally {
      assertTrue(Thread.interrupted());
    }
  }

  @Test
  void statusShowsTheRanges() {
    fixture.cluster.store().split(stored(5));
    assertEquals(2, store.status().ranges().size());
    assertEquals(2, store.status(WORDS).ranges().size());
  }
}
