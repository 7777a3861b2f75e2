package org.ecstore.spring.boot;

import jakarta.servlet.Filter;
import org.ecstore.client.EcStore;
import org.ecstore.spring.SessionCookieFilter;
import org.ecstore.spring.ThreadCommits;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;

/** The session of a user, over HTTP. */
@AutoConfiguration(after = EcStoreAutoConfiguration.class)
@ConditionalOnClass(Filter.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnSingleCandidate(EcStore.class)
@EnableConfigurationProperties(EcStoreProperties.class)
@ConditionalOnProperty(name = "ecstore.session.enabled", matchIfMissing = true)
public class EcStoreWebAutoConfiguration {
  /** Made by Spring Boot. */
  public EcStoreWebAutoConfiguration() {}

  /** Where it stands among filters it says itself. */
  @Bean
  @ConditionalOnMissingBean
  SessionCookieFilter ecStoreSessionCookieFilter(
      EcStore store, ThreadCommits commits, EcStoreProperties properties) {
    return new SessionCookieFilter(store, commits, properties.session().cookie());
  }
}
