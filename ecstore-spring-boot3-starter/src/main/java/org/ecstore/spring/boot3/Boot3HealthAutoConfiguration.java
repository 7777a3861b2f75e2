package org.ecstore.spring.boot3;

import org.ecstore.client.EcStore;
import org.ecstore.spring.boot.EcStoreAutoConfiguration;
import org.ecstore.spring.boot.EcStoreProperties;
import org.springframework.boot.actuate.autoconfigure.health.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;

/**
 * The health of a store, where the application tells its own: unless {@code
 * management.health.ecstore.enabled} is false, or {@code management.health.defaults.enabled} and
 * nothing is said of this one.
 */
@AutoConfiguration(after = EcStoreAutoConfiguration.class)
@ConditionalOnClass(name = "org.springframework.boot.actuate.health.HealthIndicator")
@ConditionalOnSingleCandidate(EcStore.class)
@EnableConfigurationProperties(EcStoreProperties.class)
@ConditionalOnEnabledHealthIndicator("ecstore")
public class Boot3HealthAutoConfiguration {
  /** Made by Spring Boot. */
  public Boot3HealthAutoConfiguration() {}

  /** By its name the health calls it {@code ecStore}. */
  @Bean
  @ConditionalOnMissingBean(name = "ecStoreHealthIndicator")
  Boot3StoreHealth ecStoreHealthIndicator(EcStore store, EcStoreProperties properties) {
    return new Boot3StoreHealth(store, properties.health().timeout());
  }
}
