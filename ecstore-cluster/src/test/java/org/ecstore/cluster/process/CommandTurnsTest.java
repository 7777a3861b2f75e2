package org.ecstore.cluster.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.ecstore.core.testing.Await;
import org.ecstore.server.file.DirectoryInUseException;
import org.ecstore.server.file.DirectoryLock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Commands on one directory at a time. Nodes have no classes, so that each ends at once. */
@Timeout(120)
class CommandTurnsTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Duration SHORT = Duration.ofMillis(100);

  @TempDir private Path directory;

  private final List<ProcessCluster> clusters = new ArrayList<>();
  private ClusterFiles files;
  private Guards guards;

  @BeforeEach
  void makeNodes() throws IOException {
    files = new ClusterFiles(directory, NewCluster.DEFAULT);
    files.addNodes(3);
    guards = new Guards(files);
  }

  @AfterEach
  void endAll() throws IOException, InterruptedException {
    for (ProcessCluster cluster : clusters) {
      cluster.down();
      cluster.close();
    }
  }

  private ProcessCluster cluster(Duration within) {
    ProcessCluster cluster =
        ProcessCluster.in(directory, within, NewCluster.DEFAULT.withClassPath("/no-classes"));
    clusters.add(cluster);
    return cluster;
  }

  private boolean isStarted(int node) throws IOException {
    return Files.exists(files.pidFile(node)) || guards.process(node).isPresent();
  }

  @Test
  void noNodeIsStartedWhileAnotherCommandMayStartIt() throws Exception {
    ProcessCluster cluster = cluster(SHORT);
    List<String> said = new ArrayList<>();
    try (DirectoryLock _ = DirectoryLock.acquire(directory)) {
      assertThrows(DirectoryInUseException.class, () -> cluster.start(2, said::add));
      assertThrows(DirectoryInUseException.class, () -> cluster.up(3, said::add));
      assertThrows(DirectoryInUseException.class, () -> cluster.startDatabase(2));
    }
    assertFalse(isStarted(2));
    assertEquals(List.of(), said, "what is waited for a moment is not worth a line");
  }

  /** A command that may have to wait. */
  private interface Waiting {
    void run(Consumer<String> progress) throws Exception;
  }

  private static List<String> said(Waiting waiting) {
    List<String> said = new ArrayList<>();
    assertThrows(DirectoryInUseException.class, () -> waiting.run(said::add));
    return said;
  }

  @Test
  void aCommandThatWaitsSaysForWhichOne() throws Exception {
    ProcessCluster cluster = cluster(Duration.ofMillis(1_500));
    List<Waiting> all =
        List.of(
            progress -> cluster.start(2, progress),
            progress -> cluster.up(3, progress),
            cluster::addNode,
            progress -> cluster.provide(4, progress),
            progress -> cluster.dismiss(3, progress),
            progress -> cluster.engines().change(3, "file", progress),
            cluster.engines()::relax);
    try (DirectoryLock _ = DirectoryLock.acquire(directory, "cluster drain 4");
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<List<String>>> waiting =
          all.stream().map(each -> threads.submit(() -> said(each))).toList();
      for (Future<List<String>> each : waiting) {
        assertEquals(
            List.of("waits for this process (cluster drain 4) in " + directory), each.get());
      }
    }
    assertEquals(Set.of(1, 2, 3), files.nodes());
  }

  @Test
  void aCommandTellsThoseThatWaitWhatItIs() {
    ProcessCluster cluster = cluster(PATIENCE);
    List<String> holders = new ArrayList<>();
    assertThrows(
        ProcessClusterException.class,
        () ->
            cluster.up(
                _ -> {
                  holders.add(
                      assertThrows(
                              DirectoryInUseException.class, () -> DirectoryLock.acquire(directory))
                          .holder());
                  throw new ProcessClusterException("that is all");
                },
                _ -> {}));
    assertEquals(List.of("this process (cluster up)"), holders);
  }

  /** Its guard, and what it is told, stay as they are: the process may be the node's own. */
  @Test
  void aNodeWhosePortIsTakenIsLeftAsItIs() throws Exception {
    ProcessCluster cluster = cluster(SHORT);
    Files.writeString(files.log(2), "it ran before\n");
    String address = files.address(2);
    int port = Integer.parseInt(address.substring(address.indexOf(':') + 1));
    try (ServerSocket _ = new ServerSocket(port, 5, InetAddress.getLoopbackAddress())) {
      ProcessClusterException refused =
          assertThrows(ProcessClusterException.class, () -> cluster.start(2));
      assertTrue(
          String.valueOf(refused.getMessage()).contains("which another process has"),
          refused::toString);
    }
    assertFalse(guards.isWantedDown(2));
  }

  @Test
  void whatIsStartedBesideADownEndsWithIt() throws Exception {
    ProcessCluster starting = cluster(PATIENCE);
    ProcessCluster ending = cluster(PATIENCE);
    List<Exception> failed = new ArrayList<>();
    Thread down =
        new Thread(
            () -> {
              try {
                ending.down();
              } catch (Exception e) {
                failed.add(e);
              }
            });
    ProcessClusterException ended =
        assertThrows(
            ProcessClusterException.class,
            () ->
                starting.up(
                    3,
                    said -> {
                      if (said.equals("node 1 started")) {
                        down.start();
                        Await.until("nodes are ended", () -> guards.isWantedDown(3));
                      }
                    }));
    down.join();
    assertEquals(List.of(), failed);
    assertEquals(
        "the cluster in %s was ended meanwhile, by \"cluster down\": node 2 does not run"
            .formatted(directory),
        ended.getMessage());
    for (int node : files.nodes()) {
      assertTrue(guards.process(node).isEmpty(), "the guard of node " + node);
      assertTrue(guards.isWantedDown(node), "node " + node);
    }
    assertFalse(isStarted(3));
  }

  /** The one that hangs has no right any more to start a node. */
  @Test
  void downDoesNotWaitForACommandThatHangs() throws Exception {
    ProcessCluster cluster = cluster(SHORT);
    Files.writeString(files.turnMark(), "");
    try (DirectoryLock _ = DirectoryLock.acquire(directory)) {
      cluster.down();
      assertFalse(Files.exists(files.turnMark()));
      assertTrue(guards.isWantedDown(1));
    }
  }

  /** The command was killed: nothing of it keeps the next one from its turn. */
  @Test
  void aTurnThatWasNotGivenBackIsTakenAgain() throws Exception {
    ProcessCluster cluster = cluster(SHORT);
    Files.writeString(files.turnMark(), "");
    cluster.startDatabase(1);
    assertFalse(Files.exists(files.turnMark()));
  }
}
