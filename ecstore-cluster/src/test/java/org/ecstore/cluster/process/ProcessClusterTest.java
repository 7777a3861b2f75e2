package org.ecstore.cluster.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
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
import java.util.Optional;
import org.ecstore.client.Codec;
import org.ecstore.client.EcStore;
import org.ecstore.client.Table;
import org.ecstore.cluster.flags.JvmFlags;
import org.ecstore.cluster.node.NodeResources;
import org.ecstore.cluster.process.NodeStatus.State;
import org.ecstore.cluster.zookeeper.server.EmbeddedZooKeeper;
import org.ecstore.core.port.OperatorLog;
import org.ecstore.key.Tuple;
import org.ecstore.model.Route;
import org.ecstore.protocol.ClientReply.CopyLine;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** A cluster of one process with a ledger of its own, which starts fast, through its whole life. */
@Timeout(120)
class ProcessClusterTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Table<String> WORDS = Table.of("words", Codec.utf8());

  private static final OperatorLog SILENT =
      new OperatorLog() {
        @Override
        public void info(String text) {}

        @Override
        public void warn(String text) {}
      };

  @TempDir private Path directory;
  private ProcessCluster cluster;

  @BeforeEach
  void open() throws IOException {
    cluster = ProcessCluster.in(directory, PATIENCE);
    Files.createDirectories(directory.resolve("node-1"));
    Files.writeString(
        directory.resolve("node-1/ecstore.toml"),
        "node.id = 1\nnode.directory = \"data\"\nlisten.port = " + new FreePorts().next() + "\n");
  }

  @AfterEach
  void endAll() throws IOException, InterruptedException {
    cluster.down();
    cluster.close();
  }

  private NodeStatus only() throws IOException {
    List<NodeStatus> all = cluster.status();
    assertEquals(1, all.size());
    return all.getFirst();
  }

  private static void assertRefused(String reason, Executable call) {
    ProcessClusterException refused = assertThrows(ProcessClusterException.class, call);
    assertTrue(String.valueOf(refused.getMessage()).contains(reason), refused::getMessage);
  }

  @Test
  void nodeIsStartedKilledPausedAndStopped() throws Exception {
    assertEquals(State.DOWN, only().state());
    assertRefused("node 1 does not run", () -> cluster.kill(1));
    assertRefused("there is no node 2", () -> cluster.start(2));

    List<String> said = new ArrayList<>();
    cluster.up(1, said::add);
    assertEquals(List.of("node 1 started", "node 1 serves on " + cluster.addresses()), said);
    NodeStatus serving = only();
    assertEquals(State.SERVING, serving.state());
    assertTrue(serving.sequencing());
    assertEquals(Optional.of(1), cluster.sequencer());
    assertEquals(
        String.join(" ", JvmFlags.ofMemory(NodeResources.SMALL.flags())), cluster.flags(1));
    long pid = serving.pid().orElseThrow();
    List<Route> ranges = cluster.map(List.of(serving)).orElseThrow().ranges();
    assertEquals(
        serving.seen().orElseThrow().copies().stream().map(CopyLine::range).toList(),
        ranges.stream().map(Route::range).toList());

    // Another object, as of another command, finds the same process and leaves it alone.
    try (ProcessCluster same = ProcessCluster.in(directory, PATIENCE)) {
      same.up(1, _ -> {});
      assertEquals(Optional.of(pid), same.status().getFirst().pid());
      assertRefused("node 1 runs already", () -> same.start(1));
    }

    try (EcStore store = EcStore.connect(cluster.addresses())) {
      store.execute(tx -> tx.put(WORDS, Tuple.of("one"), "1"));
    }
    cluster.pause(1);
    assertEquals(State.PAUSED, only().state());
    cluster.resume(1);
    cluster.awaitServing(1);

    cluster.kill(1);
    assertEquals(State.DOWN, only().state());
    assertEquals(Optional.empty(), cluster.map(cluster.status()));
    cluster.start(1);
    assertNotEquals(Optional.of(pid), only().pid());
    try (EcStore store = EcStore.connect(cluster.addresses())) {
      assertEquals(
          Optional.of("1"),
          store.<Optional<String>, RuntimeException>read(
              snapshot -> snapshot.get(WORDS, Tuple.of("one"))));
    }

    cluster.stop(1);
    assertEquals(State.DOWN, only().state());
    assertTrue(Files.readString(cluster.log(1)).contains("node 1 has ended"));

    String address = cluster.address(1);
    int port = Integer.parseInt(address.substring(address.indexOf(':') + 1));
    try (ServerSocket _ = new ServerSocket(port, 5, InetAddress.getLoopbackAddress())) {
      assertRefused(address + ", which another process has", () -> cluster.up(1, _ -> {}));
    }
  }

  /** The real thing, as small as it gets: ZooKeeper, a bookie and the node in one process. */
  @Test
  void nodeWithZooKeeperAndABookieKeepsItsDataAndItsCluster() throws Exception {
    Path other = directory.resolve("replicated");
    try (ProcessCluster replicated = ProcessCluster.in(other, PATIENCE)) {
      try {
        replicated.up(1, _ -> {});
        try (EcStore store = EcStore.connect(replicated.addresses())) {
          store.execute(tx -> tx.put(WORDS, Tuple.of("one"), "1"));
        }
        replicated.kill(1);
        replicated.start(1);
        try (EcStore store = EcStore.connect(replicated.addresses())) {
          assertEquals(
              Optional.of("1"),
              store.<Optional<String>, RuntimeException>read(
                  snapshot -> snapshot.get(WORDS, Tuple.of("one"))));
        }
        replicated.stop(1);
        String log = Files.readString(replicated.log(1));
        assertTrue(log.contains("did not hand over: no other node is there"), log);

        Path zooKeeper = other.resolve("node-1/data/zookeeper");
        Files.move(zooKeeper, other.resolve("lost"));
        assertRefused("zookeeper holds no data, although", () -> replicated.start(1));

        // As if it were connected to another ZooKeeper, where it must leave no trace.
        EmbeddedZooKeeper.standalone(zooKeeper, EmbeddedZooKeeper.LOOPBACK, 0, SILENT).close();
        for (int round = 0; round < 2; round++) {
          assertRefused("it has no file part-of, which the rest has", () -> replicated.start(1));
        }
        Files.move(zooKeeper, other.resolve("foreign"));
        Files.move(other.resolve("lost"), zooKeeper);
        replicated.start(1);
      } finally {
        replicated.down();
      }
    }
  }

  @Test
  void aForeignProcessIsNeverTakenForANode() throws Exception {
    // This very process: its id is used, and not by a node.
    Path pidFile = directory.resolve("node-1/server.pid");
    ProcessHandle self = ProcessHandle.current();
    long started = self.info().startInstant().orElseThrow().toEpochMilli();
    Files.writeString(pidFile, self.pid() + " " + started + "\n");
    assertEquals(State.DOWN, only().state());
    assertRefused("node 1 does not run", () -> cluster.kill(1));
    cluster.down();

    Files.writeString(pidFile, "not a number\n");
    assertRefused("holds no process id", () -> cluster.status());
    Files.delete(pidFile);
  }

  @Test
  void nodeThatEndsIsSaidWithTheLastLineOfItsLog() throws Exception {
    Files.writeString(directory.resolve("node-1/ecstore.toml"), "listen.prt = 3\n");
    assertRefused("listen.prt", () -> cluster.up(1, _ -> {}));
    try (ServerSocket other = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      int port = other.getLocalPort();
      Files.writeString(
          directory.resolve("node-1/ecstore.toml"),
          "node.id = 1\nnode.directory = \"data\"\nlisten.port = " + port + "\n");
      assertRefused("cannot listen on 127.0.0.1:" + port, () -> cluster.up(1, _ -> {}));
    }
  }
}
