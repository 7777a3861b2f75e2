package org.ecstore.spring.boot4;

import java.time.Duration;
import org.ecstore.client.EcStore;
import org.ecstore.client.error.EcStoreException;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/** Up if a node of the store answers in time. */
final class Boot4StoreHealth extends AbstractHealthIndicator {
  private final EcStore store;
  private final Duration timeout;

  Boot4StoreHealth(EcStore store, Duration timeout) {
    super("the store cannot be asked");
    this.store = store;
    this.timeout = timeout;
  }

  @Override
  protected void doHealthCheck(Health.Builder builder) {
    try {
      store.reach(timeout);
      builder.up();
    } catch (EcStoreException e) {
      builder.down(e);
    }
  }
}
