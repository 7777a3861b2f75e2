package org.ecstore.spring;

import static org.ecstore.spring.SpringFixture.BALANCES;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.ecstore.client.EcStoreOptions;
import org.ecstore.client.Transaction;
import org.ecstore.client.TupleRange;
import org.ecstore.client.error.ClosedException;
import org.ecstore.client.error.WrongArgumentException;
import org.ecstore.client.fake.Fault;
import org.ecstore.key.Tuple;
import org.ecstore.protocol.ClientRequest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.transaction.TransactionTimedOutException;
import org.springframework.transaction.UnexpectedRollbackException;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Transactions by {@code @Transactional} that run out of something: time, commits, the store. */
class TransactionLimitsTest {
  private static final int TOGETHER = 4;

  /** What waits for one commit at a time must not hold it. */
  private final SpringFixture fixture =
      new SpringFixture(
          EcStoreOptions.DEFAULT.commitsUnderWay(1), way -> way, Accounts.Application.class);

  private final Accounts accounts = fixture.context.getBean(Accounts.class);
  private final Accounts.Runs runs = fixture.context.getBean(Accounts.Runs.class);
  private final Transaction tx = fixture.context.getBean(Transaction.class);
  private final TransactionTemplate template =
      new TransactionTemplate(fixture.context.getBean(EcStoreTransactionManager.class));
  private final List<Integer> completions = new ArrayList<>();

  @AfterEach
  void close() {
    fixture.close();
  }

  private Optional<Long> balance(String name) {
    return fixture.store.read(snapshot -> snapshot.get(BALANCES, Tuple.of(name)));
  }

  private int commits() {
    return fixture.cluster.requests(ClientRequest.Commit.class).size();
  }

  private void noteCompletion() {
    TransactionSynchronizationManager.registerSynchronization(
        new TransactionSynchronization() {
          @Override
          public void afterCompletion(int status) {
            completions.add(status);
          }
        });
  }

  private static void assertThreadHasNothing() {
    assertFalse(TransactionSynchronizationManager.isSynchronizationActive());
    assertFalse(TransactionSynchronizationManager.isActualTransactionActive());
    assertTrue(TransactionSynchronizationManager.getResourceMap().isEmpty());
  }

  // ---- one commit at a time

  /** A pool with one connection would have each wait for those around the others. */
  @Test
  void transactionsOfTheirOwnWithinOthersNeedNoSecondConnection() throws Exception {
    CyclicBarrier all = new CyclicBarrier(TOGETHER);
    ExecutorService threads = Executors.newFixedThreadPool(TOGETHER);
    try {
      List<Future<?>> working = new ArrayList<>();
      for (int i = 0; i < TOGETHER; i++) {
        String name = "account " + i;
        working.add(
            threads.submit(
                () -> {
                  template.executeWithoutResult(
                      status -> {
                        tx.put(BALANCES, Tuple.of(name), 1L);
                        meet(all);
                        accounts.putAnyway(name + " own");
                        meet(all);
                      });
                  return null;
                }));
      }
      for (Future<?> one : working) {
        one.get(60, TimeUnit.SECONDS);
      }
    } finally {
      threads.shutdownNow();
    }
    for (int i = 0; i < TOGETHER; i++) {
      assertEquals(Optional.of(1L), balance("account " + i));
      assertEquals(Optional.of(1L), balance("account " + i + " own"));
    }
  }

  private static void meet(CyclicBarrier all) {
    try {
      all.await(60, TimeUnit.SECONDS);
    } catch (Exception e) {
      throw new IllegalStateException("the others are not in their transactions", e);
    }
  }

  // ---- a timeout

  /** The second of the transaction, by the clock that Spring has. */
  private static void letItPass() {
    Awaitility.await().pollDelay(Duration.ofMillis(1_100)).until(() -> true);
  }

  @Test
  void aTimeoutThatRunsOutEndsTheTransactionAndIsNotRunAgain() {
    assertThrows(
        TransactionTimedOutException.class,
        () ->
            accounts.putWithinASecond(
                "a",
                () -> {
                  noteCompletion();
                  letItPass();
                },
                () -> {}));
    assertThrows(
        UnexpectedRollbackException.class,
        () ->
            accounts.putWithinASecond(
                "a", () -> noteCompletion(), TransactionLimitsTest::letItPass));
    assertEquals(
        List.of(
            TransactionSynchronization.STATUS_ROLLED_BACK,
            TransactionSynchronization.STATUS_ROLLED_BACK),
        completions);
    assertEquals(2, runs.runs.get());
    assertEquals(0, commits());
    assertThreadHasNothing();
    accounts.putWithinASecond("a", () -> {}, () -> {});
    assertEquals(Optional.of(2L), balance("a"));
  }

