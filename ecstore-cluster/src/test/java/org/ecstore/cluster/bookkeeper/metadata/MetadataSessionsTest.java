package org.ecstore.cluster.bookkeeper.metadata;

import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.zookeeper.ZooKeeper;
import org.ecstore.cluster.bookkeeper.Notes;
import org.ecstore.cluster.zookeeper.RawZooKeeper;
import org.ecstore.cluster.zookeeper.server.EmbeddedZooKeeper;
import org.ecstore.core.testing.Await;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The list of segments is read again after each end of a session. */
@Timeout(value = 180, unit = TimeUnit.SECONDS)
class MetadataSessionsTest {
  private static final int SESSION_MILLIS = 10_000;

  @TempDir private Path directory;

  private final Notes notes = new Notes();
  private final AtomicInteger tries = new AtomicInteger();
  private final AtomicReference<ZooKeeper> latest = new AtomicReference<>();

  private static boolean isRead(MetadataZooKeeper metadata) throws Exception {
    return metadata.readSegments().handle((read, _) -> read != null).get(60, TimeUnit.SECONDS);
  }

  /** As where the machine has no room for its two threads at that moment. */
  @Test
  void sessionThatCannotBeBegunAtOnceIsBegunLater() throws Exception {
    try (EmbeddedZooKeeper server =
        EmbeddedZooKeeper.standalone(directory, EmbeddedZooKeeper.LOOPBACK, 0, notes)) {
      ClusterPaths paths = ClusterPaths.of(server.connectString(), "sessions");
      MetadataZooKeeper.Sessions sessions =
          watcher -> {
            if (tries.incrementAndGet() == 2) {
              throw new OutOfMemoryError("unable to create native thread");
            }
            ZooKeeper begun = new ZooKeeper(paths.hosts(), SESSION_MILLIS, watcher);
            latest.set(begun);
            return begun;
          };
      try (MetadataZooKeeper metadata = MetadataZooKeeper.connect(paths, sessions, notes)) {
        metadata.createSegments(new byte[] {1});
        ZooKeeper first = latest.get();
        RawZooKeeper.expire(paths.hosts(), first.getSessionId(), first.getSessionPasswd());
        Await.until("a try", () -> tries.get() > 1);
        Await.until("another session", () -> isRead(metadata) && !latest.get().equals(first));
        assertNotSame(first, latest.get());
      }
      assertTrue(notes.has("no new session with ZooKeeper yet"), notes.lines()::toString);
    }
  }
}
