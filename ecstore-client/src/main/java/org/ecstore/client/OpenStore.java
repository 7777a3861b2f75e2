package org.ecstore.client;

import java.util.concurrent.Executor;
import org.ecstore.client.session.Backend;
import org.ecstore.client.token.PageTokens;

/** What all sessions of a store share. */
record OpenStore(
    Backend backend,
    Executor executor,
    PageTokens tokens,
    RunningWork running,
    CatalogCache catalog,
    Runnable onLifetime,
    Applications applications) {
  /** The same with the connections of another application. */
  OpenStore by(Backend other) {
    return new OpenStore(
        other, executor, tokens, running, catalog.by(other), onLifetime, applications);
  }

  /** The same for the requests of an application. */
  OpenStore of(String application) {
    return applications.of(this, application);
  }
}
