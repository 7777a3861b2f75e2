package org.ecstore.cluster.bookkeeper.bookie;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.ecstore.cluster.bookkeeper.Notes;
import org.ecstore.cluster.process.FreePorts;
import org.ecstore.cluster.zookeeper.Ipv6;
import org.ecstore.cluster.zookeeper.server.EmbeddedZooKeeper;
import org.ecstore.core.testing.Await;
import org.ecstore.server.file.DirectoryInUseException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A bookie of its own process's making: what it serves, and what it refuses. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class EmbeddedBookieTest {
  @TempDir private static Path zooKeeperDirectory;

  private static EmbeddedZooKeeper zooKeeper;

  @TempDir private Path directory;

  private final Notes notes = new Notes();

  @BeforeAll
  static void startZooKeeper() throws IOException {
    zooKeeper =
        EmbeddedZooKeeper.standalone(
            zooKeeperDirectory, EmbeddedZooKeeper.LOOPBACK, 0, new Notes());
  }

  @AfterAll
  static void endZooKeeper() {
    zooKeeper.close();
  }

  private BookieSettings settings(String id, Path of, int port) {
    return BookieSettings.of(of, id, BookieSettings.LOOPBACK, port).withSessionMillis(2000);
  }

  private EmbeddedBookie start(String cluster, BookieSettings settings) throws IOException {
    return EmbeddedBookie.start(zooKeeper.connectString(), cluster, settings, notes);
  }

  private static void delete(Path tree) throws IOException {
    try (Stream<Path> files = Files.walk(tree)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  @Test
  void itServesUntilItIsClosedAndItsDirectoryOpensAgain() throws Exception {
    int port = new FreePorts().next();
    try (EmbeddedBookie bookie = start("again", settings("b1", directory, port))) {
      assertTrue(bookie.isRunning());
      assertThrows(
          DirectoryInUseException.class, () -> start("again", settings("b1", directory, 0)));
    }
    new ServerSocket(port, 1, InetAddress.getLoopbackAddress()).close();
    try (EmbeddedBookie bookie = start("again", settings("b1", directory, port))) {
      assertTrue(bookie.isRunning());
      assertEquals(port, bookie.port());
    }
    assertEquals(List.of(), notes.lines());
  }

  @Test
  void itServesOnIpv6AndComesBackThere() throws Exception {
    String host = Ipv6.loopback();
    int port = new FreePorts().next();
    try (EmbeddedZooKeeper six =
        EmbeddedZooKeeper.standalone(directory.resolve("zookeeper"), host, 0, notes)) {
      BookieSettings settings =
          BookieSettings.of(directory.resolve("bookie"), "b1", host, port).withSessionMillis(2000);
      for (int starts = 0; starts < 2; starts++) {
        try (EmbeddedBookie bookie =
            EmbeddedBookie.start(six.connectString(), "six", settings, notes)) {
          assertTrue(bookie.isRunning());
          new Socket(host, port).close();
        }
      }
    }
    assertEquals(List.of(), notes.lines());
  }

  @Test
  void closingEndsItsThreads() throws Exception {
    // What libraries start once for a process is started by this one.
    start("warm", settings("b1", directory.resolve("warm"), 0)).close();
    OwnThreads threads = new OwnThreads("bookie");
    EmbeddedBookie bookie =
        threads.start(() -> start("threads", settings("b1", directory.resolve("b"), 0)));
    assertFalse(threads.alive().isEmpty(), "a bookie has threads of its own");
    bookie.close();
    Await.until("its threads end", () -> threads.alive().isEmpty());
  }

  @Test
  void aBookieThatComesBackEmptyIsRefused() throws Exception {
    start("lost", settings("b1", directory.resolve("b1"), 0)).close();
    delete(directory.resolve("b1"));
    String message =
        String.valueOf(
            assertThrows(
                    BookieRefusedException.class,
                    () -> start("lost", settings("b1", directory.resolve("b1"), 0)))
                .getMessage());
    assertTrue(message.contains("b1") && message.contains("lost the data"), message);
    assertTrue(message.contains("new id"), message);
    start("lost", settings("b2", directory.resolve("b1-again"), 0)).close();
  }

  @Test
  void anotherBookiesDirectoryIsRefused() throws Exception {
    start("other", settings("b1", directory, 0)).close();
    String message =
        String.valueOf(
            assertThrows(
                    BookieRefusedException.class,
                    () -> start("other", settings("b2", directory, 0)))
                .getMessage());
    assertTrue(message.contains("belongs to bookie b1"), message);
  }

  @Test
  void anotherClustersDirectoryIsRefused() throws Exception {
    start("first", settings("b1", directory, 0)).close();
    String message =
        String.valueOf(
            assertThrows(
                    BookieRefusedException.class,
                    () -> start("second", settings("b1", directory, 0)))
                .getMessage());
    assertTrue(message.contains("another cluster"), message);
  }

  @Test
  void aMovedDirectoryIsRefused() throws Exception {
    start("moved", settings("b1", directory.resolve("old"), 0)).close();
    Files.move(directory.resolve("old"), directory.resolve("new"));
    String message =
        String.valueOf(
            assertThrows(
                    BookieRefusedException.class,
                    () -> start("moved", settings("b1", directory.resolve("new"), 0)))
                .getMessage());
    assertTrue(message.contains("move it back"), message);
    Files.move(directory.resolve("new"), directory.resolve("old"));
    start("moved", settings("b1", directory.resolve("old"), 0)).close();
  }

  @Test
  void aTakenPortIsRefused() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      BookieSettings settings = settings("b1", directory, taken.getLocalPort());
      String message =
          String.valueOf(
              assertThrows(BookieRefusedException.class, () -> start("port", settings))
                  .getMessage());
      assertTrue(message.contains("port " + taken.getLocalPort()), message);
    }
    start("port", settings("b1", directory, 0)).close();
  }

  @Test
  void aSecondBookieOfTheSameIdIsRefused() throws Exception {
    try (EmbeddedBookie bookie = start("twice", settings("b1", directory.resolve("1"), 0))) {
      assertThrows(
          BookieRefusedException.class,
          () -> start("twice", settings("b1", directory.resolve("2"), 0)));
      assertTrue(bookie.isRunning());
    }
  }

  @Test
  void withoutZooKeeperItIsRefused() throws Exception {
    int port = new FreePorts().next();
    String message =
        String.valueOf(
            assertThrows(
                    BookieRefusedException.class,
                    () ->
                        EmbeddedBookie.start(
                            "127.0.0.1:" + port, "none", settings("b1", directory, 0), notes))
                .getMessage());
    assertTrue(message.contains("ZooKeeper at 127.0.0.1:" + port), message);
  }

  @Test
  void aFullDiskIsSaid() throws Exception {
    BookieSettings settings = settings("b1", directory, 0).withDiskUsageMax(0.000_01f);
    try (EmbeddedBookie bookie = start("full", settings)) {
      assertTrue(notes.has("make room"), notes.lines()::toString);
      assertEquals("b1", bookie.id());
    } catch (BookieRefusedException e) {
      assertTrue(notes.has("make room"), e::toString);
    }
  }
}
