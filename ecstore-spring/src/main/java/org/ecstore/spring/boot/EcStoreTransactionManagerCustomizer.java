package org.ecstore.spring.boot;

import org.ecstore.spring.EcStoreTransactionManager;

/**
 * A bean that changes the store's transaction manager before it is used. The starters have one that
 * applies what Spring Boot applies to the managers that it makes itself, as {@code
 * spring.transaction.default-timeout}.
 */
@FunctionalInterface
public interface EcStoreTransactionManagerCustomizer {
  /** Changes it. */
  void customize(EcStoreTransactionManager manager);
}
