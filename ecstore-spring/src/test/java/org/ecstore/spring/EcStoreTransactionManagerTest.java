package org.ecstore.spring;

import static org.ecstore.spring.SpringFixture.BALANCES;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.ecstore.client.Transaction;
import org.ecstore.client.error.ConflictException;
import org.ecstore.client.error.ErrorCode;
import org.ecstore.client.error.WrongArgumentException;
import org.ecstore.key.Tuple;
import org.ecstore.model.Isolation;
import org.ecstore.protocol.ClientRequest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.dao.OptimisticLockingFailureException;
import org.springframework.transaction.CannotCreateTransactionException;
import org.springframework.transaction.IllegalTransactionStateException;
import org.springframework.transaction.NestedTransactionNotSupportedException;
import org.springframework.transaction.TransactionTimedOutException;
import org.springframework.transaction.UnexpectedRollbackException;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** What {@code @Transactional} and {@code @RetryOnConflict} mean for a store. */
class EcStoreTransactionManagerTest {
  private final SpringFixture fixture = new SpringFixture(Accounts.Application.class);
  private final Accounts accounts = fixture.context.getBean(Accounts.class);
  private final Accounts.Runs runs = fixture.context.getBean(Accounts.Runs.class);
  private final Transaction tx = fixture.context.getBean(Transaction.class);
  private final TransactionTemplate template =
      new TransactionTemplate(fixture.context.getBean(EcStoreTransactionManager.class));

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

  @Test
  void theProxyAndTheStoreAreOneTransaction() {
    accounts.put("alice", 100);
    assertEquals(1, commits());
    assertEquals(30, accounts.move("alice", "bob", 30));
    assertEquals(2, commits());
    assertEquals(Optional.of(70L), balance("alice"));
    assertEquals(Optional.of(30L), balance("bob"));
  }

  @Test
  void whatIsThrownRollsBackByTheRulesOfSpring() {
    assertThrows(IllegalStateException.class, () -> accounts.putAndFail("a"));
    assertEquals(Optional.empty(), balance("a"));
    assertThrows(Accounts.Refused.class, () -> accounts.putAndRefuse("b"));
    assertEquals(Optional.of(1L), balance("b"));
    assertThrows(Accounts.Refused.class, () -> accounts.putAndRefuseWhole("c"));
    assertEquals(Optional.empty(), balance("c"));
  }

  @Test
  void afterATransactionTheThreadHasNone() {
    accounts.put("alice", 1);
    IllegalTransactionStateException none =
        assertThrows(
            IllegalTransactionStateException.class, () -> tx.get(BALANCES, Tuple.of("alice")));
    assertTrue(none.toString().contains("@Transactional"), none::toString);
    fixture.store.execute(own -> own.put(BALANCES, Tuple.of("alice"), 2L));
    assertEquals(Optional.of(2L), balance("alice"));
  }

  @Test
  void readOnlyRefusesWritesHoweverTheyCome() {
    assertThrows(WrongArgumentException.class, () -> accounts.putReadingOnly("a"));
    assertThrows(WrongArgumentException.class, () -> accounts.transactReadingOnly("b"));
    assertEquals(0, commits());
  }

  @Test
  void aTransactionOfItsOwnStaysWhateverBecomesOfTheOneAround() {
    assertThrows(
        IllegalStateException.class,
        () ->
            template.executeWithoutResult(
                status -> {
                  tx.put(BALANCES, Tuple.of("around"), 1L);
                  accounts.putAnyway("own");
                  accounts.outside("outside");
                  tx.put(BALANCES, Tuple.of("after"), 1L);
                  throw new IllegalStateException("the one around fails");
                }));
    assertEquals(Optional.of(1L), balance("own"));
    assertEquals(Optional.of(2L), balance("outside"));
    assertEquals(Optional.empty(), balance("around"));
    assertEquals(Optional.empty(), balance("after"));
  }

  @Test
  void aSavepointIsRefused() {
    template.executeWithoutResult(
        status -> assertThrows(NestedTransactionNotSupportedException.class, accounts::nested));
    assertEquals(0, runs.runs.get());
  }

  @Test
  void isolationIsWhatTheMethodSays() {
    accounts.putByWhatWasRead("a");
    accounts.put("b", 1);
    List<ClientRequest.Commit> commits = fixture.cluster.requests(ClientRequest.Commit.class);
    assertEquals(Isolation.SNAPSHOT, commits.get(0).isolation());
    assertEquals(Isolation.SERIALIZABLE, commits.get(1).isolation());
  }

