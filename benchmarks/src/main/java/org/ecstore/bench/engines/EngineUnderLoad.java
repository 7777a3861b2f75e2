package org.ecstore.bench.engines;

import java.nio.file.Path;
import java.util.function.Consumer;
import org.ecstore.core.port.Engine;
import org.ecstore.core.port.Event;
import org.ecstore.engines.je.JeEngine;
import org.ecstore.engines.je.JeOrderedStore;
import org.ecstore.engines.je.JeSettings;
import org.ecstore.engines.window.WindowThreads;
import org.ecstore.engines.window.WindowedEngine;

/** The engines that can be compared, all on Berkeley DB. */
public enum EngineUnderLoad {
  /** Versions in the keys. */
  VERSIONED {
    @Override
    Opened open(Path directory, long cacheBytes, Consumer<Event> sink) {
      JeEngine engine =
          JeEngine.open(directory, JeSettings.DEFAULT.withCacheBytes(cacheBytes), sink);
      return new Opened(engine, engine::close, false);
    }
  },
  /** A window of versions over one row a key. */
  WINDOW {
    @Override
    Opened open(Path directory, long cacheBytes, Consumer<Event> sink) {
      WindowedEngine engine =
          new WindowedEngine(
              JeOrderedStore.open(directory, JeSettings.DEFAULT.withCacheBytes(cacheBytes)),
              new WindowThreads("window", WindowThreads.Bounds.DEFAULT, sink),
              sink,
              () -> true);
      return new Opened(engine, engine::close, true);
    }
  };

  /**
   * An engine that is open.
   *
   * @param folds whether its prune is one fold of all there is
   */
  record Opened(Engine engine, Runnable close, boolean folds) {}

  abstract Opened open(Path directory, long cacheBytes, Consumer<Event> sink);
}
