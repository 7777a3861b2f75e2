package org.ecstore.spring;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.ecstore.client.EcStore;
import org.ecstore.client.Transaction;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.IllegalTransactionStateException;

/**
 * The transaction that {@code @Transactional} has begun on the calling thread, as one object that
 * an application may hold:
 *
 * <pre>{@code
 * @Service
 * class Accounts {
 *   private final Transaction tx;
 *
 *   @Transactional
 *   void open(String name) {
 *     tx.insert(ACCOUNTS, Tuple.of(name), 0L);
 *   }
 * }
 * }</pre>
 */
public final class CurrentTransaction {
  private CurrentTransaction() {}

  /**
   * The transaction of a store on whichever thread calls. Its methods throw {@link
   * IllegalTransactionStateException} where there is none.
   */
  public static Transaction of(EcStore store) {
    return (Transaction)
        Proxy.newProxyInstance(
            CurrentTransaction.class.getClassLoader(),
            new Class<?>[] {Transaction.class},
            new OfThread(store));
  }

  private record OfThread(EcStore store) implements InvocationHandler {
    @Override
    public @Nullable Object invoke(
        Object proxy, Method method, @Nullable Object @Nullable [] arguments) throws Throwable {
      if (method.getDeclaringClass() == Object.class) {
        return ofObject(proxy, method, arguments);
      }
      EcStoreTransactionManager.Holder holder = EcStoreTransactionManager.current(store);
      if (holder == null) {
        throw new IllegalTransactionStateException(
            "no transaction has begun on this thread: annotate the method with @Transactional, or"
                + " take EcStore.transact");
      }
      try {
        return method.invoke(holder.transaction(), arguments);
      } catch (InvocationTargetException e) {
        throw e.getCause() == null ? e : e.getCause();
      }
    }

    @SuppressWarnings("ReferenceEquality") // It is equal to itself only.
    private static Object ofObject(
        Object proxy, Method method, @Nullable Object @Nullable [] arguments) {
      return switch (method.getName()) {
        case "equals" -> arguments != null && proxy == arguments[0];
        case "hashCode" -> System.identityHashCode(proxy);
        default -> "the transaction of the calling thread";
      };
    }
  }
}
