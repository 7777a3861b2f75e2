package org.ecstore.client;

import static org.ecstore.client.StoreFixture.WORDS;
import static org.ecstore.client.StoreFixture.key;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import org.ecstore.client.error.ClosedException;
import org.ecstore.client.error.UnavailableException;
import org.ecstore.client.error.WrongArgumentException;
import org.ecstore.model.Isolation;
import org.ecstore.model.ReadLevel;
import org.ecstore.protocol.ClientRequest;
import org.junit.jupiter.api.Test;

/** A transaction within another is part of it, or one of its own, or refused. */
class NestedTransactTest {
  private static Optional<String> value(EcStore store, long number) {
    return store.read(snapshot -> snapshot.get(WORDS, key(number)));
  }

  @Test
  void whatJoinsSeesAndIsCommittedWithWhatIsAround() {
    try (StoreFixture fixture = new StoreFixture(1)) {
      EcStore store = fixture.store;
      String seen =
          store.transact(
              tx -> {
                tx.put(WORDS, key(1), "outer");
                String within =
                    store.transact(
                        joined -> {
                          joined.put(WORDS, key(2), "inner");
                          return joined.get(WORDS, key(1)).orElseThrow();
                        });
                return within + " " + tx.get(WORDS, key(2)).orElseThrow();
              });
      assertEquals("outer inner", seen);
      assertEquals(1, fixture.cluster.requests(ClientRequest.Commit.class).size());
      assertEquals(Optional.of("outer"), value(store, 1));
      assertEquals(Optional.of("inner"), value(store, 2));
    }
  }

  @Test
  void whatJoinsIsNotDoneWhereWhatIsAroundFails() {
    try (StoreFixture fixture = new StoreFixture(1)) {
      EcStore store = fixture.store;
      assertThrows(
          ArithmeticException.class,
          () ->
              store.execute(
                  tx -> {
                    store.execute(joined -> joined.put(WORDS, key(2), "inner"));
                    throw new ArithmeticException("the outer one fails");
                  }));
      assertEquals(Optional.empty(), value(store, 2));
      store.execute(tx -> tx.put(WORDS, key(1), "after it the thread may begin another"));
      assertTrue(value(store, 1).isPresent());
    }
  }

  /** It has written one of the two that belong together. */
  @Test
  void nothingIsCommittedWhereTheFailureOfWhatJoinedIsCaught() {
    try (StoreFixture fixture = new StoreFixture(1)) {
      ArithmeticException within = new ArithmeticException("half way");
      assertSame(
          within,
          assertThrows(
              ArithmeticException.class,
              () ->
                  goOnAfter(
                      fixture.store,
                      () -> {
                        throw within;
                      })));
      IOException checked = new IOException("half way");
      ClosedException wrapped =
          assertThrows(
              ClosedException.class,
              () ->
                  goOnAfter(
                      fixture.store,
                      () -> {
                        throw checked;
                      }));
      assertSame(checked, wrapped.getCause());
      assertTrue(wrapped.getMessage().contains("requiresNew()"), wrapped.getMessage());
      assertEquals(List.of(), fixture.cluster.requests(ClientRequest.Commit.class));
    }
  }

  private static void goOnAfter(EcStore store, Callable<Void> failure) {
    store.execute(
        tx -> {
          tx.put(WORDS, key(1), "outer");
          try {
            store.<Void, Exception>transact(
                joined -> {
                  joined.put(WORDS, key(2), "one of two");
                  return failure.call();
                });
          } catch (Exception caught) {
            tx.put(WORDS, key(3), "and gone on");
          }
        });
  }

  /** The thread helps with a task of another flow while it waits for it. */
  @Test
  void nothingJoinsOnAThreadThatRunsTasksOfOthers() throws Exception {
    ForkJoinPool pool = new ForkJoinPool(1);
    try (StoreFixture fixture = new StoreFixture(1)) {
      EcStore store = fixture.store;
      Callable<Void> flow =
          () -> {
            CompletableFuture<Void> audit =
                CompletableFuture.runAsync(
                    () -> store.execute(tx -> tx.put(WORDS, key(2), "audit")), pool);
            store.execute(
                tx -> {
                  tx.put(WORDS, key(1), "outer");
                  CompletionException refused =
                      assertThrows(CompletionException.class, audit::join);
                  assertTrue(
                      String.valueOf(refused.getMessage()).contains("fork-join"),
                      refused.getMessage());
                });
            return null;
          };
      pool.submit(flow).get(30, TimeUnit.SECONDS);
      assertEquals(Optional.of("outer"), value(store, 1));
      assertEquals(Optional.empty(), value(store, 2));
    } finally {
      pool.shutdownNow();
    }
  }

