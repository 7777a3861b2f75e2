package org.ecstore.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.ecstore.client.EcStore;
import org.ecstore.client.EcStoreOptions;
import org.ecstore.client.Transaction;
import org.ecstore.key.Tuple;
import org.ecstore.spring.boot.EcStoreAutoConfiguration;
import org.ecstore.spring.boot.EcStoreMicrometerAutoConfiguration;
import org.ecstore.spring.boot.EcStoreProperties;
import org.ecstore.spring.boot.EcStoreReadinessAutoConfiguration;
import org.ecstore.spring.boot.EcStoreTransactionsAutoConfiguration;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.BeanCreationException;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.MapPropertySource;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionManager;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;

/** The beans that an application has by a starter. */
class AutoConfigurationTest {
  private static AnnotationConfigApplicationContext application(
      Map<String, Object> properties, Class<?>... own) {
    AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
    context
        .getEnvironment()
        .getPropertySources()
        .addFirst(new MapPropertySource("test", properties));
    context.registerBean(MeterRegistry.class, SimpleMeterRegistry::new);
    if (own.length > 0) {
      context.register(own);
    }
    // In the order that Boot gives them.
    context.register(
        EcStoreMicrometerAutoConfiguration.class,
        EcStoreAutoConfiguration.class,
        EcStoreReadinessAutoConfiguration.class,
        EcStoreTransactionsAutoConfiguration.class);
    context.refresh();
    return context;
  }

  /** Nothing listens at port 1. */
  @Test
  void anApplicationStartsWhileItsStoreIsDown() {
    try (AnnotationConfigApplicationContext context =
        application(Map.of("ecstore.nodes", "127.0.0.1:1", "ecstore.deadline", "300ms"))) {
      EcStore store = context.getBean(EcStore.class);
      assertThrows(
          RuntimeException.class,
          () -> store.read(snapshot -> snapshot.get(SpringFixture.BALANCES, Tuple.of("a"))));
      assertNotNull(context.getBean(Transaction.class));
      assertNotNull(context.getBean(EcStoreTransactionManager.class));
      MeterRegistry registry = context.getBean(MeterRegistry.class);
      assertEquals(
          1,
          registry
              .get("ecstore.client.operations")
              .tags("operation", "read", "outcome", "unavailable")
              .timer()
              .count());
    }
  }

  @Test
  void orWaitsForItIfItIsTold() {
    assertThrows(
        BeanCreationException.class,
        () ->
            application(
                    Map.of(
                        "ecstore.nodes", "127.0.0.1:1",
                        "ecstore.deadline", "300ms",
                        "ecstore.wait-for-nodes", "true"))
                .close());
  }

  @Test
  void aKeyThatIsNoneSaysHowToMakeOne() {
    BeanCreationException wrong =
        assertThrows(
            BeanCreationException.class,
            () -> application(Map.of("ecstore.token-key", "no base 64!")).close());
    assertTrue(
        String.valueOf(wrong.getMessage()).contains("openssl rand -base64 32"), wrong::getMessage);
  }

  @Test
  void whatCanBeSwitchedOffIs() {
    try (AnnotationConfigApplicationContext context =
        application(
            Map.of("ecstore.nodes", "127.0.0.1:1", "ecstore.transactions.enabled", "false"))) {
      assertEquals(0, context.getBeanNamesForType(EcStoreTransactionManager.class).length);
      assertEquals(0, context.getBeanNamesForType(Transaction.class).length);
    }
  }

  /** A database's, to which @Transactional has always belonged. */
  @Configuration(proxyBeanMethods = false)
  static class OfADatabase {
    @Bean
    PlatformTransactionManager transactionManager() {
      return new ResourcelessTransactions();
    }
  }

  private static final class ResourcelessTransactions extends AbstractPlatformTransactionManager {
    private static final long serialVersionUID = 1L;

    @Override
    protected Object doGetTransaction() {
      return this;
    }

    @Override
    protected void doBegin(Object transaction, TransactionDefinition definition) {
      // Nothing is done in it.
    }

    @Override
    protected void doCommit(DefaultTransactionStatus status) {
      // Nothing was done in it.
    }

    @Override
    protected void doRollback(DefaultTransactionStatus status) {
      // Nothing was done in it.
    }
  }

  @Test
  void anotherTransactionManagerStaysThatOfTheApplication() {
    try (AnnotationConfigApplicationContext context =
        application(Map.of("ecstore.nodes", "127.0.0.1:1"), OfADatabase.class)) {
      assertInstanceOf(ResourcelessTransactions.class, context.getBean(TransactionManager.class));
      assertInstanceOf(
          EcStoreTransactionManager.class, context.getBean("ecStoreTransactionManager"));
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class TwoStores {
    @Bean
    EcStore first() {
      return store();
    }

    @Bean
    EcStore second() {
      return store();
    }

    private static EcStore store() {
      return EcStore.connect("127.0.0.1:1", EcStoreOptions.DEFAULT.withoutWaitingForNodes());
    }
  }

  @Test
  void anApplicationMayHaveSeveralStoresOfItsOwn() {
    try (AnnotationConfigApplicationContext context = application(Map.of(), TwoStores.class)) {
      assertEquals(2, context.getBeansOfType(EcStore.class).size());
      assertEquals(0, context.getBeanNamesForType(EcStoreTransactionManager.class).length);
    }
  }

  @Test
  void addressesAreAListToo() {
    try (AnnotationConfigApplicationContext context =
        application(
            Map.of(
                "ecstore.nodes[0]", "127.0.0.1:1",
                "ecstore.nodes[1]", "127.0.0.1:2",
                "ecstore.sweep-every", "0",
                "ecstore.isolation", "snapshot"))) {
      assertEquals(
          List.of("127.0.0.1:1", "127.0.0.1:2"), context.getBean(EcStoreProperties.class).nodes());
    }
  }

  /** Editors show them: what is written down is of the class that is bound. */
  @Test
  void everyPropertyIsDescribed() throws IOException {
    String metadata;
    try (InputStream in =
        EcStoreProperties.class.getResourceAsStream(
            "/META-INF/spring-configuration-metadata.json")) {
      assertNotNull(in, "the build has written no metadata");
      metadata = new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
    for (String name :
        List.of(
            "ecstore.nodes",
            "ecstore.directory",
            "ecstore.application",
            "ecstore.deadline",
            "ecstore.request-timeout",
            "ecstore.isolation",
            "ecstore.commits-under-way",
            "ecstore.idempotency-retention",
            "ecstore.sweep-every",
            "ecstore.token-key",
            "ecstore.wait-for-nodes",
            "ecstore.transactions.enabled",
            "ecstore.session.enabled",
            "ecstore.session.cookie",
            "ecstore.health.timeout")) {
      assertTrue(metadata.contains("\"" + name + "\""), () -> name + " is not described");
    }
    assertEquals(
        15,
        metadata.lines().filter(line -> line.strip().startsWith("\"description\": \"")).count(),
        metadata);
  }
}
