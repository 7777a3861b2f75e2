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
    Runnable onLifetime) {}
