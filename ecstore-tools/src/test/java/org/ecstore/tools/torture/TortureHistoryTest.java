package org.ecstore.tools.torture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import org.ecstore.model.Isolation;
import org.ecstore.server.ReplicationSettings;
import org.ecstore.tools.torture.workload.WorkloadKind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The file of a history is made before the cluster is. */
class TortureHistoryTest {
  @TempDir private Path directory;

  private TortureSettings settings(Path history) {
    return new TortureSettings(
        1,
        Optional.empty(),
        ReplicationSettings.DEFAULT,
        1,
        Duration.ofSeconds(1),
        WorkloadKind.APPEND,
        Set.of(),
        Duration.ofSeconds(1),
        false,
        Set.of(),
        false,
        Isolation.SERIALIZABLE,
        Start.MIXED,
        1,
        directory.resolve("cluster"),
        history);
  }

  /** Another run has made it since this one's command has looked. */
  @Test
  void whereTheHistoryIsThereNothingIsStarted() throws IOException {
    Path history = Files.writeString(directory.resolve("h.jsonl"), "of another run");
    for (boolean inProcess : new boolean[] {true, false}) {
      assertThrows(
          FileAlreadyExistsException.class,
          () -> {
            TortureReport _ =
                inProcess
                    ? Torture.inProcess(settings(history), _ -> {})
                    : Torture.onProcesses(settings(history), _ -> {});
          });
    }
    assertFalse(Files.exists(directory.resolve("cluster")), "nothing was started");
    assertEquals("of another run", Files.readString(history));
  }

  @Test
  void whereTheHistoryCannotBeMadeNothingIsStarted() throws IOException {
    Path file = Files.writeString(directory.resolve("file"), "");
    assertThrows(
        FileSystemException.class,
        () -> {
          TortureReport _ = Torture.inProcess(settings(file.resolve("h.jsonl")), _ -> {});
        });
    assertFalse(Files.exists(directory.resolve("cluster")), "nothing was started");
  }

  /** Else the same command would be refused when it is given again. */
  @Test
  void whereTheClusterDoesNotStartNoHistoryIsLeft() throws IOException {
    Path history = directory.resolve("h.jsonl");
    Files.writeString(directory.resolve("cluster"), "no directory");
    assertThrows(
        IOException.class,
        () -> {
          TortureReport _ = Torture.inProcess(settings(history), _ -> {});
        });
    assertFalse(Files.exists(history));
  }
}