  /** What the library has thrown decides, as if it had come from the work around it. */
  @Test
  void aFailureOfTheLibraryThatIsCaughtHasTheWholeRunAgain() {
    try (StoreFixture fixture = new StoreFixture(1)) {
      EcStore store = fixture.store;
      List<String> runs = new ArrayList<>();
      store.execute(
          tx -> {
            runs.add("outer");
            try {
              store.execute(
                  joined -> {
                    if (runs.size() == 1) {
                      throw new UnavailableException("made up", null);
                    }
                    joined.put(WORDS, key(2), "second");
                  });
            } catch (UnavailableException caught) {
              runs.add("caught");
            }
          });
      assertEquals(List.of("outer", "caught", "outer"), runs);
      assertEquals(Optional.of("second"), value(store, 2));
    }
  }

  @Test
  void whatAsksForSomethingElseIsRefused() {
    try (StoreFixture fixture = new StoreFixture(1)) {
      EcStore store = fixture.store;
      for (Session inner :
          new Session[] {
            store.session(),
            store.with(Isolation.SNAPSHOT),
            store.with(ReadLevel.STRONG),
            store.within(Duration.ofSeconds(1))
          }) {
        WrongArgumentException refused =
            assertThrows(
                WrongArgumentException.class,
                () ->
                    store.execute(
                        tx -> {
                          tx.put(WORDS, key(1), "outer");
                          inner.execute(within -> within.put(WORDS, key(2), "inner"));
                        }));
        assertTrue(refused.getMessage().contains("requiresNew()"), refused.getMessage());
      }
      assertEquals(Optional.empty(), value(store, 1));
      assertEquals(Optional.empty(), value(store, 2));
    }
  }

  @Test
  void oneOnAnotherThreadOrByQuorumOrWithANumberIsRefusedAndNothingIsSent() {
    try (StoreFixture fixture = new StoreFixture(1)) {
      EcStore store = fixture.store;
      QuorumStore quorum = store.quorum(3, 2, 2);
      List<TransactionAction<RuntimeException>> inner =
          List.of(
              tx ->
                  store
                      .transactAsync(within -> within.get(WORDS, key(2)))
                      .completeExceptionally(new AssertionError("it has begun")),
              tx ->
                  store.transactWithCommit(
                      within -> {
                        within.put(WORDS, key(2), "inner");
                        return "";
                      }),
              tx -> store.deleteRange(WORDS, TupleRange.all()),
              tx -> quorum.put(WORDS, key(2), "inner"),
              tx -> quorum.delete(WORDS, key(2)));
      for (TransactionAction<RuntimeException> each : inner) {
        WrongArgumentException refused =
            assertThrows(WrongArgumentException.class, () -> store.execute(each));
        assertTrue(refused.getMessage().contains("hand the Transaction on"), refused.getMessage());
      }
      assertEquals(List.of(), fixture.cluster.requests(ClientRequest.Commit.class));
      assertEquals("after it", store.transactAsync(tx -> "after it").join());
    }
  }

  @Test
  void whatIsMeantToBeOfItsOwnIsDone() {
    try (StoreFixture one = new StoreFixture(1);
        StoreFixture other = new StoreFixture(2)) {
      Session own = one.store.requiresNew();
      assertThrows(
          ArithmeticException.class,
          () ->
              one.store.execute(
                  tx -> {
                    tx.put(WORDS, key(1), "outer");
                    try (ManualTransaction audit = one.store.begin()) {
                      audit.put(WORDS, key(2), "audit");
                      audit.commit();
                    }
                    own.execute(
                        audit -> {
                          audit.put(WORDS, key(4), "own");
                          own.execute(again -> again.put(WORDS, key(5), "own within own"));
                          one.store.execute(joined -> joined.put(WORDS, key(6), "joins own"));
                        });
                    assertTrue(
                        own.transactWithCommit(
                                audit -> {
                                  audit.put(WORDS, key(7), "with its number");
                                  return "";
                                })
                            .number()
                            .isPresent());
                    one.store.execute(joined -> joined.put(WORDS, key(8), "joins outer"));
                    other.store.execute(there -> there.put(WORDS, key(3), "another store"));
                    throw new ArithmeticException("the outer one fails");
                  }));
      assertEquals(Optional.empty(), value(one.store, 1));
      assertEquals(Optional.of("audit"), value(one.store, 2));
      assertEquals(Optional.of("another store"), value(other.store, 3));
      assertEquals(Optional.of("own"), value(one.store, 4));
      assertEquals(Optional.of("own within own"), value(one.store, 5));
      assertEquals(Optional.of("joins own"), value(one.store, 6));
      assertEquals(Optional.of("with its number"), value(one.store, 7));
      assertEquals(Optional.empty(), value(one.store, 8));
    }
  }

  /** Ids are taken in transactions of their own, whatever becomes of the one around. */
  @Test
  void aSequenceWithinTransactIsNoPartOfIt() {
    try (StoreFixture fixture = new StoreFixture(1)) {
      Sequence sequence = fixture.store.sequence("orders");
      assertThrows(
          ArithmeticException.class,
          () ->
              fixture.store.execute(
                  tx -> {
                    assertEquals(1, sequence.next());
                    throw new ArithmeticException("the outer one fails");
                  }));
      assertEquals(2, sequence.next());
      assertEquals(101, fixture.store.sequence("orders").next());
    }
  }
}
