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
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.ecstore.cluster.node.ExitStatus;
import org.ecstore.cluster.process.NodeStatus;
import org.ecstore.cluster.process.ProcessCluster;
import org.ecstore.core.testing.Await;
import org.ecstore.id.NodeId;
import org.ecstore.server.Release;
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
    List<String> all = new ArrayList<>(List.of(args));
    all.addAll(List.of("--dir", directory().toString()));
    return plain(all.toArray(String[]::new));
  }

  /** Without a directory. */
  private static Came plain(String... args) {
    StringWriter said = new StringWriter();
    PrintWriter to = new PrintWriter(said, true);
    return new Came(EcStoreMain.commandLine().setOut(to).setErr(to).execute(args), said.toString());
  }

  /** As where nodes are on machines of their own: by addresses, and a copy of the secret. */
  private void operatorsNeedNoDirectory() throws IOException {
    String nodes;
    try (ProcessCluster cluster = ProcessCluster.in(directory(), Duration.ofSeconds(10))) {
      nodes = cluster.addresses();
    }
    String first = nodes.substring(0, nodes.indexOf(','));
    String secret = directory().resolve("cluster.secret").toString();
    assertCame(ExitStatus.OK, "reports", plain("slo", "status", "--at", nodes));
    String[] mail = {"slo", "set", "mail", "--class", "best-effort", "--at", first};
    assertCame(ExitStatus.BAD_INPUT, "--at goes with --secret-file", plain(mail));
    List<String> proven = new ArrayList<>(List.of(mail));
    proven.addAll(List.of("--secret-file", secret));
    assertCame(ExitStatus.OK, "best effort of weight 1", plain(proven.toArray(String[]::new)));
    assertCame(ExitStatus.OK, "mail", plain("slo", "history", "--at", first));
    String[] ofNodes = {"slo", "history", "--nodes", "--json", "--at", first};
    Await.until(
        "all nodes have told", () -> plain(ofNodes).said().split("\"busyPercent\"", -1).length > 3);
    assertCame(ExitStatus.OK, "cache hits", plain("slo", "history", "--nodes", "--at", first));
    assertCame(
        ExitStatus.BAD_INPUT,
        "mutually exclusive",
        plain("slo", "history", "shop", "--nodes", "--at", first));
    assertCame(ExitStatus.OK, "mode: observe", plain("qos", "mode", "--at", first));
    assertCame(ExitStatus.OK, "provision.sh", plain("qos", "status", "--at", first));
    assertCame(
        ExitStatus.OK, "best effort of weight 1", plain("cluster", "decisions", "--at", first));
    assertCame(
        ExitStatus.OK,
        "\"cause\":\"operator\"",
        plain("cluster", "decisions", "--json", "--at", first));
    assertCame(ExitStatus.BAD_INPUT, "not both", run("slo", "status", "--at", nodes));
    assertCame(ExitStatus.BAD_INPUT, "not both", run("cluster", "status", "--at", nodes));
    Came status = plain("cluster", "status", "--at", first);
    for (String part : List.of("serving", nodes.substring(nodes.lastIndexOf(',') + 1), "primary")) {
      assertCame(ExitStatus.OK, part, status);
    }
    assertFalse(status.said().contains("under-replicated"), status::said);
    assertCame(
        ExitStatus.OK,
        "\"state\":\"serving\"",
        plain("cluster", "status", "--at", first, "--json"));
    assertCame(
        ExitStatus.OK, "primary", plain("cluster", "status", "--at", first, "--range", "x'01'"));
    assertCame(
        ExitStatus.BAD_INPUT, "no node answers", plain("cluster", "status", "--at", "127.0.0.1:1"));
    assertCame(
        ExitStatus.BAD_INPUT,
        "--at goes with --secret-file",
        plain("cluster", "drain", "3", "--at", first));
    assertCame(ExitStatus.BAD_INPUT, "not both", run("cluster", "decisions", "--at", nodes));
    Path wrong = Files.writeString(temp.resolve("wrong"), "x".repeat(40) + "\n");
    Files.setPosixFilePermissions(wrong, PosixFilePermissions.fromString("rw-------"));
    proven.set(proven.size() - 1, wrong.toString());
    proven.addAll(List.of("--wait", "1"));
    assertEquals(ExitStatus.BAD_INPUT, plain(proven.toArray(String[]::new)).status());
  }

  private Came drainedByAddresses(int node) throws IOException {
    try (ProcessCluster cluster = ProcessCluster.in(directory(), Duration.ofSeconds(10))) {
      return plain(
          "cluster",
          "drain",
          Integer.toString(node),
          "--at",
          cluster.address(1),
          "--secret-file",
          directory().resolve("cluster.secret").toString());
    }
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
            "--capacity",
            "2",
            "--slo",
            objectives.toString(),
            "--table",
            table().toString(),
            "--qos-mode",
            "observe",
            "--nodes-max",
            "4");
    assertCame(ExitStatus.OK, "mode observe, with 4 nodes at most: ", up);
    assertCame(ExitStatus.OK, "the cluster goes by table reads", up);
    assertCame(ExitStatus.OK, "on 3 nodes; consulted", run("qos", "table", "list"));
    assertCame(ExitStatus.OK, "is removed", run("qos", "table", "remove", "reads"));
    assertCame(
        ExitStatus.OK,
        "mode observe, with 4 nodes at most, as before",
        run("cluster", "up", "--slo", objectives.toString()));
    plansAreByTheTablesOfTheCluster(objectives.toString());
    assertCame(ExitStatus.OK, "reports", run("slo", "status"));
    Came control = run("qos", "status");
    assertCame(ExitStatus.OK, "provision.sh", control);
    operatorsNeedNoDirectory();
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
    assertCame(ExitStatus.OK, "joins anew", drainedByAddresses(5));
    assertCame(ExitStatus.OK, "nothing any more", run("cluster", "drain", "5"));
    try (ProcessCluster cluster = ProcessCluster.in(directory(), Duration.ofSeconds(10))) {
      cluster.engines().leave(5, "je");
    }
    assertCame(ExitStatus.OK, "node 5 has gone", script("remove", 5));
    assertCame(ExitStatus.OK, "node 5 had gone already", script("remove", 5));
    assertCame(ExitStatus.BAD_INPUT, "no number is used twice", script("add", 5));
    try (ProcessCluster cluster = ProcessCluster.in(directory(), Duration.ofSeconds(10))) {
      assertEquals("rocksdb", cluster.engines().kind(5));
      assertFalse(cluster.engines().isChanging(5), "it was not drained for that");
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

  /** Of nodes as they are here. */
  private Path table() throws IOException {
    return Files.writeString(
        temp.resolve("reads.csv"),
        """
        # engine: rocksdb
        # class: standard
        # build: %s
        # capacity: 2
        # reads-percent: 100
        # record-bytes: 1000
        # p99 of each cell
        clients,servers,ms,MB/s,p99 ms
        4,3,5,1,10
        8,3,6,2,12
        """
            .formatted(Release.version()));
  }

  private void plansAreByTheTablesOfTheCluster(String objectives) throws IOException {
    Path table = table();
    String[] plan = {"qos", "plan", "--clients", "8", "--p99", "20ms"};
    assertCame(ExitStatus.BAD_INPUT, "the cluster keeps none (qos table use)", run(plan));
    assertCame(ExitStatus.OK, "goes by table", run("qos", "table", "use", table.toString()));
    Came planned = run(plan);
    assertCame(ExitStatus.OK, "3 nodes (rocksdb, class standard) will do for 8 clients", planned);
    assertTrue(planned.said().replaceAll(" +", " ").contains("by table reads"), planned::said);
    assertCame(ExitStatus.OK, "by table", run("qos", "plan", "--slo", objectives));
    assertCame(
        ExitStatus.BAD_INPUT,
        "give one of these",
        run("qos", "plan", "--slo", objectives, "--table", table.toString()));
    assertCame(ExitStatus.OK, "is removed", run("qos", "table", "remove", "reads"));
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
