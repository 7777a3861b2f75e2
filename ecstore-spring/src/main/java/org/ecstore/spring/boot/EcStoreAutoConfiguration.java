package org.ecstore.spring.boot;

import java.util.Base64;
import java.util.Optional;
import org.ecstore.client.EcStore;
import org.ecstore.client.EcStoreOptions;
import org.ecstore.client.observe.StoreObserver;
import org.ecstore.spring.ThreadCommits;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

/** A store as a bean, unless the application has one of its own. */
@AutoConfiguration
@ConditionalOnClass(EcStore.class)
@EnableConfigurationProperties(EcStoreProperties.class)
public class EcStoreAutoConfiguration {
  /** Made by Spring Boot. */
  public EcStoreAutoConfiguration() {}

  /** What the properties and the application's beans ask for. */
  @Bean
  @ConditionalOnMissingBean
  EcStoreOptions ecStoreOptions(
      EcStoreProperties properties,
      Environment environment,
      ObjectProvider<StoreObserver> observers,
      ObjectProvider<EcStoreOptionsCustomizer> customizers) {
    EcStoreOptions options =
        EcStoreOptions.DEFAULT
            .deadline(properties.deadline())
            .requestTimeout(properties.requestTimeout())
            .isolation(properties.isolation())
            .commitsUnderWay(properties.commitsUnderWay())
            .idempotencyRetention(properties.idempotencyRetention())
            .sweepEvery(properties.sweepEvery());
    if (!properties.waitForNodes()) {
      options = options.withoutWaitingForNodes();
    }
    String application =
        Optional.ofNullable(properties.application())
            .orElseGet(() -> environment.getProperty("spring.application.name", ""));
    if (!application.isEmpty()) {
      options = options.application(application);
    }
    if (properties.tokenKey() != null) {
      options = options.tokenKey(key(properties.tokenKey()));
    }
    for (StoreObserver observer : observers.orderedStream().toList()) {
      options = options.observer(observer);
    }
    for (EcStoreOptionsCustomizer customizer : customizers.orderedStream().toList()) {
      options = customizer.customize(options);
    }
    return options;
  }

  private static byte[] key(String text) {
    try {
      return Base64.getDecoder().decode(text);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "ecstore.token-key is not in Base64: make one by \"openssl rand -base64 32\"", e);
    }
  }

  /** The store: on a cluster, or in this JVM. */
  @Bean(destroyMethod = "close")
  @ConditionalOnMissingBean
  EcStore ecStore(EcStoreProperties properties, EcStoreOptions options) {
    return properties.directory() != null
        ? EcStore.open(properties.directory(), options)
        : EcStore.connect(String.join(",", properties.nodes()), options);
  }

  /** What threads commit: for the cookie of sessions, and to run methods again. */
  @Bean
  @ConditionalOnMissingBean
  ThreadCommits ecStoreThreadCommits() {
    return new ThreadCommits();
  }
}
