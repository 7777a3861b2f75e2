package org.ecstore.cluster.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.ecstore.client.Codec;
import org.ecstore.client.EcStore;
import org.ecstore.client.Table;
import org.ecstore.cluster.process.NodeStatus.State;
import org.ecstore.core.testing.Await;
import org.ecstore.key.Tuple;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A node of {@code cluster up}, one for all tests, with its guard: each a process of its own. */
@Timeout(180)
@Order(1)
class GuardedNodeProcessTest {
  private static final Duration PATIENCE = Duration.ofSeconds(90);
  private static final Table<String> WORDS = Table.of("words", Codec.utf8());

  @TempDir private static Path directory;
  private static ProcessCluster cluster;
  private static Guards guards;

  /** How often the node had ended by itself before this test. */
  private int endingsBefore;

  @BeforeAll
  static void open() throws IOException {
    cluster = ProcessCluster.in(directory, PATIENCE);
    guards = new Guards(new ClusterFiles(directory, NewCluster.DEFAULT));
    Files.createDirectories(directory.resolve("node-1"));
    Files.writeString(
        directory.resolve("node-1/ecstore.toml"),
        "node.id = 1\nnode.directory = \"data\"\nlisten.port = " + new FreePorts().next() + "\n");
  }

  @AfterAll
  static void endAll() throws IOException, InterruptedException {
    cluster.down();
    cluster.close();
  }

  /** The node serves, as an earlier test has left it or started again. */
  @BeforeEach
  void up() throws Exception {
    cluster.up(1, _ -> {});
    endingsBefore = cluster.endings(1).size();
  }

  /** Since this test began. */
  private List<String> endings() throws IOException {
    List<String> all = cluster.endings(1);
    return all.subList(endingsBefore, all.size());
  }

  private NodeStatus only() throws IOException {
    return cluster.status().getFirst();
  }

  private OwnProcess node() throws IOException {
    ClusterFiles files = new ClusterFiles(directory, NewCluster.DEFAULT);
    return OwnProcess.find(files.pidFile(1), files.configFile(1).toString()).orElseThrow();
  }

  private OwnProcess guard() throws IOException {
    return guards.process(1).orElseThrow();
  }

  private static void kill(OwnProcess process) throws IOException, InterruptedException {
    process.signal("KILL");
    assertTrue(process.awaitEnd(PATIENCE));
  }

  @Test
  void nodeThatIsKilledFromOutsideComesBackAndServes() throws Exception {
    OwnProcess first = node();
    try (EcStore store = EcStore.connect(cluster.addresses())) {
      store.execute(tx -> tx.put(WORDS, Tuple.of("one"), "1"));
    }
    kill(first);
    Await.until(
        "another process serves",
        () -> only().state() == State.SERVING && !only().pid().equals(Optional.of(first.pid())));
    try (EcStore store = EcStore.connect(cluster.addresses())) {
      assertEquals(
          Optional.of("1"),
          store.<Optional<String>, RuntimeException>read(
              snapshot -> snapshot.get(WORDS, Tuple.of("one"))));
    }
    assertEquals(1, endings().size());
    assertTrue(endings().getFirst().contains(" node 1 ended by signal 9 after "));
    assertEquals(Optional.empty(), only().guard());
  }

  /** As soon as the threads of what had it have all ended. */
  private static ServerSocket take(int port) {
    return Await.present("the port is free", () -> taken(port));
  }

  private static Optional<ServerSocket> taken(int port) throws IOException {
    try {
      return Optional.of(new ServerSocket(port, 1, InetAddress.getLoopbackAddress()));
    } catch (BindException e) {
      return Optional.empty();
    }
  }

  /** What keeps it from starting passes by itself, and then it serves again. */
  @Test
  @Tag("slow")
  void nodeWhosePortIsTakenForAWhileComesBack() throws Exception {
    OwnProcess first = node();
    int port = Integer.parseInt(only().address().replaceAll(".*:", ""));
    kill(first);
    try (ServerSocket _ = take(port)) {
      Await.until("the node ends again", () -> endings().size() >= 2);
    }
    assertTrue(endings().get(1).contains(" ended with status 3 "));
    Await.until("the node serves", () -> only().state() == State.SERVING);
  }

  @Test
  void nodeThatIsWantedDownStaysDownUntilItIsStarted() throws Exception {
    OwnProcess guard = guard();
    cluster.kill(1);
    assertEquals(State.DOWN, only().state());
    assertFalse(guard.isRunning());

    cluster.start(1);
    OwnProcess next = guard();
    assertNotEquals(guard.pid(), next.pid());
    cluster.stop(1);
    assertEquals(State.DOWN, only().state());
    assertFalse(next.isRunning());
    assertEquals(List.of(), endings());
  }

  @Test
  void downLeavesNeitherNodeNorGuard() throws Exception {
    OwnProcess node = node();
    OwnProcess guard = guard();
    cluster.down();
    assertFalse(node.isRunning());
    assertFalse(guard.isRunning());

    // Also one that is just about to start its node again.
    cluster.start(1);
    OwnProcess later = guard();
    kill(node());
    cluster.down();
    assertFalse(later.isRunning());
    assertEquals(State.DOWN, only().state());
    assertEquals(Optional.empty(), cluster.status().getFirst().pid());
  }

  @Test
  void nodeWhoseGuardIsKilledRunsOnAndStatusSaysSo() throws Exception {
    OwnProcess guard = guard();
    OwnProcess node = node();
    kill(guard);
    assertEquals(State.SERVING, only().state());
    assertEquals(node.pid(), only().pid().orElseThrow());
    assertTrue(only().guard().orElseThrow().startsWith("its guard has ended"));

    cluster.stop(1);
    assertEquals(Optional.empty(), only().guard());
    cluster.start(1);
    assertTrue(guard().isRunning());
    assertEquals(Optional.empty(), only().guard());
  }

  @Test
  @Tag("slow")
  void nodeThatRefusesToStartIsNotTriedAgainAndStatusSaysWhy() throws Exception {
    OwnProcess guard = guard();
    OwnProcess node = node();
    Path config = directory.resolve("node-1/ecstore.toml");
    String good = Files.readString(config);
    Files.writeString(config, good + "no.such.key = 1\n");
    kill(node);
    assertTrue(guard.awaitEnd(PATIENCE));
    Files.writeString(config, good);
    assertEquals(State.DOWN, only().state());
    assertTrue(only().guard().orElseThrow().contains("refuses to start and stays down"));
    cluster.start(1);
    assertEquals(Optional.empty(), only().guard());
  }
}
