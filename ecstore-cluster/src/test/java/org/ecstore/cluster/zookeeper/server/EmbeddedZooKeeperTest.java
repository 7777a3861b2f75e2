package org.ecstore.cluster.zookeeper.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.apache.zookeeper.KeeperException;
import org.ecstore.cluster.process.FreePorts;
import org.ecstore.cluster.zookeeper.Ipv6;
import org.ecstore.cluster.zookeeper.Notes;
import org.ecstore.cluster.zookeeper.RawZooKeeper;
import org.ecstore.cluster.zookeeper.TestEnsembles;
import org.ecstore.core.testing.Await;
import org.ecstore.server.file.DirectoryInUseException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(180)
class EmbeddedZooKeeperTest {
  private static final Duration READY_WITHIN = Duration.ofSeconds(60);

  @TempDir private Path directory;

  private final Notes notes = new Notes();

  private EmbeddedZooKeeper standalone(int port) throws IOException {
    return EmbeddedZooKeeper.standalone(directory, EmbeddedZooKeeper.LOOPBACK, port, notes);
  }

  private EmbeddedZooKeeper member(int id, List<EnsembleMember> ensemble) throws IOException {
    return EmbeddedZooKeeper.member(directory.resolve("server-" + id), id, ensemble, notes);
  }

  private static int port(EmbeddedZooKeeper server) {
    String address = server.connectString();
    return Integer.parseInt(address.substring(address.indexOf(':') + 1));
  }

  @Test
  void whatWasWrittenIsThereAfterReopeningOnTheSamePort() throws Exception {
    int port = new FreePorts().next();
    try (EmbeddedZooKeeper server = standalone(port);
        RawZooKeeper client = RawZooKeeper.connect(server.connectString())) {
      assertTrue(server.isReady());
      client.create("/kept", "value");
    }
    for (int round = 0; round < 3; round++) {
      try (EmbeddedZooKeeper server = standalone(port);
          RawZooKeeper client = RawZooKeeper.connect(server.connectString())) {
        assertEquals(port, port(server));
        assertEquals("value", client.read("/kept"));
        client.create("/round" + round, "");
      }
    }
    assertEquals(List.of(), notes.warnings());
  }

  @Test
  @Tag("slow")
  void connectionsThatAnnounceMuchAndSendNothingTakeNoMoreThanAShareOfTheHeap() throws Exception {
    int more = 20;
    List<SocketChannel> silent = new ArrayList<>();
    try (EmbeddedZooKeeper server = standalone(0);
        RawZooKeeper client = RawZooKeeper.connect(server.connectString())) {
      InetSocketAddress address =
          new InetSocketAddress(InetAddress.getLoopbackAddress(), port(server));
      ByteBuffer announced = ByteBuffer.allocate(14).putInt(0xffffe);
      for (int i = 0; i < ServerDefaults.connectionsMax() + more; i++) {
        SocketChannel channel = SocketChannel.open(address);
        silent.add(channel);
        announced.rewind();
        channel.write(announced);
      }
      long ended = 0;
      for (SocketChannel channel : silent.reversed().subList(0, more)) {
        ended += isEnded(channel) ? 1 : 0;
      }
      assertEquals(more, ended);
      client.create("/served", "all the same");
      // Those that have no session go, and others have their seats.
      Await.until("another client is let in", () -> isLetIn(server));
    } finally {
      for (SocketChannel channel : silent) {
        channel.close();
      }
    }
  }

  /** Waits until the server has closed it. */
  private static boolean isEnded(SocketChannel channel) throws IOException {
    try {
      return channel.read(ByteBuffer.allocate(1)) < 0;
    } catch (SocketException reset) {
      return true;
    }
  }

  private static boolean isLetIn(EmbeddedZooKeeper server) throws Exception {
    try (RawZooKeeper another = RawZooKeeper.connect(server.connectString())) {
      return another.read("/served").equals("all the same");
    }
  }

