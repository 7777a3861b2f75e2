package org.ecstore.engines.window;

import java.nio.file.Path;
import org.ecstore.engines.je.JeOrderedStore;
import org.ecstore.engines.je.JeSettings;
import org.ecstore.engines.store.OrderedStore;

/** A store on Berkeley DB, for a window over it. */
final class JeWindow {
  /** With one file of log: what is copied of it at any moment is a prefix. */
  private static final JeSettings SETTINGS =
      JeSettings.DEFAULT
          .withCacheBytes(32 << 20)
          .withLog(100_000_000, 5_000_000)
          .withDisk(1 << 20, 0);

  private JeWindow() {}

  static OrderedStore store(Path directory) {
    return JeOrderedStore.open(directory, SETTINGS);
  }
}
