package org.ecstore.spring.boot3;

import java.time.Duration;
import org.ecstore.client.EcStore;
import org.ecstore.client.error.EcStoreException;
import org.springframework.boot.actuate.health.AbstractHealthIndicator;
import org.springframework.boot.actuate.health.Health;

/** Up if a node of the store answers in time. */
final class Boot3StoreHealth extends AbstractHealthIndicator {
  private final EcStore store;
  private final Duration timeout;

  Boot3StoreHealth(EcStore store, Duration timeout) {
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
