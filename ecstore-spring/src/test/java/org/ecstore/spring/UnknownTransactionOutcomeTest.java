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
import java.util.concurrent.atomic.AtomicBoolean;
import org.ecstore.client.EcStore;
import org.ecstore.client.Transaction;
import org.ecstore.client.error.UnknownOutcomeException;
import org.ecstore.client.fake.Fault;
import org.ecstore.key.Tuple;
import org.ecstore.protocol.ClientRequest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.dao.OptimisticLockingFailureException;
import org.springframework.transaction.TransactionSystemException;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** A commit by {@code @Transactional} whose outcome is not known: once, twice, or not at all. */
class UnknownTransactionOutcomeTest {
  /** Deposits that are done once, as the guide on outcomes that are not known shows them. */
  static class Deposits {
    private final EcStore store;

    Deposits(EcStore store) {
      this.store = store;
    }

    @Transactional
    @RetryOnConflict
    public boolean deposit(String requestId, String account, long amount) {
      return store.execute(
          requestId,
          tx -> tx.upsert(BALANCES, Tuple.of(account), balance -> balance.orElse(0L) + amount));
    }
  }

  /** What calls them. */
  static class Counter {
    private final Deposits deposits;

    Counter(Deposits deposits) {
      this.deposits = deposits;
    }

    void accept(String requestId, String account, long amount) {
      try {
        deposits.deposit(requestId, account, amount);
      } catch (UnknownTransactionOutcomeException e) {
        // It is done, or it is not: what is done under a name is not done again.
        deposits.deposit(requestId, account, amount);
      }
    }
  }

  @Configuration(proxyBeanMethods = false)
  @Import(Accounts.Application.class)
  static class Application {
    @Bean
    Deposits deposits(EcStore store) {
      return new Deposits(store);
    }
  }

  private static final Fault.Plan NONE = (address, request) -> new Fault.None();

  /** Nothing that is asked of a commit arrives: it is not done. */
  private static final Fault.Plan COMMITS_LOST =
      (address, request) ->
          request instanceof ClientRequest.Commit || request instanceof ClientRequest.AskOutcome
              ? new Fault.LoseRequest()
              : new Fault.None();

  private final SpringFixture fixture = new SpringFixture(Application.class);
  private final Accounts accounts = fixture.context.getBean(Accounts.class);
  private final Accounts.Runs runs = fixture.context.getBean(Accounts.Runs.class);
  private final Transaction tx = fixture.context.getBean(Transaction.class);
  private final EcStoreTransactionManager manager =
      fixture.context.getBean(EcStoreTransactionManager.class);

  @AfterEach
  void close() {
    fixture.close();
  }

  private Optional<Long> balance(String name) {
    return fixture.store.read(snapshot -> snapshot.get(BALANCES, Tuple.of(name)));
  }

  private List<ClientRequest.Commit> commits() {
    return fixture.cluster.requests(ClientRequest.Commit.class);
  }

  @Test
  void theCallerSeesWhichTransactionItIsAndWhatToDo() {
    fixture.cluster.plan(Fault.Plan.outcomesLost());
    UnknownTransactionOutcomeException unknown =
        assertThrows(UnknownTransactionOutcomeException.class, () -> accounts.put("a", 1));
    assertInstanceOf(TransactionSystemException.class, unknown);
    UnknownOutcomeException cause =
        assertInstanceOf(UnknownOutcomeException.class, unknown.getCause());
    assertEquals(cause.transaction(), unknown.transaction());
    assertEquals(commits().get(0).txn(), unknown.transaction());
    assertTrue(unknown.toString().contains("under an idempotency key"), unknown::toString);
  }

  @Test
  void itIsNotRunAgain() {
    for (Fault.Plan plan : List.of(Fault.Plan.outcomesLost(), COMMITS_LOST)) {
      int before = commits().size();
      runs.runs.set(0);
      fixture.cluster.plan(plan);
      assertThrows(
          UnknownTransactionOutcomeException.class, () -> accounts.putCounted("a" + before));
      assertEquals(1, runs.runs.get());
      assertEquals(1, commits().size() - before);
      fixture.cluster.plan(NONE);
    }
    assertEquals(List.of(), runs.told);
    assertEquals(Optional.of(1L), balance("a0"));
    assertEquals(Optional.empty(), balance("a1"));
  }

  /** The thread has nothing left of it. */
  @Test
  void theNextTransactionIsAnOrdinaryOne() {
    fixture.cluster.plan(Fault.Plan.outcomesLost());
    assertThrows(UnknownTransactionOutcomeException.class, () -> accounts.put("a", 1));
    fixture.cluster.plan(NONE);
    assertTrue(TransactionSynchronizationManager.getResourceMap().isEmpty());
    runs.overtaken.set(1);
    assertEquals(101, accounts.overtaken("b"));
    fixture.store.execute(own -> own.put(BALANCES, Tuple.of("c"), 1L));
    assertEquals(Optional.of(1L), balance("c"));
  }

