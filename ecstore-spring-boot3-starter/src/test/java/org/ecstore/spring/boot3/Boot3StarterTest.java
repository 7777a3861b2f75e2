package org.ecstore.spring.boot3;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.ecstore.spring.EcStoreTransactionManager;
import org.ecstore.spring.boot.EcStoreTransactionManagerCustomizer;
import org.junit.jupiter.api.Test;
import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.transaction.TransactionDefinition;

/** What this Spring Boot's own properties do to an application with a store; which is down. */
class Boot3StarterTest {
  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class Application {}

  private static ConfigurableApplicationContext started(
      Class<?> application, String... properties) {
    return new SpringApplicationBuilder(application)
        .web(WebApplicationType.NONE)
        .bannerMode(Banner.Mode.OFF)
        .properties("ecstore.nodes=127.0.0.1:1")
        .properties(properties)
        .run();
  }

  private static int timeout(Class<?> application, String... properties) {
    try (ConfigurableApplicationContext context = started(application, properties)) {
      return context.getBean(EcStoreTransactionManager.class).getDefaultTimeout();
    }
  }

  @Test
  void theTimeoutOfTransactionsIsThatOfSpring() {
    assertEquals(TransactionDefinition.TIMEOUT_DEFAULT, timeout(Application.class));
    assertEquals(7, timeout(Application.class, "spring.transaction.default-timeout=7s"));
  }

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class WithOwn {
    @Bean
    EcStoreTransactionManagerCustomizer own() {
      return manager -> manager.setDefaultTimeout(manager.getDefaultTimeout() + 1);
    }
  }

  @Test
  void anApplicationCustomizesItFurther() {
    assertEquals(8, timeout(WithOwn.class, "spring.transaction.default-timeout=7s"));
  }

  private static boolean tellsHealth(String... properties) {
    try (ConfigurableApplicationContext context = started(Application.class, properties)) {
      return context.containsBean("ecStoreHealthIndicator");
    }
  }

  @Test
  void healthIsToldAsSpringSays() {
    assertEquals(true, tellsHealth());
    assertEquals(false, tellsHealth("management.health.defaults.enabled=false"));
    assertEquals(
        true,
        tellsHealth(
            "management.health.defaults.enabled=false", "management.health.ecstore.enabled=true"));
    assertEquals(false, tellsHealth("management.health.ecstore.enabled=false"));
  }
}
