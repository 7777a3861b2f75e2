package org.ecstore.engines.je;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.ecstore.engines.EngineLockedException;
import org.ecstore.engines.EngineOpenException;

/**
 * Directories that engines of this process have open. Berkeley DB keeps other processes out by a
 * lock on a file, but shares an environment among all who open it in one process; two engines on it
 * would both believe themselves the only writer. Hence the one static set: a file lock of our own
 * would not do, since closing any channel on a file drops the process's lock on it.
 */
final class OpenDirectories {
  private static final Set<Path> OPEN = ConcurrentHashMap.newKeySet();

  private OpenDirectories() {}

  /** Takes a directory, creating it if need be; its real path, to be released later. */
  static Path take(Path directory) {
    try {
      Path real = Files.createDirectories(directory).toRealPath();
      if (!OPEN.add(real)) {
        throw EngineLockedException.byThisProcess(directory);
      }
      return real;
    } catch (IOException e) {
      throw new EngineOpenException(
          directory, "cannot use directory " + directory + " for an engine: " + e, e);
    }
  }

  static void release(Path real) {
    OPEN.remove(real);
  }
}
