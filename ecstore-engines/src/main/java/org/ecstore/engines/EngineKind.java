package org.ecstore.engines;

import java.nio.file.Path;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.ecstore.core.port.Event;

/**
 * A kind of storage engine, by its name in a configuration file. A service: an artifact that brings
 * another kind names its class in {@code META-INF/services/org.ecstore.engines.EngineKind}, and
 * {@link EngineKinds} finds it. A new kind passes the engines' contract suite.
 */
public interface EngineKind {
  /** Lower case, unique, never changed: it stands in configuration files. */
  String name();

  /** Whether its data are on a server of its own, which {@link EngineSettings#server} tells of. */
  default boolean hasServer() {
    return false;
  }

  /**
   * Opens the engine of a directory, which is created if need be.
   *
   * @param results gets every result; called by the engine's threads
   * @param room whether there is room for another result with rows; without it reads of rows are
   *     refused as too much. Called by the threads that read, just before they do
   * @throws EngineLockedException if it is in use
   * @throws EngineOpenException if it cannot be opened: corrupt, of another kind, an I/O error
   */
  OpenEngine open(
      Path directory, EngineSettings settings, Consumer<Event> results, BooleanSupplier room);
}
