package org.ecstore.spring.boot;

import org.ecstore.client.EcStore;
import org.ecstore.client.Transaction;
import org.ecstore.client.error.EcStoreException;
import org.ecstore.client.observe.StoreObserver;
import org.ecstore.spring.CurrentTransaction;
import org.ecstore.spring.EcStoreExceptions;
import org.ecstore.spring.EcStoreTransactionManager;
import org.ecstore.spring.RetryOnConflictAdvisor;
import org.ecstore.spring.RetryOnConflictAdvisor.EcStoreTransactions;
import org.ecstore.spring.ThreadCommits;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Role;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionManager;
import org.springframework.util.function.SingletonSupplier;

/**
 * {@code @Transactional} on the store: by itself where the application has no other transaction
 * manager, as of a database; else by its name, {@code @Transactional("ecStoreTransactionManager")}.
 */
@AutoConfiguration(
    after = EcStoreAutoConfiguration.class,
    // Of Boot 3.5, and of Boot 4. Those of databases come first, to whose applications
    // @Transactional has always been theirs.
    afterName = {
      "org.springframework.boot.autoconfigure.jdbc.DataSourceTransactionManagerAutoConfiguration",
      "org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration",
      "org.springframework.boot.autoconfigure.orm.jpa.HibernateJpaAutoConfiguration",
      "org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration",
      "org.springframework.boot.autoconfigure.data.neo4j.Neo4jDataAutoConfiguration",
      "org.springframework.boot.data.neo4j.autoconfigure.DataNeo4jAutoConfiguration",
      "org.springframework.boot.autoconfigure.r2dbc.R2dbcTransactionManagerAutoConfiguration",
      "org.springframework.boot.r2dbc.autoconfigure.R2dbcTransactionManagerAutoConfiguration",
      "org.springframework.boot.autoconfigure.kafka.KafkaAutoConfiguration",
      "org.springframework.boot.kafka.autoconfigure.KafkaAutoConfiguration",
      "org.springframework.boot.autoconfigure.transaction.jta.JtaAutoConfiguration",
      "org.springframework.boot.transaction.jta.autoconfigure.JtaAutoConfiguration"
    },
    beforeName = {
      "org.springframework.boot.autoconfigure.transaction.TransactionAutoConfiguration",
      "org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration"
    })
@ConditionalOnClass(PlatformTransactionManager.class)
@ConditionalOnSingleCandidate(EcStore.class)
@ConditionalOnProperty(name = "ecstore.transactions.enabled", matchIfMissing = true)
public class EcStoreTransactionsAutoConfiguration {
  private static final Logger LOG =
      LoggerFactory.getLogger(EcStoreTransactionsAutoConfiguration.class);
  private static final String MANAGER = "ecStoreTransactionManager";

  /** Made by Spring Boot. */
  public EcStoreTransactionsAutoConfiguration() {}

  /** The one of the application. */
  @Bean(MANAGER)
  @ConditionalOnMissingBean(TransactionManager.class)
  EcStoreTransactionManager onlyTransactionManager(
      EcStore store, ObjectProvider<EcStoreTransactionManagerCustomizer> customizers) {
    return customized(store, customizers);
  }

  /** One beside those of the application, which is asked for by its name. */
  @Bean(name = MANAGER, defaultCandidate = false)
  @ConditionalOnMissingBean(EcStoreTransactionManager.class)
  EcStoreTransactionManager anotherTransactionManager(
      EcStore store, ObjectProvider<EcStoreTransactionManagerCustomizer> customizers) {
    return customized(store, customizers);
  }

  private static EcStoreTransactionManager customized(
      EcStore store, ObjectProvider<EcStoreTransactionManagerCustomizer> customizers) {
    EcStoreTransactionManager manager = new EcStoreTransactionManager(store);
    customizers.orderedStream().forEach(customizer -> customizer.customize(manager));
    return manager;
  }

  /** That of the calling thread. */
  @Bean
  @ConditionalOnMissingBean
  Transaction ecStoreTransaction(EcStore store) {
    return CurrentTransaction.of(store);
  }

  /** For beans with {@code @Repository}. */
  @Bean
  @ConditionalOnMissingBean
  EcStoreExceptions ecStoreExceptions() {
    return new EcStoreExceptions();
  }

  /** Among the first beans there are: it looks the others up when it needs them. */
  @Bean
  @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
  @ConditionalOnMissingBean
  static RetryOnConflictAdvisor ecStoreRetryOnConflictAdvisor(BeanFactory beans) {
    SingletonSupplier<EcStoreTransactions> transactions =
        SingletonSupplier.of(() -> EcStoreTransactions.of(beans.getBean(EcStore.class)));
    return new RetryOnConflictAdvisor(
        () -> transactions.obtain().hasBegun(),
        () -> beans.getBean(ThreadCommits.class),
        failure ->
            beans
                .getBeanProvider(StoreObserver.class)
                .forEach(observer -> tell(observer, failure)));
  }

  private static void tell(StoreObserver observer, EcStoreException failure) {
    try {
      observer.rerun(failure);
    } catch (RuntimeException e) {
      LOG.warn("an observer of the store failed", e);
    }
  }
}
