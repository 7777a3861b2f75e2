package org.ecstore.engines.kind;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.ecstore.core.port.Event;
import org.ecstore.engines.EngineSettings;
import org.ecstore.engines.OpenEngine;
import org.ecstore.engines.store.OrderedStore;
import org.ecstore.engines.store.StoreKind;
import org.ecstore.engines.window.WindowThreads;
import org.ecstore.engines.window.WindowedEngine;
import org.ecstore.model.EngineTraits;

/** A kind of storage engine: a window of versions over a store of some kind. */
public final class EngineKind {
  private final StoreKind store;

  EngineKind(StoreKind store) {
    this.store = store;
  }

  /** As it stands in configuration files. */
  public String name() {
    return store.name();
  }

  /** Whether its data are on a server of its own, which {@link EngineSettings#server} tells of. */
  public boolean hasServer() {
    return store.hasServer();
  }

  /**
   * What is wrong with a URL of a server for it, as {@code must ...}; empty if nothing is that can
   * be told without asking the server.
   */
  public Optional<String> urlProblem(String url) {
    return store.urlProblem(url);
  }

  /**
   * What of a URL of a server is at odds with what is said beside it of who logs in, as {@code
   * names ...}; empty if nothing is.
   *
   * @param hasUser whether a user is named beside it
   * @param hasPassword whether a password is given beside it
   */
  public List<String> logInProblems(String url, boolean hasUser, boolean hasPassword) {
    return store.logInProblems(url, hasUser, hasPassword);
  }

  /** What its engines are good at. */
  public EngineTraits traits() {
    return store.traits();
  }

  /**
   * Opens the engine of a directory, which is created if need be.
   *
   * @param results gets every result; called by the engine's threads
   * @param room whether there is room for another result with rows; without it reads of rows are
   *     refused as too much. Called by the threads that read, just before they do
   * @throws org.ecstore.engines.EngineLockedException if it is in use
   * @throws org.ecstore.engines.EngineOpenException if it cannot be opened: corrupt, of another
   *     kind or an earlier release, an I/O error, a server that does not answer
   */
  public OpenEngine open(
      Path directory, EngineSettings settings, Consumer<Event> results, BooleanSupplier room) {
    OrderedStore opened = store.open(directory, settings);
    WindowThreads.Bounds bounds = WindowThreads.Bounds.DEFAULT;
    WindowThreads threads =
        new WindowThreads(
            name() + "-" + directory.getFileName(),
            hasServer() ? bounds.withServer() : bounds,
            results);
    WindowedEngine engine = new WindowedEngine(opened, threads, results, room);
    engine.windowBytesMax(settings.windowBytesMax());
    return engine;
  }
}
