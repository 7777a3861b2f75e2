package org.ecstore.spring.boot;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.ecstore.client.EcStore;
import org.ecstore.client.error.EcStoreException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.availability.ReadinessState;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.event.ContextClosedEvent;

/**
 * An application that has started takes requests once its store has been reached for the first
 * time. From then on its readiness follows it no more: a store that is away later is away for all
 * instances, and to take all of them out of service would help no user; its health says so.
 */
public final class StoreReadiness
    implements ApplicationListener<AvailabilityChangeEvent<ReadinessState>>, DisposableBean {
  private static final Logger LOG = LoggerFactory.getLogger(StoreReadiness.class);
  private static final Duration ONE_TRY = Duration.ofMillis(500);
  private static final long BETWEEN_MILLIS = 500;

  private final EcStore store;
  private final ApplicationContext context;
  private final AtomicBoolean watching = new AtomicBoolean();
  private final Thread watcher = new Thread(this::watch, "ecstore-readiness");
  private volatile boolean reached;

  StoreReadiness(EcStore store, ApplicationContext context) {
    this.store = store;
    this.context = context;
    watcher.setDaemon(true);
    if (context instanceof ConfigurableApplicationContext own) {
      // Before its beans are destroyed: it takes no more requests from then on.
      own.addApplicationListener(
          event -> {
            if (event instanceof ContextClosedEvent) {
              destroy();
            }
          });
    }
  }

  @Override
  public void onApplicationEvent(AvailabilityChangeEvent<ReadinessState> event) {
    if (event.getState() == ReadinessState.ACCEPTING_TRAFFIC
        && !reached
        && !isReached()
        && watching.compareAndSet(false, true)) {
      LOG.warn("no node of the store answers yet: the application is not ready until one does");
      watcher.start();
    }
  }

  private boolean isReached() {
    try {
      store.reach(ONE_TRY);
      reached = true;
    } catch (EcStoreException e) {
      LOG.debug("the store is not reached: {}", e.getMessage());
    }
    return reached;
  }

  private void watch() {
    try {
      do {
        // Each time: what Boot itself says at the end of the start may come later than the first.
        AvailabilityChangeEvent.publish(context, ReadinessState.REFUSING_TRAFFIC);
        TimeUnit.MILLISECONDS.sleep(BETWEEN_MILLIS);
      } while (!isReached());
      LOG.info("the store is reached: the application is ready");
      AvailabilityChangeEvent.publish(context, ReadinessState.ACCEPTING_TRAFFIC);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void destroy() {
    watcher.interrupt();
  }
}
