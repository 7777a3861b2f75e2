package org.ecstore.tools.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import org.ecstore.cluster.node.ExitStatus;
import org.ecstore.cluster.process.FreePorts;
import org.ecstore.core.testing.Await;
import org.ecstore.server.ChildProcess;
import org.ecstore.tools.cli.EcStoreMain;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code ecstore server} with ZooKeeper and bookies, when something is in its way. */
@Timeout(120)
class ClusterNodeProcessTest {
  @TempDir private Path temp;

  private final FreePorts ports = new FreePorts();
  private final int zooKeeper = ports.next();
  private final int bookie = ports.next();

  /** The first node hosts ZooKeeper and the only bookie; others use them. */
  private Path config(int node, int ensemble) throws IOException {
    return config(Integer.toString(node), node, ensemble, "1min");
  }

  /** Of a name of its own among the files. */
  private Path config(String name, int node, int ensemble, String session) throws IOException {
    return Files.writeString(
        temp.resolve("node-" + name + ".toml"),
        """
        coordination = "zookeeper"
        cluster.secret = "a secret of a test, and no more than that"
        node.id = %1$d
        node.directory = "data-%7$s"
        listen.port = 0
        ledger.kind = "bookkeeper"
        ledger.ensemble = %2$d
        ledger.write-quorum = %2$d
        ledger.ack-quorum = %6$d
        bookie.enabled = %3$b
        bookie.port = %4$d
        stop.timeout = "1h"
        log.file = "server-%7$s.log"

        [zookeeper]
        %5$s
        session-timeout = "%8$s"
        """
            .formatted(
                node,
                ensemble,
                node == 1,
                bookie,
                node == 1
                    ? "embedded = true\nport = " + zooKeeper
                    : "connect = \"127.0.0.1:" + zooKeeper + '"',
                ensemble / 2 + 1,
                name,
                session));
  }

  private static ChildProcess start(Path config) throws IOException {
    return new ChildProcess(EcStoreMain.class, "server", "--config", config);
  }

  private static void assertServes(ChildProcess server) throws IOException {
    assertSays("serving on", server.lineOnceItServes());
  }

  private static void awaitLine(ChildProcess server, String part) throws IOException {
    assertSays(part, server.line());
  }

  private static void assertSays(String part, String line) {
    assertTrue(line.contains(part), () -> "instead of \"" + part + "\": " + line);
  }

  private void awaitLog(int node, String part) {
    Path log = temp.resolve("server-" + node + ".log");
    Await.until(
        "the log says: " + part, () -> Files.exists(log) && Files.readString(log).contains(part));
  }

  private void assertRefused(int port, String reason) throws Exception {
    try (ServerSocket _ = new ServerSocket(port, 1, InetAddress.getLoopbackAddress());
        ChildProcess server = start(config(1, 1))) {
      String said = server.rest();
      assertEquals(2, server.exitStatus(), said);
      assertEquals(1, said.lines().count(), said);
      assertTrue(said.contains(reason), said);
    }
    // A start that is refused leaves nothing of a new node behind.
    assertFalse(Files.exists(temp.resolve("data-1")));
  }

  @Test
  void portsOfZooKeeperAndOfTheBookieMustBeFree() throws Exception {
    assertRefused(zooKeeper, "cannot listen on 127.0.0.1:" + zooKeeper);
    assertRefused(bookie, "cannot listen on 127.0.0.1:" + bookie);
  }

  @Test
  void nodeThatWaitsForZooKeeperSaysSoAndStopsWhenTold() throws Exception {
    try (ChildProcess server = start(config(2, 1))) {
      awaitLine(server, "node 2 waits for ZooKeeper");
      server.terminate();
      assertEquals("", server.rest());
      assertEquals(0, server.exitStatus());
    }
  }

  @Test
  void nodeThatLacksBookiesSaysSoAndStopsWhenTold() throws Exception {
    try (ChildProcess server = start(config(1, 3))) {
      awaitLine(server, "node 1 does not serve yet");
      awaitLog(1, "cannot take over the ledger yet");
      server.terminate();
      assertEquals("", server.rest());
      assertEquals(0, server.exitStatus());
    }
    String log = Files.readString(temp.resolve("server-1.log"));
    assertTrue(log.contains("bookies"), log);
    assertFalse(log.contains("Exception"), log);
  }

  @Test
  @Tag("slow")
  void secondSignalEndsADepartureWithoutAnHeir() throws Exception {
    try (ChildProcess server = start(config(1, 1));
        ChildProcess other = start(config(2, 1))) {
      assertServes(server);
      assertServes(other);
      // It counts as there for a minute, and takes nothing over.
      signal("STOP", other);
      server.terminate();
      awaitLog(1, "node 1 departs");
      server.terminate();
      assertEquals("", server.rest());
      assertEquals(0, server.exitStatus());
      signal("KILL", other);
    }
    String log = Files.readString(temp.resolve("server-1.log"));
    assertTrue(log.contains("is told to stop before it handed over"), log);
    assertTrue(log.contains("node 1 has ended"), log);
    assertFalse(log.contains("Exception"), log);
  }

  /** Its directory is empty, so it cannot be the node that is a member. */
  @Test
  @Tag("slow")
  void secondNodeOfOneIdIsRefused() throws Exception {
    try (ChildProcess server = start(config(1, 1));
        ChildProcess other = start(config(2, 1))) {
      assertServes(server);
      assertServes(other);
      Path config = config("second", 2, 1, "500ms");
      try (ChildProcess second = start(config)) {
        String said = second.rest();
        assertEquals(2, second.exitStatus(), said);
        assertTrue(said.contains("node 2 waits: a node with this id is a member"), said);
        assertTrue(said.contains("give each node its own node.id"), said);
        assertEquals(2, said.lines().count(), said);
      }
      assertFalse(Files.exists(temp.resolve("data-second/identity")));
      assertFalse(Files.readString(temp.resolve("server-2.log")).contains("started again"));
      other.terminate();
      server.terminate();
      assertEquals(0, other.exitStatus());
      assertEquals(0, server.exitStatus());
    }
  }

  /** A node that was restarted while its session lives is what this looks like. */
  @Test
  @Tag("slow")
  void nodeThatWasStartedAgainElsewhereEnds() throws Exception {
    try (ChildProcess server = start(config(1, 1));
        ChildProcess early = start(config(2, 1))) {
      assertServes(server);
      assertServes(early);
      Path config = config("late", 2, 1, "1min");
      Files.createDirectories(temp.resolve("data-late"));
      Files.copy(temp.resolve("data-2/identity"), temp.resolve("data-late/identity"));
      try (ChildProcess late = start(config)) {
        String said = early.rest();
        assertEquals(ExitStatus.GIVEN_WAY, early.exitStatus(), said);
        assertEquals(
            "node 2 was started again elsewhere (incarnation 2): this process ends."
                + " Give each node its own node.id",
            said.strip());
        signal("KILL", late);
      }
      signal("KILL", server);
    }
    String log = Files.readString(temp.resolve("server-2.log"));
    assertFalse(log.contains("stopped by a bug"), log);
    assertFalse(log.contains("Exception"), log);
  }

  private static void signal(String name, ChildProcess process)
      throws IOException, InterruptedException {
    String pid = Long.toString(process.pid());
    assertEquals(0, new ProcessBuilder("kill", "-" + name, pid).start().waitFor());
  }
}
