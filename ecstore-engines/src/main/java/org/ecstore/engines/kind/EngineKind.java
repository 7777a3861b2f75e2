package org.ecstore.engines.kind;

import java.nio.file.Path;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.ecstore.core.port.Event;
import org.ecstore.engines.EngineOpenException;
import org.ecstore.engines.EngineSettings;
import org.ecstore.engines.OpenEngine;
import org.ecstore.engines.store.OrderedStore;
import org.ecstore.engines.store.StoreKind;
import org.ecstore.engines.window.WindowThreads;
import org.ecstore.engines.window.WindowedEngine;

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

  /** Why no node can have it, and what to do; absent if nodes can. */
  public Optional<String> unusable() {
    return store.persists()
        ? Optional.empty()
        : Optional.of(
            "engine.kind \""
                + name()
                + "\" keeps nothing over a restart of its server, and the ledger is trimmed as if it"
                + " did: choose a kind that persists");
  }

  /**
   * Opens the engine of a directory, which is created if need be.
   *
   * @param results gets every result; called by the engine's threads
   * @param room whether there is room for another result with rows; without it reads of rows are
   *     refused as too much. Called by the threads that read, just before they do
   * @throws org.ecstore.engines.EngineLockedException if it is in use
   * @throws org.ecstore.engines.EngineOpenException if it cannot be opened: corrupt, of another
   *     kind or an earlier release, an I/O error, a server that does not answer, a store that does
   *     not persist
   */
  public OpenEngine open(
      Path directory, EngineSettings settings, Consumer<Event> results, BooleanSupplier room) {
    Optional<String> unusable = unusable();
    if (unusable.isPresent()) {
      throw new EngineOpenException(directory, unusable.get());
    }
    OrderedStore opened = store.open(directory, settings);
    WindowThreads threads =
        new WindowThreads(
            name() + "-" + directory.getFileName(), WindowThreads.Bounds.DEFAULT, results);
    WindowedEngine engine = new WindowedEngine(opened, threads, results, room);
    engine.windowBytesMax(settings.windowBytesMax());
    return engine;
  }
}
