package org.ecstore.engines.window;

import java.nio.file.Path;
import java.util.function.Consumer;
import org.ecstore.core.port.Event;
import org.ecstore.engines.je.JeOrderedStore;
import org.ecstore.engines.je.JeSettings;

/** A windowed engine over Berkeley DB, with its threads. */
final class JeWindow {
  /** With one file of log: what is copied of it at any moment is a prefix. */
  private static final JeSettings SETTINGS =
      JeSettings.DEFAULT
          .withCacheBytes(32 << 20)
          .withLog(100_000_000, 5_000_000)
          .withDisk(1 << 20, 0);

  private JeWindow() {}

  static WindowedEngine open(Path directory, Consumer<Event> sink) {
    return new WindowedEngine(
        JeOrderedStore.open(directory, SETTINGS),
        new WindowThreads("window", WindowThreads.Bounds.DEFAULT, sink),
        sink,
        () -> true);
  }
}