  @Test
  void smallNodesTakeFewerConnections() {
    assertEquals(64, ServerDefaults.connectionsMax(384L << 20));
    assertEquals(512, ServerDefaults.connectionsMax(3L << 30));
    assertEquals(1_000, ServerDefaults.connectionsMax(64L << 30));
  }

  @Test
  void closingEndsEveryThreadAndFreesThePort() throws Exception {
    int port = new FreePorts().next();
    EmbeddedZooKeeper server = standalone(port);
    try (RawZooKeeper client = RawZooKeeper.connect(server.connectString())) {
      client.create("/some", "");
      assertFalse(threadsOf(directory).isEmpty());
      server.close();
    }
    assertEquals(List.of(), threadsOf(directory));
    try (ServerSocket free = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      assertEquals(port, free.getLocalPort());
    }
    assertFalse(server.isReady());
    server.close();
    assertEquals(List.of(), notes.warnings());
  }

  private static List<String> threadsOf(Path directory) throws IOException {
    String group = "zookeeper " + directory.toRealPath();
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> belongs(thread, group))
        .map(Thread::getName)
        .toList();
  }

  private static boolean belongs(Thread thread, String group) {
    ThreadGroup of = thread.getThreadGroup();
    return of != null && of.getName().startsWith(group);
  }

  @Test
  void aTakenPortIsNamed() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      int port = taken.getLocalPort();
      assertRefused(() -> standalone(port), "cannot listen on 127.0.0.1:" + port);
    }
    standalone(0).close();
  }

  @Test
  void anUnknownHostIsNamed() {
    assertRefused(
        () -> EmbeddedZooKeeper.standalone(directory, "nowhere.invalid", 0, notes),
        "cannot listen on nowhere.invalid:0: no such host");
  }

  @Test
  void aDirectoryIsOpenOnce() throws Exception {
    try (EmbeddedZooKeeper server = standalone(0)) {
      assertTrue(server.isReady());
      assertThrows(DirectoryInUseException.class, () -> standalone(0));
    }
  }

  @Test
  void aDamagedSnapshotIsRefusedAndNamed() throws Exception {
    try (EmbeddedZooKeeper server = standalone(0);
        RawZooKeeper client = RawZooKeeper.connect(server.connectString())) {
      client.create("/some", "");
    }
    List<Path> damaged = new ArrayList<>();
    try (Stream<Path> files = Files.list(directory.resolve("version-2"))) {
      for (Path file : files.filter(f -> f.toString().contains("snapshot.")).toList()) {
        byte[] content = Files.readAllBytes(file);
        content[content.length / 2] ^= 0x10;
        Files.write(file, content);
        damaged.add(file);
      }
    }
    assertFalse(damaged.isEmpty());
    assertRefused(
        () -> standalone(0),
        "cannot read its data in " + directory.toRealPath(),
        "Not able to find valid snapshots");
    assertEquals(List.of(), threadsOf(directory));
  }

  private interface Opening {
    EmbeddedZooKeeper open() throws IOException;
  }

  private static void assertRefused(Opening opening, String... said) {
    ZooKeeperStartException refused =
        assertThrows(ZooKeeperStartException.class, () -> opening.open().close());
    for (String part : said) {
      assertTrue(
          String.valueOf(refused.getMessage()).contains(part),
          refused.getMessage() + " should say: " + part);
    }
  }

  @Test
  void anEnsembleOfThreeServesWhileOneIsGoneAndTakesItBack() throws Exception {
    List<EnsembleMember> ensemble = TestEnsembles.of(3);
    EmbeddedZooKeeper one = member(1, ensemble);
    EmbeddedZooKeeper two = member(2, ensemble);
    EmbeddedZooKeeper three = member(3, ensemble);
    try (one;
        two;
        three;
        RawZooKeeper client = connect(one, two, three)) {
      client.create("/early", "1");
      // The highest id leads where all have seen the same.
      three.close();
      retry(() -> client.create("/late", "2"));
      try (EmbeddedZooKeeper back = member(3, ensemble)) {
        back.awaitReady(READY_WITHIN);
        try (RawZooKeeper other = RawZooKeeper.connect(ensemble.get(2).clientAddress())) {
          other.client().sync("/");
          assertEquals("1", other.read("/early"));
          assertEquals("2", other.read("/late"));
        }
      }
    }
    assertEquals(List.of(), threadsOf(directory));
    assertEquals(List.of(), notes.warnings());
  }

  @Test
  void anEnsembleServesOnIpv6() throws Exception {
    List<EnsembleMember> ensemble = TestEnsembles.of(3, Ipv6.loopback());
    try (EmbeddedZooKeeper one = member(1, ensemble);
        EmbeddedZooKeeper two = member(2, ensemble);
        RawZooKeeper client = connect(one, two)) {
      client.create("/six", "1");
      assertEquals("1", client.read("/six"));
    }
    assertEquals(List.of(), notes.warnings());
  }

  private static void clear(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  /** Of one that has forgotten and one that lags, none knows of what the third acknowledged. */
  @Test
  @Tag("slow")
  void anEmptiedMemberThatRejoinsHasNoVoteUntilItHasCopied() throws Exception {
    List<EnsembleMember> ensemble = TestEnsembles.of(3);
    EmbeddedZooKeeper lagging = member(3, ensemble);
    try (EmbeddedZooKeeper one = member(1, ensemble);
        EmbeddedZooKeeper two = member(2, ensemble);
        lagging;
        RawZooKeeper client = connect(one, two, lagging)) {
      client.create("/early", "1");
      lagging.close();
      retry(() -> client.create("/late", "2"));
    }
    Path emptied = directory.resolve("server-1");
    clear(emptied);
    Path rejoin = Files.createDirectories(emptied).resolve("rejoin");
    Files.createFile(rejoin);
    EmbeddedZooKeeper three = member(3, ensemble);
    try (EmbeddedZooKeeper one = member(1, ensemble);
        three) {
      assertThrows(ZooKeeperStartException.class, () -> three.awaitReady(Duration.ofSeconds(3)));
      assertFalse(one.isReady());
      try (EmbeddedZooKeeper two = member(2, ensemble)) {
        two.awaitReady(READY_WITHIN);
        one.awaitReady(READY_WITHIN);
        try (RawZooKeeper client = RawZooKeeper.connect(ensemble.get(0).clientAddress())) {
          assertEquals("1", client.read("/early"));
          assertEquals("2", client.read("/late"));
        }
        Await.until("the member has caught up", () -> !Files.exists(rejoin));
        // From now on it counts like any other.
        three.close();
        one.awaitReady(READY_WITHIN);
        try (RawZooKeeper client = RawZooKeeper.connect(ensemble.get(0).clientAddress())) {
          retry(() -> client.create("/again", "3"));
        }
      }
    }
    EmbeddedZooKeeper.mustRemember(emptied, ensemble);
    try (EmbeddedZooKeeper one = member(1, ensemble);
        EmbeddedZooKeeper two = member(2, ensemble);
        RawZooKeeper client = connect(one, two)) {
      assertEquals("3", client.read("/again"));
    }
  }

  @Test
  void aServerThatHasForgottenIsRefusedAndToldWhatToDo() throws Exception {
    List<EnsembleMember> ensemble = TestEnsembles.of(3);
    List<EnsembleMember> one = ensemble.subList(0, 1);
    Path nowhere = directory.resolve("zookeeper");
    String several = refusal(nowhere, ensemble);
    assertTrue(
        several.contains("Restore the directory from a backup, or, when all other"), several);
    assertTrue(several.contains("create an empty file " + nowhere.resolve("rejoin")), several);
    assertFalse(Files.exists(nowhere));
    // What a start leaves that came to nothing is no data.
    Files.createDirectories(nowhere.resolve("version-2"));
    Files.writeString(nowhere.resolve("myid"), "1");
    Files.writeString(nowhere.resolve("version-2/acceptedEpoch"), "1");
    assertEquals(several, refusal(nowhere, ensemble));

    Files.createFile(nowhere.resolve("rejoin"));
    EmbeddedZooKeeper.mustRemember(nowhere, ensemble);
    for (List<EnsembleMember> alone : List.of(one, List.<EnsembleMember>of())) {
      String said = refusal(nowhere, alone);
      assertTrue(said.endsWith("Restore the directory from a backup"), said);
    }
    EmbeddedZooKeeper.standalone(directory.resolve("new"), EmbeddedZooKeeper.LOOPBACK, 0, notes)
        .close();
    EmbeddedZooKeeper.mustRemember(directory.resolve("new"), List.of());
  }

  private static String refusal(Path directory, List<EnsembleMember> ensemble) {
    return String.valueOf(
        assertThrows(
                ZooKeeperStartException.class,
                () -> EmbeddedZooKeeper.mustRemember(directory, ensemble))
            .getMessage());
  }

  private static RawZooKeeper connect(EmbeddedZooKeeper... servers) throws Exception {
    for (EmbeddedZooKeeper server : servers) {
      server.awaitReady(READY_WITHIN);
    }
    return RawZooKeeper.connect(servers[0].connectString());
  }

  private interface Call {
    void run() throws KeeperException, InterruptedException;
  }

  /** A call over a lost connection may have taken effect. */
  private static void retry(Call call) {
    Await.until("a call is answered", () -> isDone(call));
  }

  private static boolean isDone(Call call) throws KeeperException, InterruptedException {
    try {
      call.run();
      return true;
    } catch (KeeperException.NodeExistsException e) {
      return true;
    } catch (KeeperException.ConnectionLossException e) {
      return false;
    }
  }

  @Test
  void aMemberAloneSaysThatOthersAreMissing() throws Exception {
    try (EmbeddedZooKeeper alone = member(1, TestEnsembles.of(3))) {
      ZooKeeperStartException refused =
          assertThrows(
              ZooKeeperStartException.class, () -> alone.awaitReady(Duration.ofMillis(300)));
      assertTrue(
          String.valueOf(refused.getMessage()).contains("fewer than half of its ensemble"),
          refused.getMessage());
    }
    assertEquals(List.of(), threadsOf(directory));
  }

  @Test
  void aMembersTakenPortIsNamed() throws Exception {
    List<EnsembleMember> ensemble = TestEnsembles.of(3);
    for (int port :
        List.of(
            ensemble.get(0).quorumPort(),
            ensemble.get(0).electionPort(),
            ensemble.get(0).clientPort())) {
      try (ServerSocket taken = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
        assertRefused(
            () -> member(1, ensemble), "cannot listen on 127.0.0.1:" + taken.getLocalPort());
      }
    }
  }

  @Test
  void anotherMembersDirectoryIsRefused() throws Exception {
    List<EnsembleMember> ensemble = TestEnsembles.of(3);
    Path mine = directory.resolve("server-1");
    EmbeddedZooKeeper.member(mine, 1, ensemble, notes).close();
    assertRefused(
        () -> EmbeddedZooKeeper.member(mine, 2, ensemble, notes),
        "belongs to ZooKeeper server 1, and this is server 2");
  }

  @Test
  void anEnsembleWithoutTheMemberOrWithOneTwiceIsRefused() throws Exception {
    List<EnsembleMember> ensemble = TestEnsembles.of(2);
    assertThrows(IllegalArgumentException.class, () -> member(7, ensemble));
    List<EnsembleMember> twice = List.of(ensemble.get(0), ensemble.get(0));
    assertThrows(IllegalArgumentException.class, () -> member(1, twice));
  }

  @Test
  void anEnsembleOfOneIsAServerOfItsOwn() throws Exception {
    List<EnsembleMember> one = TestEnsembles.of(1);
    try (EmbeddedZooKeeper server = member(1, one);
        RawZooKeeper client = RawZooKeeper.connect(server.connectString())) {
      client.create("/some", "x");
      assertEquals("x", client.read("/some"));
    }
  }
}
