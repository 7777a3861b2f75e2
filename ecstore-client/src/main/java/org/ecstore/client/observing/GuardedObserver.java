package org.ecstore.client.observing;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.ecstore.client.copies.AnsweredBy;
import org.ecstore.client.error.EcStoreException;
import org.ecstore.client.observe.Observed;
import org.ecstore.client.observe.OperationKind;
import org.ecstore.client.observe.StoreObserver;
import org.ecstore.client.observe.TraceParent;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps what an observer throws from the operation that it is told of, what it lacks on the class
 * path included. Thread-safe.
 */
final class GuardedObserver implements StoreObserver {
  private static final Logger LOG = LoggerFactory.getLogger(GuardedObserver.class);

  private final StoreObserver observer;
  private final AtomicBoolean told = new AtomicBoolean();

  private final boolean wantsOperations;

  GuardedObserver(StoreObserver observer) {
    this.observer = observer;
    this.wantsOperations = guarded(observer::wantsOperations, false);
  }

  @Override
  public boolean wantsOperations() {
    return wantsOperations;
  }

  @Override
  public Observed begin(OperationKind kind, Optional<String> table) {
    Observed observed = guarded(() -> observer.begin(kind, table), Observed.IGNORED);
    return failure -> guarded(() -> observed.ended(failure));
  }

  @Override
  public void rerun(EcStoreException failure) {
    guarded(() -> observer.rerun(failure));
  }

  @Override
  public void committed() {
    guarded(observer::committed);
  }

  @Override
  public void leftUnknown() {
    guarded(observer::leftUnknown);
  }

  @Override
  public void answered(AnsweredBy by) {
    guarded(() -> observer.answered(by));
  }

  @Override
  public Optional<TraceParent> trace() {
    return guarded(observer::trace, Optional.empty());
  }

  private void guarded(Runnable call) {
    try {
      call.run();
    } catch (RuntimeException | LinkageError e) {
      failed(e);
    }
  }

  private <T> T guarded(Supplier<T> call, T otherwise) {
    try {
      return call.get();
    } catch (RuntimeException | LinkageError e) {
      failed(e);
      return otherwise;
    }
  }

  private void failed(Throwable failure) {
    if (told.compareAndSet(false, true)) {
      LOG.warn("an observer of the store failed; further failures of it are not told", failure);
    }
  }
}
