package org.ecstore.cluster.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A command that starts a node and finds its turn ended, by {@code cluster down}, at each step from
 * which on that may have seen nothing of what there is. Nodes have no classes, so that each ends at
 * once.
 */
@Timeout(120)
class EndedTurnTest {
  static final Duration PATIENCE = Duration.ofSeconds(60);
  static final NewCluster NO_CLASSES = NewCluster.DEFAULT.withClassPath("/no-classes");

  @TempDir private Path temp;

  private final List<ProcessCluster> clusters = new ArrayList<>();

  @AfterEach
  void endAll() {
    clusters.forEach(ProcessCluster::close);
  }

  private ProcessCluster cluster(ClusterFiles files) {
    ProcessCluster cluster = ProcessCluster.during(files, PATIENCE, NO_CLASSES, true);
    clusters.add(cluster);
    return cluster;
  }

  private ClusterFiles threeNodes() throws IOException {
    ClusterFiles files = new ClusterFiles(temp.resolve("cluster"), NO_CLASSES);
    files.addNodes(3);
    return files;
  }

  /** What is to find its turn ended. */
  interface Command {
    void run() throws Exception;
  }

  static void assertEnded(ClusterFiles files, int node, Command command) {
    ProcessClusterException ended = assertThrows(ProcessClusterException.class, command::run);
    assertEquals(
        "the cluster in %s was ended meanwhile, by \"cluster down\": node %d does not run"
            .formatted(files.directory(), node),
        ended.getMessage());
    assertTrue(new Guards(files).isWantedDown(node), "it stays down");
  }

  private static void endTurn(ClusterFiles files) {
    try {
      Files.delete(files.turnMark());
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** A node whose engine was being deleted when a command was killed: that goes on at its start. */
  private static Path interruptedChange(ClusterFiles files, int node) throws IOException {
    Files.writeString(files.home(node).resolve("engine.change"), "je file going\n");
    return Files.createDirectories(files.home(node).resolve("data/engine/rows"));
  }

  static boolean isLaunched(ClusterFiles files, int node) {
    return Files.exists(files.home(node).resolve("guard.sh"));
  }

  @Test
  void nothingIsDoneForTheNextNode() throws Exception {
    ClusterFiles files = threeNodes();
    Path rows = interruptedChange(files, 2);
    ProcessCluster cluster = cluster(files);
    assertEnded(
        files,
        2,
        () ->
            cluster.up(
                3,
                said -> {
                  if (said.equals("node 1 started")) {
                    endTurn(files);
                  }
                }));
    assertTrue(Files.exists(rows), "its engine");
    assertFalse(isLaunched(files, 2) || isLaunched(files, 3));
  }

  @Test
  void aNodeThatWasMadeReadyIsNotLaunched() throws Exception {
    ClusterFiles files = threeNodes();
    Path rows = interruptedChange(files, 2);
    ProcessCluster cluster = cluster(files);
    assertEnded(files, 2, () -> cluster.launch(2, _ -> endTurn(files)));
    assertFalse(Files.exists(rows), "its former engine");
    assertFalse(isLaunched(files, 2));
  }

  /** The turn ends as the guard of an earlier start gives way. */
  @Test
  void aNodeThatWasLaunchedIsEnded() throws Exception {
    ClusterFiles files = threeNodes();
    Guards guards = new Guards(files);
    Path script = files.home(2).resolve("guard.sh");
    Files.writeString(
        script, "while [ ! -e down ]; do sleep 0.05; done; rm '%s'\n".formatted(files.turnMark()));
    guards.start(2, new ProcessBuilder("sh", script.toString()).directory(files.home(2).toFile()));
    ProcessCluster cluster = cluster(files);
    assertEnded(files, 2, () -> cluster.launch(2, _ -> {}));
    assertTrue(Files.readString(script).contains("server.pid"), "it was launched, by a real guard");
    assertEquals(Optional.empty(), guards.process(2).map(OwnProcess::pid));
    assertEquals(Optional.empty(), cluster.pid(2));
  }
}
