package org.ecstore.client.observing;

import java.util.Optional;
import java.util.function.Supplier;
import org.ecstore.client.observe.Observed;
import org.ecstore.client.observe.OperationKind;
import org.ecstore.client.observe.StoreObserver;
import org.ecstore.key.Bytes;
import org.ecstore.key.Tuple;
import org.jspecify.annotations.Nullable;

/** Operations of which an observer is told. */
public final class Observing {
  private Observing() {}

  /**
   * Runs an operation, and tells of it.
   *
   * @param key one of the operation's keys: its table is told
   */
  public static <T extends @Nullable Object> T operation(
      StoreObserver observer, OperationKind kind, Bytes key, Supplier<T> work) {
    return observer.wantsOperations()
        ? told(observer.begin(kind, Tuple.firstText(key)), work::get)
        : work.get();
  }

  /** Work that may throw. */
  public interface Work<T extends @Nullable Object, X extends Exception> {
    T run() throws X;
  }

  /** Runs an operation that is about no table, and tells of it. */
  public static <T extends @Nullable Object, X extends Exception> T operation(
      StoreObserver observer, OperationKind kind, Work<T, X> work) throws X {
    return observer.wantsOperations()
        ? told(observer.begin(kind, Optional.empty()), work)
        : work.run();
  }

  private static <T extends @Nullable Object, X extends Exception> T told(
      Observed observed, Work<T, X> work) throws X {
    T result;
    try {
      result = work.run();
    } catch (Throwable failure) {
      observed.ended(Optional.of(failure));
      throw failure;
    }
    observed.ended(Optional.empty());
    return result;
  }
}
