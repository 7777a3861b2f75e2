package org.ecstore.tools.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.ecstore.cluster.node.ExitStatus;
import org.ecstore.server.file.DirectoryInUseException;
import org.ecstore.server.file.DirectoryLock;
import org.ecstore.tools.cli.EcStoreMain;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A process works in the directory of a cluster as another one is to. */
@Timeout(60)
class TwoCommandsProcessTest {
  private static final String HELD = "held";

  @TempDir private Path directory;

  /** The first process: it works in the directory until its input ends, or it is killed. */
  static final class First {
    private First() {}

    public static void main(String[] arguments) throws IOException {
      try (DirectoryLock _ = DirectoryLock.acquire(Path.of(arguments[0]))) {
        System.out.println(HELD);
        System.in.transferTo(OutputStream.nullOutputStream());
      }
    }
  }

  private static Process started(Class<?> main, String... arguments) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                main.getName()));
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command).redirectErrorStream(true).start();
  }

  /** Of a node whose engine was being deleted when the command was killed. */
  private Path interruptedChange(int node) throws IOException {
    Path home = Files.createDirectories(directory.resolve("node-" + node));
    Files.writeString(
        home.resolve("ecstore.toml"),
        """
        coordination = "zookeeper"
        node.id = %d
        node.directory = "data"
        zookeeper.connect = "127.0.0.1:2181"
        ledger.kind = "bookkeeper"
        """
            .formatted(node));
    Files.writeString(home.resolve("engine.change"), "je rocksdb going\n");
    return Files.createDirectories(home.resolve("data").resolve("engine").resolve("rows"));
  }

  @Test
  void theSecondIsRefusedAndToldWhatToDoAndDeletesNothing() throws Exception {
    Path rows = interruptedChange(2);
    Process first = started(First.class, directory.toString());
    try (BufferedReader says = first.inputReader(StandardCharsets.UTF_8)) {
      assertEquals(HELD, says.readLine());
      Process second =
          started(EcStoreMain.class, "cluster", "--wait=1", "start", "2", "--dir=" + directory);
      String said = new String(second.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertEquals(ExitStatus.BAD_INPUT, second.waitFor(), said);
      assertTrue(
          said.contains(
              "%s is in use by another process (%d): end that one first, or choose another"
                      .formatted(directory, first.pid())
                  + " directory"),
          said);
      assertFalse(said.contains(DirectoryInUseException.class.getSimpleName()), said);
      assertTrue(Files.exists(rows), "what the node had");
      assertEquals(
          "je rocksdb going\n", Files.readString(directory.resolve("node-2/engine.change")));
      assertFalse(Files.exists(directory.resolve("node-2/server.pid")), "it is not started");
    } finally {
      first.destroyForcibly().waitFor();
    }
    // However the first one ended.
    DirectoryLock.acquire(directory).close();
  }
}