  /** What was sent may be done: to say that it is undone would have it done twice. */
  @Test
  void aTimeoutThatRunsOutWhileTheCommitIsUnderWayIsAnUnknownOutcome() {
    fixture.cluster.plan(
        (address, request) ->
            request instanceof ClientRequest.Commit || request instanceof ClientRequest.AskOutcome
                ? new Fault.SlowReply()
                : new Fault.None());
    assertThrows(
        UnknownTransactionOutcomeException.class,
        () -> accounts.putWithinASecond("a", () -> noteCompletion(), () -> {}));
    assertEquals(List.of(TransactionSynchronization.STATUS_UNKNOWN), completions);
    assertEquals(1, runs.runs.get());
    assertEquals(1, commits());
    fixture.cluster.plan((address, request) -> new Fault.None());
    assertEquals(Optional.of(2L), balance("a"));
  }

  // ---- read-only

  @Test
  void whatJoinsAReadOnlyTransactionWritesNothingEither() {
    template.setReadOnly(true);
    assertThrows(
        WrongArgumentException.class,
        () -> template.executeWithoutResult(status -> accounts.put("a", 1)));
    assertThrows(
        WrongArgumentException.class,
        () ->
            template.executeWithoutResult(
                status -> fixture.store.deleteRange(BALANCES, TupleRange.all())));
    template.executeWithoutResult(
        status -> {
          accounts.putAnyway("own");
          assertThrows(WrongArgumentException.class, () -> tx.put(BALANCES, Tuple.of("after"), 1L));
        });
    assertEquals(Optional.empty(), balance("a"));
    assertEquals(Optional.of(1L), balance("own"));
    assertEquals(Optional.empty(), balance("after"));
    assertThreadHasNothing();
  }

  /** As everywhere in Spring: what joins has what the one around it has. */
  @Test
  void aReadOnlyMethodThatJoinsDoesNotStopTheOneAround() {
    template.executeWithoutResult(
        status -> {
          tx.put(BALANCES, Tuple.of("a"), 1L);
          assertEquals(1, accounts.read("a"));
          tx.put(BALANCES, Tuple.of("b"), 1L);
        });
    assertEquals(Optional.of(1L), balance("b"));
  }

  // ---- a store that is closed

  @Test
  void onAClosedStoreNoTransactionBegins() {
    fixture.store.close();
    DataAccessResourceFailureException closed =
        assertThrows(DataAccessResourceFailureException.class, () -> accounts.putCounted("a"));
    assertInstanceOf(ClosedException.class, closed.getCause());
    assertEquals(0, runs.runs.get());
    assertThreadHasNothing();
  }

  @Test
  void oneThatIsClosedBeforeTheCommitHasDoneNothing() {
    DataAccessResourceFailureException closed =
        assertThrows(
            DataAccessResourceFailureException.class,
            () ->
                template.executeWithoutResult(
                    status -> {
                      noteCompletion();
                      tx.put(BALANCES, Tuple.of("a"), 1L);
                      fixture.store.close();
                    }));
    assertInstanceOf(ClosedException.class, closed.getCause());
    assertEquals(List.of(TransactionSynchronization.STATUS_ROLLED_BACK), completions);
    assertEquals(0, commits());
    assertThreadHasNothing();
  }

  @Test
  void onAClosedStoreTheApplicationsOwnFailureIsNotHidden() {
    assertThrows(
        ArithmeticException.class,
        () ->
            template.executeWithoutResult(
                status -> {
                  tx.put(BALANCES, Tuple.of("a"), 1L);
                  fixture.store.close();
                  throw new ArithmeticException("the application's own");
                }));
    assertThreadHasNothing();
  }

  @Test
  void oneThatIsClosedDuringTheCommitMayHaveDoneIt() {
    fixture.cluster.plan(
        (address, request) -> {
          if (request instanceof ClientRequest.Commit) {
            fixture.store.close();
            return new Fault.LoseReply();
          }
          return new Fault.None();
        });
    assertThrows(UnknownTransactionOutcomeException.class, () -> accounts.putCounted("a"));
    assertEquals(1, runs.runs.get());
    assertThreadHasNothing();
  }
}
