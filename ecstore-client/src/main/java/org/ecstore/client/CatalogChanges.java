package org.ecstore.client;

import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import org.ecstore.client.error.EcStoreException;
import org.ecstore.client.retry.Deadline;
import org.ecstore.client.retry.RerunRules;
import org.ecstore.client.routing.SessionToken;
import org.ecstore.client.routing.TimeLimit;
import org.ecstore.client.session.Backend;
import org.ecstore.client.session.BytesTransaction;
import org.ecstore.id.ReadPoint;
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

  CatalogChanges(OpenStore store, EcStoreOptions options) {
    this.store = store;
    this.backend = store.backend();
    this.options = options;
  }

  /** Runs a change until it is committed. What comes of it is known to this client then. */
  TableDescription change(Function<TypedTransaction, TableDescription> change) {
    TableDescription changed =
        run(
            tx -> {
              long version = tx.get(CatalogKeys.VERSIONS, CatalogKeys.VERSION).orElse(0L);
              tx.catalog(new CatalogStamp(version, true));
              TableDescription next = change.apply(tx);
              tx.put(CatalogKeys.VERSIONS, CatalogKeys.VERSION, version + 1);
              return next;
            });
    var unused = store.catalog().newest();
    return changed;
  }

  /** Runs a transaction whose writes are held against no catalog, until it is committed. */
  <T> T run(Function<TypedTransaction, T> work) {
    store.running().mustNotRun("a change of the catalog");
    Deadline deadline = Deadline.after(backend.cluster().time().nanos(), options.deadline());
    RerunRules rules = new RerunRules(backend.cluster().backoff(), deadline);
    while (true) {
      BytesTransaction raw =
          backend.transaction(
              ReadLevel.STRONG,
              Isolation.SERIALIZABLE,
              new SessionToken(ReadPoint.ZERO),
              new TimeLimit(options.deadline(), Optional.of(deadline)));
      TypedTransaction tx = new TypedTransaction(raw, store, CatalogVersion.NONE);
      try {
        T result = work.apply(tx);
        tx.commit();
        return result;
      } catch (EcStoreException failure) {
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
