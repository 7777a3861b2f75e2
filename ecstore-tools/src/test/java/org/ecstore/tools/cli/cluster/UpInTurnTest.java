package org.ecstore.tools.cli.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.ecstore.cluster.node.ExitStatus;
import org.ecstore.core.testing.Await;
import org.ecstore.server.file.DirectoryLock;
import org.ecstore.tools.cli.EcStoreMain;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code cluster up} that waits for its turn while another command changes the cluster. No process
 * is started: the port of node 1, which is said to have run, is the test's.
 */
@Timeout(60)
class UpInTurnTest {
  private static final String TAKEN = "node 1 is to listen on ";

  @TempDir private Path temp;

  private Path directory;
  private ServerSocket ofNode1;

  @BeforeEach
  void takePort() throws IOException {
    directory = temp.resolve("cluster");
    ofNode1 = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
  }

  @AfterEach
  void givePort() throws IOException {
    ofNode1.close();
  }

  /** No node hosts ZooKeeper, so that one that is added is refused. */
  private void make(int node) throws IOException {
    Path home = Files.createDirectories(directory.resolve("node-" + node));
    Files.writeString(
        home.resolve("ecstore.toml"),
        """
        coordination = "zookeeper"
        node.id = %d
        node.directory = "data"
        listen.port = %d
        zookeeper.connect = "127.0.0.1:2181"
        ledger.kind = "bookkeeper"
        """
            .formatted(node, ofNode1.getLocalPort()));
    Files.writeString(home.resolve("server.log"), "it ran before\n");
  }

  /** What happens while the command waits. */
  private interface Change {
    void happen() throws IOException;
  }

  /** What it says to which something happens while it waits. */
  private String up(Change change, String... options) throws Exception {
    List<String> words =
        new ArrayList<>(List.of("cluster", "up", "--dir", directory.toString(), "--wait", "30"));
    words.addAll(List.of(options));
    StringWriter said = new StringWriter();
    PrintWriter to = new PrintWriter(said, true);
    CompletableFuture<Integer> status;
    try (DirectoryLock _ = DirectoryLock.acquire(directory)) {
      status =
          CompletableFuture.supplyAsync(
              () ->
                  EcStoreMain.commandLine()
                      .setOut(to)
                      .setErr(to)
                      .execute(words.toArray(String[]::new)),
              Thread.ofVirtual()::start);
      Await.until("it waits", () -> said.toString().contains("waits "));
      change.happen();
    }
    assertEquals(ExitStatus.BAD_INPUT, status.get(30, TimeUnit.SECONDS), said::toString);
    return said.toString();
  }

  @Test
  void nodesAreCountedWhenNoOtherCommandChangesThem() throws Exception {
    for (int node = 1; node <= 3; node++) {
      make(node);
    }
    String said = up(() -> Files.writeString(directory.resolve("node-3/drained"), ""));
    assertTrue(said.contains(TAKEN), said);
    assertFalse(Files.exists(directory.resolve("node-4")), said);
  }

  @Test
  void whatIsForAClusterThatIsMadeIsRefusedOfOneThatWasMadeMeanwhile() throws Exception {
    String said = up(() -> make(1), "--spread", "users:uuid", "--nodes", "1");
    assertTrue(
        said.contains(
            "--spread is for a cluster that is made; the one in " + directory + " is there"),
        said);
    assertFalse(said.contains(TAKEN), said);
  }

  @Test
  void noNodeIsTakenAwayThatCameMeanwhile() throws Exception {
    make(1);
    String said = up(() -> make(2), "--nodes", "1");
    assertTrue(said.contains(directory + " has 2 nodes, and up takes none of them away"), said);
    assertFalse(said.contains(TAKEN), said);
  }
}
