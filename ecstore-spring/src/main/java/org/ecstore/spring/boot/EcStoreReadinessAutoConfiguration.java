package org.ecstore.spring.boot;

import org.ecstore.client.EcStore;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;

/** Whether the application takes requests yet. */
@AutoConfiguration(after = EcStoreAutoConfiguration.class)
@ConditionalOnSingleCandidate(EcStore.class)
public class EcStoreReadinessAutoConfiguration {
  /** Made by Spring Boot. */
  public EcStoreReadinessAutoConfiguration() {}

  /** Told by Boot that the application has started. */
  @Bean
  @ConditionalOnMissingBean
  StoreReadiness ecStoreReadiness(EcStore store, ApplicationContext context) {
    return new StoreReadiness(store, context);
  }
}
