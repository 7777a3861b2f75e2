package org.ecstore.spring;

import static org.ecstore.spring.SpringFixture.BALANCES;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.ecstore.client.EcStore;
import org.ecstore.client.Transaction;
import org.ecstore.client.error.EcStoreException;
import org.ecstore.client.error.ErrorCode;
import org.ecstore.client.error.UnknownOutcomeException;
import org.ecstore.key.Tuple;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Isolation;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** What an application has: methods with {@code @Transactional}, which tests call. */
class Accounts {
  /** Thrown by an application's own work, and declared. */
  static final class Refused extends Exception {
    private static final long serialVersionUID = 1L;
  }

  /** How often methods have run that another transaction overtakes, and how often it does. */
  static final class Runs {
    final AtomicInteger runs = new AtomicInteger();
    final AtomicInteger overtaken = new AtomicInteger(1);
    final List<ErrorCode> told = new ArrayList<>();
  }

  private final EcStore store;
  private final Transaction tx;
  private final Runs runs;

  Accounts(EcStore store, Transaction tx, Runs runs) {
    this.store = store;
    this.tx = tx;
    this.runs = runs;
  }

  @Transactional
  void put(String name, long amount) {
    tx.put(BALANCES, Tuple.of(name), amount);
  }

  /** By the proxy and by the store, in one transaction. */
  @Transactional
  long move(String from, String to, long amount) {
    tx.update(BALANCES, Tuple.of(from), balance -> balance - amount);
    return store.transact(
        joined -> joined.upsert(BALANCES, Tuple.of(to), balance -> balance.orElse(0L) + amount));
  }

  @Transactional
  void putAndFail(String name) {
    tx.put(BALANCES, Tuple.of(name), 1L);
    throw new IllegalStateException("after it has written");
  }

  /** Spring's usual rule: what is declared does not roll back. */
  @Transactional
  void putAndRefuse(String name) throws Refused {
    tx.put(BALANCES, Tuple.of(name), 1L);
    throw new Refused();
  }

  @Transactional(rollbackFor = Refused.class)
  void putAndRefuseWhole(String name) throws Refused {
    tx.put(BALANCES, Tuple.of(name), 1L);
    throw new Refused();
  }

  @Transactional(readOnly = true)
  void putReadingOnly(String name) {
    tx.put(BALANCES, Tuple.of(name), 1L);
  }

  @Transactional(readOnly = true)
  void transactReadingOnly(String name) {
    store.execute(joined -> joined.put(BALANCES, Tuple.of(name), 1L));
  }

  @Transactional(propagation = Propagation.REQUIRES_NEW)
  void putAnyway(String name) {
    tx.put(BALANCES, Tuple.of(name), 1L);
  }

  @Transactional(propagation = Propagation.NESTED)
  void nested() {
    runs.runs.incrementAndGet();
  }

  @Transactional(propagation = Propagation.NOT_SUPPORTED)
  void outside(String name) {
    store.execute(own -> own.put(BALANCES, Tuple.of(name), 2L));
  }

  @Transactional(isolation = Isolation.REPEATABLE_READ)
  void putByWhatWasRead(String name) {
    tx.put(BALANCES, Tuple.of(name), tx.get(BALANCES, Tuple.of("other")).orElse(0L));
  }

  /** Another transaction commits to what was read, before this one does. */
  @Transactional
  @RetryOnConflict
  long overtaken(String name) {
    return overtakenOnce(name);
  }

  @RetryOnConflict(tries = 3)
  @Transactional
  long overtakenThreeTimes(String name) {
    return overtakenOnce(name);
  }

  @Transactional
  long overtakenWithoutRetry(String name) {
    return overtakenOnce(name);
  }

  /** No transaction of its own: its first part is committed before the second one conflicts. */
  @RetryOnConflict
  void inTwoParts(Accounts proxy, String name) {
    proxy.put(name + "-first", runs.runs.incrementAndGet());
    proxy.overtakenWithoutRetry(name);
  }

  /** The first one fails and is caught, others are committed, the last one conflicts. */
  @RetryOnConflict
  void inManyParts(Accounts proxy, String name) {
    runs.runs.incrementAndGet();
    try {
      proxy.putAndFail(name);
    } catch (IllegalStateException e) {
      proxy.put(name + "-" + runs.runs.get(), 1);
    }
    proxy.overtakenWithoutRetry(name);
  }

  /** What only reads does nothing. */
  @RetryOnConflict
  void readAndThenWrite(Accounts proxy, String name) {
    proxy.read(name);
    proxy.overtakenWithoutRetry(name);
  }