  @Test
  void aConflictIsSpringsAndHasDoneNothing() {
    OptimisticLockingFailureException failure =
        assertThrows(
            OptimisticLockingFailureException.class, () -> accounts.overtakenWithoutRetry("a"));
    assertInstanceOf(ConflictException.class, failure.getCause());
    assertEquals(Optional.of(100L), balance("a"));
  }

  @Test
  void aConflictIsMetWithAnotherTry() {
    runs.overtaken.set(2);
    assertEquals(201, accounts.overtaken("a"));
    assertEquals(3, runs.runs.get());
    assertEquals(List.of(ErrorCode.CONFLICT, ErrorCode.CONFLICT), runs.told);
    assertEquals(Optional.of(201L), balance("a"));
  }

  @Test
  void whatHasCommittedSomethingIsNotRunAgain() {
    runs.overtaken.set(Integer.MAX_VALUE);
    assertThrows(OptimisticLockingFailureException.class, () -> accounts.inTwoParts(accounts, "a"));
    assertEquals(Optional.of(1L), balance("a-first"));
    runs.runs.set(0);
    assertThrows(OptimisticLockingFailureException.class, () -> accounts.failAfterCommit("b"));
    assertEquals(1, runs.runs.get());
    assertEquals(Optional.of(1L), balance("b"));
  }

  @Test
  void nothingThatWasCommittedMeanwhileIsDoneAgain() {
    runs.overtaken.set(Integer.MAX_VALUE);
    assertThrows(
        OptimisticLockingFailureException.class, () -> accounts.inManyParts(accounts, "a"));
    assertEquals(Optional.of(1L), balance("a-1"));
    assertEquals(2, runs.runs.get());
  }

  @Test
  void whatHasOnlyReadBeforeIsRunAgain() {
    runs.overtaken.set(1);
    accounts.readAndThenWrite(accounts, "a");
    assertEquals(2, runs.runs.get());
    assertEquals(Optional.of(101L), balance("a"));
  }

  /** As listeners of events behind a commit have it: an ordinary transaction, and run again. */
  @Test
  void behindItsEndAnotherTransactionBegins() {
    template.executeWithoutResult(
        status ->
            TransactionSynchronizationManager.registerSynchronization(
                new TransactionSynchronization() {
                  @Override
                  public void afterCompletion(int status) {
                    assertThrows(IllegalStateException.class, () -> accounts.putAndFail("half"));
                    accounts.put("whole", 1);
                    accounts.overtaken("again");
                  }
                }));
    assertEquals(Optional.empty(), balance("half"));
    assertEquals(Optional.of(1L), balance("whole"));
    assertEquals(Optional.of(101L), balance("again"));
  }

  /** As {@code @TransactionalEventListener} does it. */
  @Test
  void behindItsEndATransactionIsOutOfTheWay() {
    List<Integer> completions = new ArrayList<>();
    template.executeWithoutResult(
        status -> {
          tx.put(BALANCES, Tuple.of("a"), 1L);
          TransactionSynchronizationManager.registerSynchronization(
              new TransactionSynchronization() {
                @Override
                public void afterCommit() {
                  accounts.putAnyway("new");
                  fixture.store.execute(own -> own.put(BALANCES, Tuple.of("own"), 1L));
                }

                @Override
                public void afterCompletion(int status) {
                  completions.add(status);
                  accounts.putAnyway("last");
                }
              });
        });
    for (String name : List.of("a", "new", "own", "last")) {
      assertEquals(Optional.of(1L), balance(name), name);
    }
    assertEquals(List.of(TransactionSynchronization.STATUS_COMMITTED), completions);
    accounts.put("a", 2);
  }

