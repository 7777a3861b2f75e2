package org.ecstore.spring.boot3;

import org.ecstore.spring.boot.EcStoreTransactionManagerCustomizer;
import org.ecstore.spring.boot.EcStoreTransactionsAutoConfiguration;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.transaction.TransactionManagerCustomizers;
import org.springframework.context.annotation.Bean;
import org.springframework.core.annotation.Order;

/** What Spring Boot applies to transaction managers, for that of the store. */
@AutoConfiguration(before = EcStoreTransactionsAutoConfiguration.class)
@ConditionalOnClass(TransactionManagerCustomizers.class)
public class Boot3TransactionsAutoConfiguration {
  /** Made by Spring Boot. */
  public Boot3TransactionsAutoConfiguration() {}

  /**
   * {@code spring.transaction.*}, and the application's beans for all managers; before those that
   * are for this one.
   */
  @Bean
  @Order(0)
  EcStoreTransactionManagerCustomizer ecStoreTransactionManagerCustomizerOfBoot(
      ObjectProvider<TransactionManagerCustomizers> customizers) {
    return manager -> customizers.ifAvailable(all -> all.customize(manager));
  }
}