  @Transactional(readOnly = true)
  long read(String name) {
    return tx.get(BALANCES, Tuple.of(name)).orElse(0L);
  }

  /** Fails with a conflict behind its commit. */
  @RetryOnConflict
  @Transactional
  void failAfterCommit(String name) {
    runs.runs.incrementAndGet();
    tx.put(BALANCES, Tuple.of(name), 1L);
    TransactionSynchronizationManager.registerSynchronization(
        new TransactionSynchronization() {
          @Override
          public void afterCommit() {
            throw EcStoreExceptions.of(
                new EcStoreException(ErrorCode.CONFLICT, "another transaction's", null));
          }
        });
  }

  /** Counts its runs. */
  @RetryOnConflict
  @Transactional
  void putCounted(String name) {
    runs.runs.incrementAndGet();
    tx.put(BALANCES, Tuple.of(name), 1L);
  }

  /** What its first part came to is not known, and its last one conflicts. */
  @RetryOnConflict
  void goOnAfterUnknown(Accounts proxy, String name, Runnable then) {
    runs.runs.incrementAndGet();
    try {
      store.execute(own -> own.add(BALANCES, Tuple.of(name + "-first"), 1L));
    } catch (UnknownOutcomeException e) {
      then.run();
    }
    proxy.overtakenWithoutRetry(name);
  }

  /** The same, its first part a transaction within the one that conflicts. */
  @RetryOnConflict
  @Transactional
  void goOnAfterUnknownWithin(Accounts proxy, String name, Runnable then) {
    runs.runs.incrementAndGet();
    try {
      proxy.addAnyway(name + "-first");
    } catch (UnknownTransactionOutcomeException e) {
      then.run();
    }
    overtakenOnce(name);
  }

  /** Takes its time between two operations, and before it is committed. */
  @RetryOnConflict
  @Transactional(timeout = 1)
  void putWithinASecond(String name, Runnable between, Runnable atLast) {
    runs.runs.incrementAndGet();
    tx.put(BALANCES, Tuple.of(name), 1L);
    between.run();
    tx.put(BALANCES, Tuple.of(name), 2L);
    atLast.run();
  }

  /** By the thread's transaction and by the store, which joins it, with a wait between them. */
  @Transactional
  long putAndAdd(String name, Runnable between) {
    tx.put(BALANCES, Tuple.of(name), 1L);
    between.run();
    store.execute(joined -> joined.update(BALANCES, Tuple.of(name), balance -> balance + 1));
    return tx.get(BALANCES, Tuple.of(name)).orElseThrow();
  }

  @Transactional(propagation = Propagation.REQUIRES_NEW)
  void addAnyway(String name) {
    tx.add(BALANCES, Tuple.of(name), 1L);
  }

  private long overtakenOnce(String name) {
    long balance = tx.get(BALANCES, Tuple.of(name)).orElse(0L);
    if (runs.runs.incrementAndGet() <= runs.overtaken.get()) {
      store.requiresNew().execute(other -> other.put(BALANCES, Tuple.of(name), balance + 100));
    }
    tx.put(BALANCES, Tuple.of(name), balance + 1);
    return balance + 1;
  }

  /** Catches what failed in a part of it. */
  @Transactional
  void goOnAfterFailure(String name) {
    try {
      store.execute(
          joined -> {
            joined.put(BALANCES, Tuple.of(name), 1L);
            throw new IllegalStateException("half way");
          });
    } catch (IllegalStateException e) {
      tx.put(BALANCES, Tuple.of(name + "-after"), 1L);
    }
  }

  @Configuration(proxyBeanMethods = false)
  @EnableTransactionManagement(proxyTargetClass = true)
  static class Application {
    @Bean
    EcStoreTransactionManager transactions(EcStore store) {
      return new EcStoreTransactionManager(store);
    }

    @Bean
    Transaction transaction(EcStore store) {
      return CurrentTransaction.of(store);
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static RetryOnConflictAdvisor retries(
        ObjectProvider<EcStore> store, ObjectProvider<ThreadCommits> commits, Runs runs) {
      return new RetryOnConflictAdvisor(
          () -> EcStoreTransactionManager.current(store.getObject()) != null,
          commits::getObject,
          failure -> runs.told.add(failure.code()));
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static Runs runs() {
      return new Runs();
    }

    @Bean
    Accounts accounts(EcStore store, Transaction transaction, Runs runs) {
      return new Accounts(store, transaction, runs);
    }
  }
}
