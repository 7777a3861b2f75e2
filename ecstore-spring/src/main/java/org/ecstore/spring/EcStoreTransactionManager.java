package org.ecstore.spring;

import java.time.Duration;
import java.util.Objects;
import org.ecstore.client.EcStore;
import org.ecstore.client.ManualTransaction;
import org.ecstore.client.Session;
import org.ecstore.client.error.EcStoreException;
import org.ecstore.model.Isolation;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.CannotCreateTransactionException;
import org.springframework.transaction.IllegalTransactionStateException;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionTimedOutException;
import org.springframework.transaction.UnexpectedRollbackException;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.ResourceHolderSupport;
import org.springframework.transaction.support.SmartTransactionObject;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Transactions of a store by {@code @Transactional}. Within one, what the thread transacts on the
 * store joins it, and {@link CurrentTransaction} is it.
 *
 * <pre>{@code
 * @Transactional
 * @RetryOnConflict
 * public void move(String from, String to, long amount) {
 *   store.execute(tx -> tx.update(ACCOUNTS, Tuple.of(from), balance -> balance - amount));
 *   store.execute(tx -> tx.update(ACCOUNTS, Tuple.of(to), balance -> balance + amount));
 * }
 * }</pre>
 *
 * <ul>
 *   <li>Isolation: serializable as the store is, or as said: {@code SERIALIZABLE}, and snapshot
 *       isolation for {@code REPEATABLE_READ} and what is weaker;
 *   <li>read-only: writes are refused;
 *   <li>timeout: of the whole transaction, its commit included; if none is given, nor a default one
 *       set, the store's deadline is that of each operation;
 *   <li>propagation: all but {@code NESTED}, as the store has no savepoints. What joins has the
 *       isolation of what is around it, as everywhere in Spring;
 *   <li>once it is committed or rolled back it is over: what the thread transacts in Spring's
 *       callbacks after the completion is by itself;
 *   <li>a transaction that conflicts fails with Spring's {@link
 *       org.springframework.dao.ConcurrencyFailureException}, and has done nothing; one whose
 *       outcome is not known with {@link UnknownTransactionOutcomeException}, and must not be
 *       repeated blindly ({@link EcStoreExceptions}).
 * </ul>
 *
 * <p>The snapshot is of when the transaction first reads. Safe for use by several threads; a
 * transaction belongs to the thread that has begun it.
 */
public final class EcStoreTransactionManager extends AbstractPlatformTransactionManager {
  private static final long serialVersionUID = 1L;

  private final transient EcStore store;
  private final transient Session session;

  /** Transactions of a store, on the store's own session. */
  public EcStoreTransactionManager(EcStore store) {
    this(store, (Session) store);
  }

  /**
   * Transactions of a store whose requests are those of an application, by which nodes count and
   * limit them ({@link Session#application}): for {@code @Transactional("reports")} beside a
   * manager of the store's own, of which one is {@code @Primary}. What begins within a transaction
   * of the other joins it.
   */
  public EcStoreTransactionManager(EcStore store, String application) {
    this(store, store.application(application));
  }

  private EcStoreTransactionManager(EcStore store, Session session) {
    this.store = store;
    this.session = session;
  }

  /** A transaction that is bound to a thread. */
  static final class Holder extends ResourceHolderSupport {
    private final ManualTransaction transaction;
    private ManualTransaction.@Nullable Binding binding;
    private @Nullable UnknownTransactionOutcomeException unknown;
    private boolean ended;

    Holder(ManualTransaction transaction) {
      this.transaction = transaction;
    }

    /**
     * The transaction, for the thread's next operation.
     *
     * @throws TransactionTimedOutException if its time is over
     * @throws IllegalTransactionStateException if the thread runs work of {@code requiresNew()}
     *     within it: what that work writes must not be written here, where it is not run again
     */
    ManualTransaction transaction() {
      checkTime();
      checkCurrent();
      return transaction;
    }

    private void checkCurrent() {
      if (binding != null && !binding.isCurrent()) {
        throw new IllegalTransactionStateException(
            "within the work of requiresNew() the transaction around it is not used: take the"
                + " Transaction that the work is given, or @Transactional(propagation ="
                + " REQUIRES_NEW) in its place");
      }
    }

    private void checkTime() {
      if (hasTimeout()) {
        // Throws if there is none left.
        getTimeToLiveInMillis();
      }
    }

    void bind() {
      if (!ended) {
        binding = transaction.bind();
      }
    }

    void unbind() {
      if (binding != null) {
        binding.close();
        binding = null;
      }
    }

    /** It is committed or not: what the thread transacts from now on is by itself. */
    void end() {
      ended = true;
      unbind();
    }
  }

  /** What Spring holds of a transaction: the same for all that take part in it. */
  private static final class Handle implements SmartTransactionObject {
    private @Nullable Holder holder;

    Holder held() {
      return Objects.requireNonNull(holder, "no transaction has begun");
    }

    @Override
    public boolean isRollbackOnly() {
      return holder != null && holder.isRollbackOnly();
    }

