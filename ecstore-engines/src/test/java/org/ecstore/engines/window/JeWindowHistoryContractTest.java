package org.ecstore.engines.window;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.ecstore.core.port.Engine;
import org.ecstore.engines.store.OrderedStore;
import org.junit.jupiter.api.io.TempDir;

/** A crash here is one of the process: the directory is copied while the engine is at work. */
final class JeWindowHistoryContractTest extends WindowHistoryContract {
  @TempDir private Path root;
  private int lives;

  private Path directory() {
    return root.resolve("life" + lives);
  }

  @Override
  protected OrderedStore store() {
    return JeWindow.store(directory());
  }

  @Override
  protected void crash(Engine engine, RandomGenerator random) {
    Path before = directory();
    lives++;
    copy(before, directory());
    close(engine);
  }

  /** The log comes last: what its mark says was synced is in it. */
  private static void copy(Path from, Path to) {
    try (Stream<Path> files = Files.list(from)) {
      List<Path> sorted =
          files.sorted(Comparator.comparing(file -> file.toString().endsWith(".jdb"))).toList();
      Files.createDirectories(to);
      for (Path file : sorted) {
        if (!file.toString().endsWith(".lck")) {
          Files.copy(file, to.resolve(file.getFileName().toString()));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
