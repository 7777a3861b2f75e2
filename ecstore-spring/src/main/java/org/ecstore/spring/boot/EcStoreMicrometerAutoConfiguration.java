package org.ecstore.spring.boot;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import org.ecstore.client.micrometer.MicrometerObserver;
import org.ecstore.client.micrometer.TracingObserver;
import org.ecstore.client.observe.StoreObserver;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** A store's metrics and traces, where the application has a registry for them. */
@AutoConfiguration(before = EcStoreAutoConfiguration.class)
public class EcStoreMicrometerAutoConfiguration {
  /** Made by Spring Boot. */
  public EcStoreMicrometerAutoConfiguration() {}

  /** Metrics. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(MeterRegistry.class)
  static class Metrics {
    @Bean
    @ConditionalOnMissingBean(name = "ecStoreMetrics")
    StoreObserver ecStoreMetrics(ObjectProvider<MeterRegistry> registries) {
      MeterRegistry registry = registries.getIfUnique();
      return registry == null ? StoreObserver.NONE : MicrometerObserver.of(registry);
    }
  }

  /** Traces: only where there is tracing, as observations would be metrics once more otherwise. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(value = ObservationRegistry.class, name = "io.micrometer.tracing.Tracer")
  static class Traces {
    @Bean
    @ConditionalOnMissingBean(name = "ecStoreTraces")
    StoreObserver ecStoreTraces(ObjectProvider<ObservationRegistry> registries) {
      ObservationRegistry registry = registries.getIfUnique();
      return registry == null ? StoreObserver.NONE : TracingObserver.of(registry);
    }
  }
}
