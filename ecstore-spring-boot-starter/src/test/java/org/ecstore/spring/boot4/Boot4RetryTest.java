package org.ecstore.spring.boot4;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.ecstore.client.Codec;
import org.ecstore.client.EcStore;
import org.ecstore.client.EcStoreOptions;
import org.ecstore.client.Table;
import org.ecstore.client.Transaction;
import org.ecstore.client.fake.FakeCluster;
import org.ecstore.client.fake.FakeTime;
import org.ecstore.client.fake.Fault;
import org.ecstore.key.Tuple;
import org.ecstore.spring.UnknownTransactionOutcomeException;
import org.junit.jupiter.api.AfterEach;
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
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.resilience.annotation.EnableResilientMethods;
import org.springframework.resilience.annotation.Retryable;
import org.springframework.transaction.annotation.Transactional;

/** Spring 7's own retry around transactions of a store, as the guide says to set it. */
@ResourceLock(Resources.SYSTEM_PROPERTIES)
class Boot4RetryTest {
  private static final Table<Long> BALANCES = Table.of("balances", Codec.longs());

  /** How often methods have run, and how often another transaction overtakes them. */
  static final class Counts {
    final AtomicInteger runs = new AtomicInteger();
    final AtomicInteger overtaken = new AtomicInteger();
  }

  /** Methods that are run again by Spring. */
  static class Retried {
    private final EcStore store;
    private final Transaction tx;
    private final Counts counts;

    Retried(EcStore store, Transaction tx, Counts counts) {
      this.store = store;
      this.tx = tx;
      this.counts = counts;
    }

    /** As the guide says. */
    @Retryable(includes = ConcurrencyFailureException.class, delay = 1)
    @Transactional
    public void add(String name) {
      addOnce(name);
    }

    /** As it says not to. */
    @Retryable(maxRetries = 2, delay = 1)
    @Transactional
    public void addByAll(String name) {
      addOnce(name);
    }

    private void addOnce(String name) {
      long balance = tx.get(BALANCES, Tuple.of(name)).orElse(0L);
      if (counts.runs.incrementAndGet() <= counts.overtaken.get()) {
        store.requiresNew().execute(other -> other.put(BALANCES, Tuple.of(name), balance + 100));
      }
      tx.put(BALANCES, Tuple.of(name), balance + 1);
    }
  }

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  @EnableResilientMethods
  static class Application {
    @Bean
    FakeTime time() {
      return new FakeTime(1);
    }

    @Bean
    FakeCluster cluster(FakeTime time) {
      return new FakeCluster(time, "n1:1");
    }

    @Bean
    EcStore store(FakeCluster cluster, EcStoreOptions options, FakeTime time) {
      return EcStore.over(cluster, options, time);
    }

    @Bean
    Counts counts() {
      return new Counts();
    }

    @Bean
    Retried retried(EcStore store, Transaction tx, Counts counts) {
      return new Retried(store, tx, counts);
    }
  }

  private final ConfigurableApplicationContext context =
      new SpringApplicationBuilder(Application.class)
          .web(WebApplicationType.NONE)
          .bannerMode(Banner.Mode.OFF)
          .run();

  private final FakeCluster cluster = context.getBean(FakeCluster.class);
  private final EcStore store = context.getBean(EcStore.class);
  private final Retried retried = context.getBean(Retried.class);
  private final Counts counts = context.getBean(Counts.class);

  @AfterEach
  void close() {
    context.close();
  }

  private Optional<Long> balance(String name) {
    return store.read(snapshot -> snapshot.get(BALANCES, Tuple.of(name)));
  }

  @Test
  void aConflictIsRunAgain() {
    counts.overtaken.set(2);
    retried.add("a");
    assertEquals(3, counts.runs.get());
    assertEquals(Optional.of(201L), balance("a"));
  }

  @Test
  void anOutcomeThatIsNotKnownIsNot() {
    cluster.plan(Fault.Plan.outcomesLost());
    assertThrows(UnknownTransactionOutcomeException.class, () -> retried.add("a"));
    assertEquals(1, counts.runs.get());
    cluster.plan((address, request) -> new Fault.None());
    assertEquals(Optional.of(1L), balance("a"));
  }

  /** Why the guide asks for more than the annotation: what it warns of is so. */
  @Test
  void withoutTheGuidesWordSpringDoesItAgainBlindly() {
    cluster.plan(Fault.Plan.outcomesLost());
    assertThrows(UnknownTransactionOutcomeException.class, () -> retried.addByAll("a"));
    assertEquals(3, counts.runs.get());
    cluster.plan((address, request) -> new Fault.None());
    assertEquals(Optional.of(3L), balance("a"));
  }
}
