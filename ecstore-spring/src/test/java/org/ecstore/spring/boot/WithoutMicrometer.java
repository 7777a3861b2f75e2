package org.ecstore.spring.boot;

import java.util.Optional;
import org.ecstore.client.Codec;
import org.ecstore.client.EcStore;
import org.ecstore.client.EcStoreOptions;
import org.ecstore.client.Table;
import org.ecstore.client.Transaction;
import org.ecstore.client.fake.FakeCluster;
import org.ecstore.client.fake.FakeTime;
import org.ecstore.key.Tuple;
import org.ecstore.spring.RetryOnConflict;
import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.transaction.annotation.Transactional;

/** An application that {@link StarterContract} runs by classes of its own. */
public final class WithoutMicrometer {
  private static final Table<Long> BALANCES = Table.of("balances", Codec.longs());

  private WithoutMicrometer() {}

  /** Puts a balance. */
  public static class Puts {
    private final Transaction tx;

    Puts(Transaction tx) {
      this.tx = tx;
    }

    /** In a transaction. */
    @Transactional
    @RetryOnConflict
    public void put(String name) {
      tx.put(BALANCES, Tuple.of(name), 1L);
    }
  }

  /** The application. */
  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  public static class Application {
    @Bean
    EcStore store(EcStoreOptions options) {
      FakeTime time = new FakeTime(1);
      return EcStore.over(new FakeCluster(time, "n1:1"), options, time);
    }

    @Bean
    Puts puts(Transaction tx) {
      return new Puts(tx);
    }
  }

  /** What is read back of what was put, and whether the application has metrics of the store. */
  public static String run() {
    try (ConfigurableApplicationContext context =
        new SpringApplicationBuilder(Application.class)
            .web(WebApplicationType.NONE)
            .bannerMode(Banner.Mode.OFF)
            .registerShutdownHook(false)
            .run()) {
      context.getBean(Puts.class).put("alice");
      Optional<Long> read =
          context
              .getBean(EcStore.class)
              .read(snapshot -> snapshot.get(BALANCES, Tuple.of("alice")));
      return read + ", metrics: " + context.containsBean("ecStoreMetrics");
    }
  }
}
