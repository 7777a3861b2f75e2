package org.ecstore.cluster.bookkeeper.bookie;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.ecstore.cluster.bookkeeper.Notes;
import org.ecstore.cluster.process.FreePorts;
import org.ecstore.cluster.zookeeper.ProxyServer;
import org.ecstore.cluster.zookeeper.server.EmbeddedZooKeeper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** ZooKeeper takes the registration of a bookie, and the bookie does not hear of it. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class LostRegistrationTest {
  /**
   * Far longer than a client needs to connect again, also on a slow machine: a registration that
   * has gone with its session is made anew, and none is refused.
   */
  private static final int SESSION_MILLIS = 8_000;

  @TempDir private Path directory;

  private final Notes notes = new Notes();

  private EmbeddedBookie start(String zooKeeper, int port) throws Exception {
    BookieSettings settings =
        BookieSettings.of(directory.resolve("b1"), "b1", BookieSettings.LOOPBACK, port)
            .withSessionMillis(SESSION_MILLIS);
    return EmbeddedBookie.start(zooKeeper, "lost", settings, notes);
  }

  /** BookKeeper asks again, is told that the registration is there, and takes it for another's. */
  @Test
  void aBookieIsNotTakenForAnotherOne() throws Exception {
    try (EmbeddedZooKeeper zooKeeper =
            EmbeddedZooKeeper.standalone(
                directory.resolve("zookeeper"), EmbeddedZooKeeper.LOOPBACK, 0, notes);
        ProxyServer proxy = new ProxyServer(zooKeeper.connectString())) {
      int port = new FreePorts().next();
      proxy.loseReplyToCreate("available/b1");
      BookieRefusedException refused =
          assertThrows(BookieRefusedException.class, () -> start(proxy.connectString(), port));
      assertTrue(refused.isTemporary(), refused::toString);
      try (EmbeddedBookie again = start(proxy.connectString(), port)) {
        assertEquals("b1", again.id());
      }
    }
  }
}
