package org.ecstore.client.observing;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.ecstore.client.copies.AnsweredBy;
import org.ecstore.client.error.EcStoreException;
import org.ecstore.client.observe.Observed;
import org.ecstore.client.observe.OperationKind;
import org.ecstore.client.observe.StoreObserver;
import org.ecstore.client.observe.TraceParent;

/**
 * The observers of a store as one: each guarded by itself, told in their order, and of the end of
 * operations in reverse.
 */
public final class Observers implements StoreObserver {
  /** None. */
  public static final Observers NONE = new Observers(List.of());

  private final List<StoreObserver> all;
  private final List<StoreObserver> ofOperations;

  private Observers(List<StoreObserver> all) {
    this.all = all;
    this.ofOperations = all.stream().filter(StoreObserver::wantsOperations).toList();
  }

  /** These and one more, which is told last. */
  public Observers and(StoreObserver other) {
    List<StoreObserver> more = new ArrayList<>(all);
    more.add(new GuardedObserver(other));
    return new Observers(List.copyOf(more));
  }

  @Override
  public boolean wantsOperations() {
    return !ofOperations.isEmpty();
  }

  @Override
  public Observed begin(OperationKind kind, Optional<String> table) {
    Observed[] begun = new Observed[ofOperations.size()];
    for (int i = 0; i < begun.length; i++) {
      begun[i] = ofOperations.get(i).begin(kind, table);
    }
    return failure -> {
      for (int i = begun.length - 1; i >= 0; i--) {
        begun[i].ended(failure);
      }
    };
  }

  @Override
  public void rerun(EcStoreException failure) {
    all.forEach(observer -> observer.rerun(failure));
  }

  @Override
  public void committed() {
    all.forEach(StoreObserver::committed);
  }

  @Override
  public void leftUnknown() {
    all.forEach(StoreObserver::leftUnknown);
  }

  @Override
  public void answered(AnsweredBy by) {
    ofOperations.forEach(observer -> observer.answered(by));
  }

  /** That of the first one that has any. */
  @Override
  public Optional<TraceParent> trace() {
    for (StoreObserver observer : ofOperations) {
      Optional<TraceParent> trace = observer.trace();
      if (trace.isPresent()) {
        return trace;
      }
    }
    return Optional.empty();
  }
}
