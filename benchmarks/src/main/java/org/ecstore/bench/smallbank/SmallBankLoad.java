package org.ecstore.bench.smallbank;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.ecstore.bench.load.Load;
import org.ecstore.bench.load.LoadOutcome;
import org.ecstore.bench.store.EcStoreDb;
import org.ecstore.bench.store.EcStoreTarget;
import org.ecstore.bench.store.Target;
import org.ecstore.client.EcStore;
import org.ecstore.client.Session;
import org.ecstore.client.TransactionWork;
import org.ecstore.client.error.EcStoreException;
import org.ecstore.client.error.UnknownOutcomeException;
import org.ecstore.model.Isolation;
import org.ecstore.model.ReadLevel;
import site.ycsb.DBException;

/**
 * SmallBank on ecStore, which alone of the stores here has transactions that this takes. To be run
 * once; then {@link #verdict} looks at what was done, warm-up and all.
 */
public final class SmallBankLoad implements Load, AutoCloseable {
  private static final long AMOUNT_MAX = 100;
  private static final long KEPT_MAX = 1_000_000;
  private static final Procedure[] PROCEDURES = Procedure.values();

  private final EcStore store;
  private final Session settings;
  private final ReadLevel level;
  private final Isolation isolation;
  private final Customers customers;
  private final BankHistory history = new BankHistory(KEPT_MAX);
  private final AtomicLong opened = new AtomicLong();

  /** Ids begin anywhere, so that those of earlier runs on the same accounts are others. */
  private final AtomicLong transactions =
      new AtomicLong(new SplittableRandom().nextLong(1, Long.MAX_VALUE / 2));

  private OptionalLong before = OptionalLong.empty();

  /**
   * On a store.
   *
   * @throws IllegalArgumentException if it is another than ecStore
   */
  public SmallBankLoad(Target target, Customers customers) throws DBException {
    if (!(target instanceof EcStoreTarget ecstore)) {
      throw new IllegalArgumentException(
          "smallbank needs transactions with reads that decide on writes, which only ecstore offers"
              + " here, and not "
              + target.name());
    }
    this.customers = customers;
    this.level = EcStoreDb.level(ecstore.properties().getProperty(EcStoreDb.LEVEL));
    this.isolation = EcStoreDb.isolation(ecstore.properties().getProperty(EcStoreDb.ISOLATION));
    this.store = EcStore.connect(ecstore.properties().getProperty(EcStoreDb.ADDRESSES));
    this.settings = store.with(ReadLevel.STRONG);
  }

  /** Opens accounts until all customers have theirs; to be called by several threads. */
  public void open(Runnable done) {
    for (long i = opened.getAndIncrement(); i < customers.count(); i = opened.getAndIncrement()) {
      long customer = i;
      store.execute(tx -> Bank.open(tx, customer));
      done.run();
    }
  }

  @Override
  public synchronized Client client(int number, int clients) {
    if (before.isEmpty()) {
      before = OptionalLong.of(Bank.total(Bank.accounts(settings)));
    }
    Session session = store.session().with(level).with(isolation);
    SplittableRandom random = new SplittableRandom();
    return () -> {
      Procedure procedure = PROCEDURES[random.nextInt(PROCEDURES.length)];
      long customer = customers.next(random);
      long other = customers.next(random);
      if (other == customer) {
        other = (customer + 1) % customers.count();
      }
      return next(session, procedure, customer, other, random.nextLong(1, AMOUNT_MAX + 1));
    };
  }

  private LoadOutcome next(
      Session session, Procedure procedure, long customer, long other, long amount) {
    long id = transactions.incrementAndGet();
    List<Done> tried = new ArrayList<>(1);
    try {
      Done done =
          switch (procedure) {
            case BALANCE -> session.read(snapshot -> Bank.balance(snapshot, id, customer));
            case DEPOSIT_CHECKING ->
                transact(session, tried, tx -> Bank.depositChecking(tx, id, customer, amount));
            case TRANSACT_SAVINGS -> {
              // Every other one takes.
              long signed = id % 2 == 0 ? amount : -amount;
              yield transact(session, tried, tx -> Bank.transactSavings(tx, id, customer, signed));
            }
            case AMALGAMATE ->
                transact(session, tried, tx -> Bank.amalgamate(tx, id, customer, other));
            case WRITE_CHECK ->
                transact(session, tried, tx -> Bank.writeCheck(tx, id, customer, amount));
          };
      history.committed(done);
      return new LoadOutcome(
          procedure.title(), done.records(), Math.max(0, tried.size() - 1), Optional.empty());
    } catch (UnknownOutcomeException e) {
      if (!tried.isEmpty()) {
        history.unsettled(tried.getLast());
      }
      return failed(procedure, tried, e);
    } catch (EcStoreException e) {
      return failed(procedure, tried, e);
    }
  }

  private static LoadOutcome failed(Procedure procedure, List<Done> tried, EcStoreException e) {
    return new LoadOutcome(
        procedure.title(), 0, Math.max(0, tried.size() - 1), Optional.of(e.code().name()));
  }

  private static Done transact(
      Session session, List<Done> tried, TransactionWork<Done, RuntimeException> work) {
    return session.transact(
        tx -> {
          Done done = work.run(tx);
          tried.add(done);
          return done;
        });
  }

  /** Whether what was done since the first client was made is as it should be. */
  public synchronized BankVerdict verdict() {
    return Serializability.of(
        history,
        before.orElseThrow(() -> new IllegalStateException("nothing was done")),
        Bank.accounts(settings));
  }

  /** Whether its transactions should be serializable. */
  public boolean mustBeSerializable() {
    return isolation == Isolation.SERIALIZABLE;
  }

  @Override
  public void close() {
    store.close();
  }
}
