package org.ecstore.tools.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.ecstore.cluster.node.ExitStatus;
import org.ecstore.cluster.process.NodeStatus;
import org.ecstore.cluster.process.ProcessCluster;
import org.ecstore.core.testing.Await;
import org.ecstore.id.NodeId;
import org.ecstore.tools.cli.EcStoreMain;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A cluster that was made to keep objectives, and a node that comes and goes as its script says.
 */
@Tag("slow")
@Timeout(300)
class ProvisionProcessTest {
  @TempDir private Path temp;

  private Path directory() {
    return temp.resolve("a cluster");
  }

  /** What a command came to. */
  private record Came(int status, String said) {}

  private Came run(String... args) {
    StringWriter said = new StringWriter();
    PrintWriter to = new PrintWriter(said, true);
    List<String> all = new ArrayList<>(List.of(args));
    all.addAll(List.of("--dir", directory().toString()));
    int status =
        EcStoreMain.commandLine().setOut(to).setErr(to).execute(all.toArray(String[]::new));
    return new Came(status, said.toString());
  }

  /** As a node does it. */
  private Came script(String verb, int node) throws IOException {
    Process process =
        new ProcessBuilder(
                "sh", directory().resolve("provision.sh").toString(), verb, Integer.toString(node))
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Came(process.onExit().join().exitValue(), said);
  }

  private static void assertCame(int status, String part, Came came) {
    assertTrue(came.said().contains(part), () -> "instead of \"" + part + "\": " + came);
    assertEquals(status, came.status(), came::said);
  }

  @AfterEach
  void endAll() {
    run("cluster", "down");
  }

  @Test
  void aNodeComesAndGoesAsTheScriptOfTheClusterSays() throws Exception {
    Path objectives =
        Files.writeString(
            temp.resolve("slo.toml"),
            """
            [shop]
            tables = ["users"]
            p99 = "20ms"
            rate = 400
            [reports]
            class = "best-effort"
            """);
    Came up =
        run(
            "cluster",
            "up",
            "--hosts",
            "3",
            "--engines",
            "rocksdb",
            "--relaxed",
            "--port",
            "0",
            "--slo",
            objectives.toString(),
            "--qos-mode",
            "observe",
            "--nodes-max",
            "4");
    assertCame(ExitStatus.OK, "mode observe, with 4 nodes at most", up);
    assertCame(ExitStatus.OK, "reports", run("slo", "status"));
    Came control = run("qos", "status");
    assertCame(ExitStatus.OK, "provision.sh", control);
    assertCame(ExitStatus.BAD_INPUT, "hosts a ZooKeeper server", script("remove", 3));

    // The node that leads and its successor may both have it run.
    CompletableFuture<Came> other =
        CompletableFuture.supplyAsync(() -> run("cluster", "provision", "add", "5"));
    Came added = script("add", 5);
    assertEquals(ExitStatus.OK, added.status(), added::said);
    assertEquals(ExitStatus.OK, other.join().status(), other.join()::said);
    List<String> both = List.of(added.said(), other.join().said());
    assertEquals(1, both.stream().filter(said -> said.contains("runs on")).count(), both::toString);
    assertEquals(
        1, both.stream().filter(said -> said.contains("is there already")).count(), both::toString);

    Await.until("it has something", () -> hasSomething(5));
    assertCame(ExitStatus.BAD_INPUT, "\"cluster drain 5\" gives them", script("remove", 5));
    assertCame(ExitStatus.OK, "nothing any more", run("cluster", "drain", "5"));
    assertCame(ExitStatus.OK, "node 5 has gone", script("remove", 5));
    assertCame(ExitStatus.OK, "node 5 had gone already", script("remove", 5));
    assertCame(ExitStatus.BAD_INPUT, "no number is used twice", script("add", 5));
    try (ProcessCluster cluster = ProcessCluster.in(directory(), Duration.ofSeconds(10))) {
      assertEquals("rocksdb", cluster.engineKind(5));
      assertEquals(
          Files.readString(directory().resolve("node-1/jvm.options")),
          Files.readString(directory().resolve("node-5/jvm.options")));
      assertFalse(cluster.isRunning(5));
      assertEquals(
          List.of(1, 2, 3),
          cluster.status().stream()
              .filter(each -> each.pid().isPresent())
              .map(NodeStatus::node)
              .toList());
      cluster.down();
    }
    assertCame(ExitStatus.BAD_INPUT, "no node of the cluster", script("add", 6));
  }

  private boolean hasSomething(int node) throws IOException {
    NodeId id = new NodeId(node);
    try (ProcessCluster cluster = ProcessCluster.in(directory(), Duration.ofSeconds(10))) {
      return cluster.map(cluster.status()).stream()
          .flatMap(map -> map.ranges().stream())
          .anyMatch(range -> range.primary().equals(id));
    }
  }
}
