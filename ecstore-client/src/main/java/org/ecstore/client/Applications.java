package org.ecstore.client;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.ecstore.client.error.ClosedException;
import org.ecstore.client.error.WrongArgumentException;
import org.ecstore.client.observe.StoreObserver;
import org.ecstore.client.report.ServiceMeters;
import org.ecstore.client.routing.ApplicationConnector;
import org.ecstore.client.session.Backend;
import org.ecstore.client.spi.Connector;

/**
 * The applications of a store, by name: each has connections, measurements and snapshots of its
 * own, and reads the catalog by itself; all else is the store's. They stay until the store is
 * closed. Safe for use by several threads.
 */
final class Applications {
  private final Connector connector;
  private final EcStoreOptions options;
  private final ServiceMeters meters;
  private final Map<String, OpenStore> known = new ConcurrentHashMap<>();

  /** Guarded by this. */
  private boolean closed;

  /**
   * None yet.
   *
   * @param connector the way to the nodes
   * @param options of the store
   */
  Applications(Connector connector, EcStoreOptions options, ServiceMeters meters) {
    this.connector = connector;
    this.options = options;
    this.meters = meters;
  }

  /** The way to the nodes for an application's requests. */
  Connector connector(Optional<String> application) {
    return ApplicationConnector.of(connector, application);
  }

  /** Is told what an application does. */
  StoreObserver observer(Optional<String> application) {
    return meters.of(application).map(meter -> options.observer(meter)).orElse(options).observer();
  }

  /** The store itself is of the application that its options name, if they do. */
  synchronized void own(OpenStore store) {
    options.application().ifPresent(name -> known.put(name, store));
  }

  /**
   * A store for the requests of an application.
   *
   * @param store the same for those of any
   * @param name as {@link EcStoreOptions#application} takes it
   * @throws WrongArgumentException if it is one too many
   */
  OpenStore of(OpenStore store, String name) {
    OpenStore opened = known.get(name);
    return opened == null ? open(store, name) : opened;
  }

  private synchronized OpenStore open(OpenStore store, String name) {
    OpenStore before = known.get(name);
    if (before != null) {
      return before;
    }
    if (closed) {
      throw new ClosedException("the store is closed", null);
    }
    if (known.size() >= EcStore.APPLICATIONS_MAX) {
      throw new WrongArgumentException(
          "a store is of few applications: give names to programs and kinds of work, not to users"
              + " or requests",
          null,
          "application",
          name,
          "max",
          EcStore.APPLICATIONS_MAX);
    }
    Optional<String> application = Optional.of(name);
    Backend own = store.backend().by(connector(application), observer(application));
    OpenStore opened = store.by(own);
    known.put(name, opened);
    return opened;
  }

  /** Ends their snapshots; their connections are closed with the store's. */
  synchronized void close() {
    closed = true;
    known.values().forEach(store -> store.backend().endSnapshots());
  }
}
