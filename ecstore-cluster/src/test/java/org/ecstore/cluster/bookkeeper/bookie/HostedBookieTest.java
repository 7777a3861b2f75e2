package org.ecstore.cluster.bookkeeper.bookie;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.bookkeeper.client.api.BookKeeper;
import org.apache.bookkeeper.client.api.DigestType;
import org.apache.bookkeeper.client.api.LedgerEntries;
import org.apache.bookkeeper.client.api.ReadHandle;
import org.apache.bookkeeper.client.api.WriteHandle;
import org.apache.bookkeeper.conf.ClientConfiguration;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;
import org.ecstore.cluster.bookkeeper.Notes;
import org.ecstore.cluster.bookkeeper.metadata.ClusterPaths;
import org.ecstore.cluster.zookeeper.server.EmbeddedZooKeeper;
import org.ecstore.core.testing.Await;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A bookie that ends by itself comes back by itself. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class HostedBookieTest {
  private static final byte[] PASSWORD = "p".getBytes(StandardCharsets.UTF_8);

  @TempDir private Path directory;

  private final Notes notes = new Notes();
  private final OwnThreads threads = new OwnThreads("hosted");
  private EmbeddedZooKeeper zooKeeper;
  private ClusterPaths paths;
  private HostedBookie hosted;

  @BeforeEach
  void start() throws Exception {
    zooKeeper =
        EmbeddedZooKeeper.standalone(
            directory.resolve("zookeeper"), EmbeddedZooKeeper.LOOPBACK, 0, notes);
    paths = ClusterPaths.of(zooKeeper.connectString(), "hosted");
    hosted =
        threads.start(
            () ->
                HostedBookie.start(
                    zooKeeper.connectString(),
                    "hosted",
                    BookieSettings.of(directory.resolve("b1"), "b1", BookieSettings.LOOPBACK, 0)
                        .withSessionMillis(2000),
                    notes));
    assertEquals(Optional.empty(), hosted.trouble());
  }

  @AfterEach
  void end() {
    hosted.close();
    zooKeeper.close();
  }

  private BookKeeper client() throws Exception {
    ClientConfiguration configuration = new ClientConfiguration();
    configuration.setMetadataServiceUri(paths.metadataUri());
    return BookKeeper.newBuilder(configuration).build();
  }

  private interface Use<T> {
    T of(BookKeeper client) throws Exception;
  }

  private <T> T use(Use<T> use) throws Exception {
    BookKeeper client = client();
    try {
      return use.of(client);
    } finally {
      client.close();
    }
  }

  private long write(String text) throws Exception {
    return use(
        client -> {
          WriteHandle handle =
              client
                  .newCreateLedgerOp()
                  .withEnsembleSize(1)
                  .withWriteQuorumSize(1)
                  .withAckQuorumSize(1)
                  .withDigestType(DigestType.CRC32C)
                  .withPassword(PASSWORD)
                  .execute()
                  .get();
          handle.append(text.getBytes(StandardCharsets.UTF_8));
          handle.close();
          return handle.getId();
        });
  }

  private String read(long ledger) throws Exception {
    return use(
        client -> {
          ReadHandle handle =
              client
                  .newOpenLedgerOp()
                  .withLedgerId(ledger)
                  .withDigestType(DigestType.CRC32C)
                  .withPassword(PASSWORD)
                  .execute()
                  .get();
          try (LedgerEntries entries = handle.read(0, 0)) {
            return new String(entries.getEntry(0).getEntryBytes(), StandardCharsets.UTF_8);
          } finally {
            handle.close();
          }
        });
  }

  private ZooKeeper connect(long session, byte[] password) throws Exception {
    CountDownLatch connected = new CountDownLatch(1);
    Watcher watcher =
        event -> {
          if (event.getState() == Watcher.Event.KeeperState.SyncConnected) {
            connected.countDown();
          }
        };
    String connect = zooKeeper.connectString();
    ZooKeeper client =
        session == 0
            ? new ZooKeeper(connect, 10_000, watcher)
            : new ZooKeeper(connect, 10_000, watcher, session, password);
    assertTrue(connected.await(60, TimeUnit.SECONDS));
    return client;
  }

  /** Takes over a session and ends it; what a server makes of an id and asks for is no secret. */
  private void expire(long session) throws Exception {
    byte[] password = new byte[16];
    new Random(session ^ 0xB3415C00L).nextBytes(password);
    connect(session, password).close();
  }

  @Test
  void aBookieThatWasShutDownComesBackWithWhatItHad() throws Exception {
    long before = write("before");
    EmbeddedBookie first = hosted.running().orElseThrow();
    first.inner().getBookie().shutdown();
    Await.until("another one", () -> hosted.running().filter(now -> now != first).isPresent());
    assertEquals(Optional.empty(), hosted.trouble());
    assertEquals("before", read(before));
    assertEquals("after", read(write("after")));
    assertEquals(1, notes.lines().stream().filter(line -> line.contains("by itself")).count());
    assertTrue(notes.has("bookie b1: it serves again"), notes.lines()::toString);
  }

  @Test
  void aBookieWhoseSessionExpiresRegistersAgain() throws Exception {
    String registration = paths.writableBookies() + "/b1";
    ZooKeeper eye = connect(0, new byte[0]);
    try {
      long session = eye.exists(registration, false).getEphemeralOwner();
      expire(session);
      Await.until(
          "another session",
          () -> {
            Stat now = eye.exists(registration, false);
            return now != null && now.getEphemeralOwner() != session;
          });
      assertEquals("after", read(write("after")));
    } finally {
      eye.close();
    }
  }

  /** As where the machine has no room for its threads, or a file of a class was replaced. */
  @Test
  void aBookieWhoseStartMeetsAnErrorIsStartedOnceMore() throws Exception {
    AtomicInteger starts = new AtomicInteger();
    BookieSettings settings =
        BookieSettings.of(directory.resolve("b2"), "b2", BookieSettings.LOOPBACK, 0)
            .withSessionMillis(2000);
    HostedBookie second =
        HostedBookie.start(
            () -> {
              if (starts.incrementAndGet() == 2) {
                throw new NoClassDefFoundError("org/example/Missing");
              }
              return EmbeddedBookie.start(zooKeeper.connectString(), "hosted", settings, notes);
            },
            notes);
    try {
      EmbeddedBookie first = second.running().orElseThrow();
      first.inner().getBookie().shutdown();
      Await.until("another one", () -> second.running().filter(now -> now != first).isPresent());
      assertEquals(Optional.empty(), second.trouble());
      assertEquals(3, starts.get());
      assertTrue(
          notes.has("bookie b2: it cannot be started again yet: java.lang.NoClassDefFoundError"),
          notes.lines()::toString);
    } finally {
      second.close();
    }
  }

  @Test
  @Tag("slow")
  void aBookieThatCannotRegisterAgainSaysWhyAndComesBackWhenItCan() throws Exception {
    long before = write("before");
    String registration = paths.writableBookies() + "/b1";
    ZooKeeper other = connect(0, new byte[0]);
    try {
      // Another session has its place, so that BookKeeper gives up.
      long session = other.exists(registration, false).getEphemeralOwner();
      other.delete(registration, -1);
      other.create(registration, new byte[0], ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.EPHEMERAL);
      expire(session);
      Await.until("the end", () -> hosted.trouble().isPresent());
      Await.until("the reason", () -> notes.has("could not register with ZooKeeper"));
      Await.until("a try", () -> notes.has("cannot be started again yet"));
      // The first try may come before ZooKeeper answers again: then it says that.
      Await.until("why", () -> notes.has("another bookie with this id is running"));
      assertTrue(hosted.running().isEmpty());
    } finally {
      other.close();
    }
    Await.until("the bookie", () -> hosted.running().isPresent());
    assertEquals(Optional.empty(), hosted.trouble());
    assertEquals("before", read(before));
    assertEquals("after", read(write("after")));
  }

  @Test
  void closingEndsABookieThatIsNotBackYet() throws Exception {
    ZooKeeper other = connect(0, new byte[0]);
    try {
      hosted.running().orElseThrow().inner().getBookie().shutdown();
      Await.until("the end", () -> hosted.trouble().isPresent());
      hosted.close();
      assertFalse(threads.alive().contains("ecstore-bookie"), () -> threads.alive().toString());
    } finally {
      other.close();
    }
  }
}
