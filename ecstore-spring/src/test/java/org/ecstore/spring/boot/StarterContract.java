package org.ecstore.spring.boot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.ecstore.spring.EcStoreTransactionManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;
import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.transaction.TransactionDefinition;

/**
 * What a Spring Boot's own properties do to an application with a store, which is down: what each
 * starter has to keep, in tests of its own with its own Spring Boot. Each start of an application
 * sets system properties and the one logging of the process: never two at a time.
 */
@ResourceLock(Resources.SYSTEM_PROPERTIES)
public abstract class StarterContract {
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

  /** Jars of the class path of this test whose names do not begin with a text. */
  private static URL[] classPathWithout(String name) throws MalformedURLException {
    List<URL> all = new ArrayList<>();
    int left = 0;
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      Path path = Path.of(entry);
      if (path.getFileName().toString().startsWith(name)) {
        left++;
      } else {
        all.add(path.toUri().toURL());
      }
    }
    assertTrue(left > 0, "the class path has nothing to leave out");
    return all.toArray(URL[]::new);
  }

  /** Neither metrics nor observations are on the class path, which has all else. */
  @Test
  void withoutMicrometerTransactionsWorkAsWell() throws Exception {
    ClassLoader before = Thread.currentThread().getContextClassLoader();
    try (URLClassLoader alone =
        new URLClassLoader(classPathWithout("micrometer-"), ClassLoader.getPlatformClassLoader())) {
      assertThrows(
          ClassNotFoundException.class,
          () -> alone.loadClass("io.micrometer.observation.ObservationRegistry"));
      Thread.currentThread().setContextClassLoader(alone);
      Class<?> application = alone.loadClass(WithoutMicrometer.class.getName());
      assertNotSame(WithoutMicrometer.class, application);
      assertEquals("Optional[1], metrics: false", application.getMethod("run").invoke(null));
    } finally {
      Thread.currentThread().setContextClassLoader(before);
    }
  }
}
