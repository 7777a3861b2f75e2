package org.ecstore.server.file;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.ecstore.server.shutdown.ShutdownHooks;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A directory for the time of a command: removed when closed, or when the process ends because its
 * user interrupts it, after the processes that write into it.
 */
public final class TemporaryDirectory implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(TemporaryDirectory.class);

  private static final Duration END_WITHIN = Duration.ofSeconds(20);
  private static final long LOOK_NANOS = 100_000_000;

  private final Path path;
  private final ShutdownHooks.Task hook;
  private volatile boolean kept;

  private TemporaryDirectory(Path path) {
    this.path = path;
    this.hook = ShutdownHooks.at(ShutdownHooks.Step.FILES, this::removeAtEnd);
  }

  /** A new one whose name begins with a prefix. */
  public static TemporaryDirectory create(String prefix) throws IOException {
    return ShutdownHooks.unless(() -> new TemporaryDirectory(Files.createTempDirectory(prefix)));
  }

  /** Where it is. */
  public Path path() {
    return path;
  }

  /** It stays: a user may want to look at what is in it. */
  public void keep() {
    kept = true;
  }

  @Override
  public void close() {
    if (ShutdownHooks.hasBegun()) {
      // In its turn: processes that are being ended are found by what is in it.
      return;
    }
    hook.close();
    try {
      remove();
    } catch (IOException | UncheckedIOException e) {
      // A temporary directory that stays behind is the system's to remove.
      LOG.warn("could not remove {}: {}", path, e.getMessage());
    }
  }

  /** Threads of this process may still write into it for a while. */
  private void removeAtEnd() {
    long deadline = System.nanoTime() + END_WITHIN.toNanos();
    while (true) {
      try {
        remove();
        return;
      } catch (IOException | UncheckedIOException e) {
        if (System.nanoTime() - deadline > 0) {
          LOG.warn("could not remove {}: {}", path, e.getMessage());
          return;
        }
      }
      LockSupport.parkNanos(LOOK_NANOS);
    }
  }

  private void remove() throws IOException {
    if (kept || !Files.exists(path)) {
      return;
    }
    delete(path);
  }

  /** Deletes a directory with all that is in it; nothing where there is none. */
  public static void delete(Path directory) throws IOException {
    if (!Files.exists(directory)) {
      return;
    }
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : (Iterable<Path>) files.sorted(Comparator.reverseOrder())::iterator) {
        Files.deleteIfExists(file);
      }
    }
  }
}
