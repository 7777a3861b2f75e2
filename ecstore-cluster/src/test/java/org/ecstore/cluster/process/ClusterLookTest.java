package org.ecstore.cluster.process;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.ecstore.cluster.process.NodeStatus.State;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Nodes whose processes run, and whose ports take connections and answer nothing. */
@Timeout(60)
class ClusterLookTest {
  private static final int NODES = 4;
  private static final Duration SHORT = Duration.ofMillis(200);

  /** Longer than this test may take. */
  private static final Duration START_WITHIN = Duration.ofHours(1);

  @TempDir private Path directory;
  private final List<Process> processes = new ArrayList<>();
  private final List<ServerSocket> ports = new ArrayList<>();

  @AfterEach
  void endAll() throws IOException {
    processes.forEach(Process::destroyForcibly);
    for (ServerSocket port : ports) {
      port.close();
    }
  }

  private void makeSilentNode(int node) throws IOException {
    ServerSocket port = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
    ports.add(port);
    Path home = Files.createDirectories(directory.resolve("node-" + node));
    Path config =
        Files.writeString(
            home.resolve("ecstore.toml"),
            "node.id = %d\nnode.directory = \"data\"\nlisten.port = %d\n"
                .formatted(node, port.getLocalPort()));
    Process process = new ProcessBuilder("sh", "-c", "read -r line", config.toString()).start();
    processes.add(process);
    OwnProcess.note(home.resolve("server.pid"), process.toHandle(), config.toString());
  }

  @Test
  void nodesThatDoNotAnswerAreWaitedForTogether() throws IOException {
    for (int node = 1; node <= NODES; node++) {
      makeSilentNode(node);
    }
    try (ProcessCluster cluster = ProcessCluster.in(directory, START_WITHIN)) {
      ClusterLook seen = cluster.look(SHORT);
      assertEquals(
          List.of(State.SILENT, State.SILENT, State.SILENT, State.SILENT),
          seen.nodes().stream().map(NodeStatus::state).toList());
      assertEquals(Optional.empty(), seen.map());
      assertEquals(Optional.empty(), seen.sequencer());
    }
  }
}