    @Override
    public void flush() {
      // What is written stays in this process until the commit.
    }
  }

  /** The transaction of the calling thread, if it has one. */
  static @Nullable Holder current(EcStore store) {
    return (Holder) TransactionSynchronizationManager.getResource(store);
  }

  @Override
  protected Object doGetTransaction() {
    Handle handle = new Handle();
    handle.holder = current(store);
    if (handle.holder != null) {
      handle.holder.checkCurrent();
    }
    return handle;
  }

  @Override
  protected boolean isExistingTransaction(Object transaction) {
    return ((Handle) transaction).holder != null;
  }

  @Override
  protected void doBegin(Object transaction, TransactionDefinition definition) {
    int timeout = determineTimeout(definition);
    Holder holder;
    try {
      holder = new Holder(begun(definition, timeout));
    } catch (EcStoreException e) {
      Tries.failedToBegin();
      throw EcStoreExceptions.of(e);
    }
    try {
      if (definition.isReadOnly()) {
        holder.transaction.refuseWrites();
      }
      if (timeout != TransactionDefinition.TIMEOUT_DEFAULT) {
        holder.setTimeoutInSeconds(timeout);
      }
      holder.setSynchronizedWithTransaction(true);
      holder.bind();
    } catch (EcStoreException e) {
      holder.transaction.rollback();
      throw new CannotCreateTransactionException(
          "a method with @Transactional is called from within the store's own transact, which"
              + " cannot hand its transaction on: call it outside, or transact in it",
          e);
    }
    TransactionSynchronizationManager.bindResource(store, holder);
    ((Handle) transaction).holder = holder;
    Tries.begun(holder);
  }

  private ManualTransaction begun(TransactionDefinition definition, int timeout) {
    Session isolated =
        switch (definition.getIsolationLevel()) {
          case TransactionDefinition.ISOLATION_DEFAULT -> session;
          case TransactionDefinition.ISOLATION_SERIALIZABLE -> session.with(Isolation.SERIALIZABLE);
          default -> session.with(Isolation.SNAPSHOT);
        };
    return timeout == TransactionDefinition.TIMEOUT_DEFAULT
        ? isolated.beginWithFirstRead()
        : isolated.beginWithFirstRead(
            timeout == 0 ? Duration.ofMillis(1) : Duration.ofSeconds(timeout));
  }

  @Override
  protected void doCommit(DefaultTransactionStatus status) {
    Holder holder = ((Handle) status.getTransaction()).held();
    holder.checkCurrent();
    Tries.End end = Tries.End.NOTHING_DONE;
    try {
      holder.checkTime();
      holder.transaction.commit();
      if (holder.transaction.commitNumber().isPresent()) {
        end = Tries.End.COMMITTED;
      }
    } catch (TransactionTimedOutException e) {
      // Not as it is: Spring would take the outcome for unknown, and nothing was done.
      throw new UnexpectedRollbackException("the transaction took too long", e);
    } catch (EcStoreException e) {
      RuntimeException failure = EcStoreExceptions.ofCommit(e);
      if (failure instanceof UnknownTransactionOutcomeException unknown) {
        end = Tries.End.UNKNOWN;
        holder.unknown = unknown;
      }
      throw failure;
    } finally {
      end(holder, end);
    }
  }

  @Override
  protected void doRollback(DefaultTransactionStatus status) {
    Holder holder = ((Handle) status.getTransaction()).held();
    end(holder, Tries.End.NOTHING_DONE);
    if (holder.unknown != null) {
      // With rollbackOnCommitFailure Spring would tell its synchronizations that it is undone.
      throw holder.unknown;
    }
  }

  /** What Spring calls from now on, as listeners of transactional events, is not in it. */
  private void end(Holder holder, Tries.End end) {
    holder.transaction.rollback();
    if (!holder.ended) {
      Tries.ended(holder, end);
    }
    holder.end();
    unbind(holder);
  }

  private void unbind(Holder holder) {
    if (current(store) == holder) {
      TransactionSynchronizationManager.unbindResource(store);
    }
  }

  @Override
  protected void doSetRollbackOnly(DefaultTransactionStatus status) {
    ((Handle) status.getTransaction()).held().setRollbackOnly();
  }

  @Override
  protected Object doSuspend(Object transaction) {
    Handle handle = (Handle) transaction;
    Holder holder = handle.held();
    // First: where it is refused nothing is changed.
    holder.unbind();
    TransactionSynchronizationManager.unbindResource(store);
    handle.holder = null;
    return holder;
  }

  @Override
  protected void doResume(@Nullable Object transaction, Object suspended) {
    Holder holder = (Holder) suspended;
    TransactionSynchronizationManager.bindResource(store, holder);
    holder.bind();
  }

  @Override
  protected void doCleanupAfterCompletion(Object transaction) {
    Holder holder = ((Handle) transaction).held();
    end(holder, Tries.End.NOTHING_DONE);
    Tries.isOver(holder);
    holder.clear();
  }
}