  /** Whatever the application has set: what may be done is not told as undone. */
  @Test
  void whatIsRegisteredWithItIsToldThatItIsUnknown() {
    for (boolean rollback : new boolean[] {false, true}) {
      manager.setRollbackOnCommitFailure(rollback);
      List<Integer> completions = new ArrayList<>();
      fixture.cluster.plan(Fault.Plan.outcomesLost());
      assertThrows(
          UnknownTransactionOutcomeException.class,
          () ->
              new TransactionTemplate(manager)
                  .executeWithoutResult(
                      status -> {
                        tx.put(BALANCES, Tuple.of("a"), 1L);
                        TransactionSynchronizationManager.registerSynchronization(
                            new TransactionSynchronization() {
                              @Override
                              public void afterCompletion(int status) {
                                completions.add(status);
                              }
                            });
                      }));
      assertEquals(List.of(TransactionSynchronization.STATUS_UNKNOWN), completions);
      fixture.cluster.plan(NONE);
      accounts.put("b", 1);
    }
  }

  /** What is not known to have done nothing is not done again with what conflicts behind it. */
  @Test
  void whatMayHaveBeenDoneIsNotDoneAgainForAConflictBehindIt() {
    fixture.cluster.plan(Fault.Plan.outcomesLost());
    runs.overtaken.set(2);
    assertThrows(
        OptimisticLockingFailureException.class,
        () -> accounts.goOnAfterUnknown(accounts, "a", () -> fixture.cluster.plan(NONE)));
    assertEquals(Optional.of(1L), balance("a-first"));

    fixture.cluster.plan(Fault.Plan.outcomesLost());
    runs.runs.set(0);
    assertThrows(
        OptimisticLockingFailureException.class,
        () -> accounts.goOnAfterUnknownWithin(accounts, "b", () -> fixture.cluster.plan(NONE)));
    assertEquals(Optional.of(1L), balance("b-first"));
  }

  /** The one around is known to have done nothing, and says what was thrown in it. */
  @Test
  void anUnknownPartDoesNotMakeTheOneAroundUnknown() {
    AtomicBoolean unknown = new AtomicBoolean();
    new TransactionTemplate(manager)
        .executeWithoutResult(
            status -> {
              tx.put(BALANCES, Tuple.of("around"), 1L);
              fixture.cluster.plan(Fault.Plan.outcomesLost());
              try {
                accounts.putAnyway("within");
              } catch (UnknownTransactionOutcomeException e) {
                unknown.set(true);
              }
              fixture.cluster.plan(NONE);
            });
    assertTrue(unknown.get());
    assertEquals(Optional.of(1L), balance("around"));
  }

  @Test
  void askedAgainUnderItsNameItIsDoneOnce() {
    Deposits deposits = fixture.context.getBean(Deposits.class);
    for (boolean isDone : new boolean[] {true, false}) {
      String request = "request " + isDone;
      String account = "account " + isDone;
      fixture.cluster.plan(isDone ? Fault.Plan.outcomesLost() : COMMITS_LOST);
      assertThrows(
          UnknownTransactionOutcomeException.class, () -> deposits.deposit(request, account, 100));
      fixture.cluster.plan(NONE);
      assertEquals(!isDone, deposits.deposit(request, account, 100));
      assertFalse(deposits.deposit(request, account, 100));
      assertEquals(Optional.of(100L), balance(account));
    }
  }

  /** As the guide has it: the first commit is done, and the caller hears nothing of it. */
  @Test
  void theCallerOfTheGuideIsRight() {
    Counter counter = new Counter(fixture.context.getBean(Deposits.class));
    AtomicBoolean isLost = new AtomicBoolean();
    List<ClientRequest.Commit> before = commits();
    fixture.cluster.plan(
        (address, request) -> {
          boolean isFirst = commits().size() <= before.size() + 1;
          boolean lost =
              isFirst
                  && (request instanceof ClientRequest.Commit
                      || request instanceof ClientRequest.AskOutcome);
          isLost.compareAndSet(false, lost);
          return lost
              ? request instanceof ClientRequest.Commit
                  ? new Fault.LoseReply()
                  : new Fault.LoseRequest()
              : new Fault.None();
        });
    counter.accept("request", "alice", 100);
    assertTrue(isLost.get());
    assertEquals(Optional.of(100L), balance("alice"));
    assertEquals(1, commits().size() - before.size());
  }
}
