package org.ecstore.bookstore.web;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.binder.MeterBinder;
import org.ecstore.bookstore.Bookstore;
import org.ecstore.bookstore.LateBookstore;
import org.ecstore.bookstore.ecstore.EcStoreBookstore;
import org.ecstore.bookstore.mariadb.MariaDbBookstore;
import org.ecstore.bookstore.mariadb.MariaDbSettings;
import org.ecstore.client.EcStore;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;

/** The shop on the store that the application is told. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(ShopProperties.class)
class ShopConfiguration {
  private static final String STORE = "bookstore.store";

  /** Opened by the first page, so that the application starts while the store is down. */
  @Bean(destroyMethod = "close")
  @ConditionalOnProperty(name = STORE, havingValue = "ecstore", matchIfMissing = true)
  Bookstore bookstoreOnEcStore(EcStore store) {
    return new LateBookstore(() -> EcStoreBookstore.open(store));
  }

  /** What transactions came to, as {@code bookstore.conflicts} and {@code bookstore.retries}. */
  @Bean
  MeterBinder tries(@Lazy Bookstore shop) {
    return registry -> {
      FunctionCounter.builder("bookstore.conflicts", shop, now -> now.tries().conflicts())
          .description("transactions that came to nothing, as others were in the way")
          .register(registry);
      FunctionCounter.builder("bookstore.retries", shop, now -> now.tries().retries())
          .description("times that transactions were run again")
          .register(registry);
    };
  }

  @Bean(destroyMethod = "close")
  @ConditionalOnProperty(name = STORE, havingValue = "mariadb")
  Bookstore bookstoreOnMariaDb(ShopProperties properties) {
    MariaDbSettings settings =
        MariaDbSettings.of(
                properties.url(),
                properties.user(),
                properties.password(),
                properties.connections())
            .with(properties.isolation());
    return new LateBookstore(() -> MariaDbBookstore.open(settings));
  }
}