  /** The work of requiresNew may be run again, and the transaction around it is not. */
  @Test
  void theTransactionAroundIsNotUsedWithinWorkOfAnother() {
    template.executeWithoutResult(
        status -> {
          tx.put(BALANCES, Tuple.of("around"), 1L);
          fixture
              .store
              .requiresNew()
              .execute(
                  own -> {
                    assertThrows(
                        IllegalTransactionStateException.class,
                        () -> tx.put(BALANCES, Tuple.of("within"), 1L));
                    assertThrows(
                        IllegalTransactionStateException.class, () -> accounts.put("within", 1));
                    assertThrows(RuntimeException.class, () -> accounts.putAnyway("within"));
                    own.put(BALANCES, Tuple.of("own"), 1L);
                  });
          tx.put(BALANCES, Tuple.of("after"), 1L);
        });
    assertEquals(Optional.empty(), balance("within"));
    assertEquals(Optional.of(1L), balance("own"));
    assertEquals(Optional.of(1L), balance("after"));
    accounts.put("a", 1);
    fixture.store.execute(own -> own.put(BALANCES, Tuple.of("a"), 2L));
  }

  /** A time that is over is no outcome that is not known. */
  @Test
  void aTransactionThatTookTooLongIsRolledBack() {
    List<Integer> completions = new ArrayList<>();
    template.setTimeout(0);
    assertThrows(
        UnexpectedRollbackException.class,
        () ->
            template.executeWithoutResult(
                status ->
                    TransactionSynchronizationManager.registerSynchronization(
                        new TransactionSynchronization() {
                          @Override
                          public void afterCompletion(int status) {
                            completions.add(status);
                          }
                        })));
    assertEquals(List.of(TransactionSynchronization.STATUS_ROLLED_BACK), completions);
  }

  @Test
  void triesAreNotWithoutEnd() {
    runs.overtaken.set(Integer.MAX_VALUE);
    assertThrows(OptimisticLockingFailureException.class, () -> accounts.overtakenThreeTimes("a"));
    assertEquals(3, runs.runs.get());
  }

  /** The one around would be committed with half of it, or run again without it. */
  @Test
  void withinATransactionItIsTheOneAroundThatIsRunAgain() {
    assertThrows(
        OptimisticLockingFailureException.class,
        () -> template.executeWithoutResult(status -> accounts.overtaken("a")));
    assertEquals(1, runs.runs.get());
  }

  @Test
  void nothingIsCommittedWhereAPartHasFailed() {
    assertThrows(IllegalStateException.class, () -> accounts.goOnAfterFailure("a"));
    assertEquals(0, commits());
  }

  @Test
  void whatHasOnlyReadAsksNoNodeToCommit() {
    template.executeWithoutResult(
        status -> assertFalse(tx.get(BALANCES, Tuple.of("a")).isPresent()));
    assertEquals(0, commits());
    template.executeWithoutResult(status -> {});
    assertEquals(0, commits());
  }

  @Test
  void anotherThanTheStoresOwnTransactIsNotBegunWithinIt() {
    CannotCreateTransactionException refused =
        assertThrows(
            CannotCreateTransactionException.class,
            () -> fixture.store.execute(own -> accounts.put("a", 1)));
    assertTrue(refused.toString().contains("call it outside"), refused::toString);
    accounts.put("a", 1);
  }

  private long commitsOf(String application) {
    return fixture.cluster.requestsOf(application).stream()
        .filter(ClientRequest.Commit.class::isInstance)
        .count();
  }

  @Test
  void aManagerOfAnotherApplicationHasItsTransactionsCountedAsThat() {
    TransactionTemplate reports =
        new TransactionTemplate(new EcStoreTransactionManager(fixture.store, "reports"));
    reports.executeWithoutResult(
        status -> {
          tx.put(BALANCES, Tuple.of("a"), 1L);
          fixture.store.execute(joined -> joined.put(BALANCES, Tuple.of("b"), 2L));
          accounts.put("c", 3);
        });
    assertEquals(1, commitsOf("reports"));
    assertEquals(0, commitsOf(""));
    assertEquals(Optional.of(3L), balance("c"));
    template.executeWithoutResult(
        status -> reports.executeWithoutResult(joined -> tx.put(BALANCES, Tuple.of("a"), 4L)));
    assertEquals(1, commitsOf("reports"));
    assertEquals(1, commitsOf(""));
  }

  @Test
  void rollbackOnlyIsForAllThatTakePart() {
    template.executeWithoutResult(
        status -> {
          accounts.put("a", 1);
          status.setRollbackOnly();
        });
    assertEquals(0, commits());
  }

  @Test
  void aTimeThatIsOverEndsTheTransaction() {
    template.setTimeout(0);
    assertThrows(
        TransactionTimedOutException.class,
        () -> template.executeWithoutResult(status -> tx.put(BALANCES, Tuple.of("a"), 1L)));
    assertEquals(0, commits());
  }
}
