package org.ecstore.client;

import java.util.concurrent.Executor;
import org.ecstore.client.session.Backend;

/** What all sessions of a store share. */
record OpenStore(Backend backend, Executor executor, PageTokens tokens, RunningWork running) {}
