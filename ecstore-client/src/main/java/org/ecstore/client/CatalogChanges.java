package org.ecstore.client;

import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.LongConsumer;
import org.ecstore.client.error.CatalogChangedException;
import org.ecstore.client.error.EcStoreException;
import org.ecstore.client.retry.Deadline;
import org.ecstore.client.retry.RerunRules;
import org.ecstore.client.routing.SessionToken;
import org.ecstore.client.routing.TimeLimit;
import org.ecstore.client.session.Backend;
import org.ecstore.client.session.BytesTransaction;
import org.ecstore.model.CatalogStamp;
import org.ecstore.model.Isolation;
import org.ecstore.model.ReadLevel;

/**
 * Changes of the catalog: serializable transactions that read the version and write the next one.
 * The commit names the version that was read, and says that it begins another (rule 27). Safe for
 * use by several threads.
 */
final class CatalogChanges {
  private final OpenStore store;
  private final Backend backend;
  private final EcStoreOptions options;
  private final SessionToken seen;

  /**
   * @param seen takes in what was committed
   */
  CatalogChanges(OpenStore store, EcStoreOptions options, SessionToken seen) {
    this.store = store;
    this.seen = seen;
    this.backend = store.backend();
    this.options = options;
  }

  /**
   * Runs a change until it is committed. What comes of it is known to this client then. If the
   * record of the version was overwritten, the ledger's version stands: it is what a refusal names.
   */
  TableDescription change(Function<TypedTransaction, TableDescription> change) {
    long[] told = {-1};
    TableDescription changed =
        run(
            tx -> {
              long version =
                  told[0] >= 0
                      ? told[0]
                      : tx.get(CatalogKeys.VERSIONS, CatalogKeys.VERSION).orElse(0L);
              tx.catalog(new CatalogStamp(version, true));
              TableDescription next = change.apply(tx);
              tx.put(CatalogKeys.VERSIONS, CatalogKeys.VERSION, version + 1);
              return next;
            },
            newest -> told[0] = newest);
    var unused = store.catalog().newest();
    return changed;
  }

  /**
   * Runs a transaction whose writes are held against no catalog, until it is committed.
   *
   * @param told is given the version that a refusal named
   */
  private <T> T run(Function<TypedTransaction, T> work, LongConsumer told) {
    store.running().mustNotRun("a change of the catalog");
    Deadline deadline = Deadline.after(backend.cluster().time().nanos(), options.deadline());
    RerunRules rules = new RerunRules(backend.cluster().backoff(), deadline);
    while (true) {
      BytesTransaction raw =
          backend.transaction(
              ReadLevel.STRONG,
              Isolation.SERIALIZABLE,
              seen,
              new TimeLimit(options.deadline(), Optional.of(deadline)));
      TypedTransaction tx = new TypedTransaction(raw, store, CatalogVersion.NONE, seen);
      try {
        T result = work.apply(tx);
        tx.commit();
        return result;
      } catch (EcStoreException failure) {
        if (failure instanceof CatalogChangedException changed) {
          told.accept(changed.version());
        }
        var time = backend.cluster().time();
        OptionalLong delay = rules.afterFailure(failure, time.nanos(), time.random());
        if (delay.isEmpty() || !time.pause(delay.getAsLong())) {
          throw failure;
        }
        backend.counters().retried();
      } finally {
        raw.rollback();
      }
    }
  }
}
