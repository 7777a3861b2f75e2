package org.ecstore.cluster.zookeeper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.ZKClientConfig;
import org.ecstore.core.testing.Await;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.opentest4j.AssertionFailedError;

@Timeout(60)
class BegunZooKeeperTest {
  /** The library names its threads after the one that begins them. */
  private static final String BEGINS = "begins-zookeeper";

  private final AtomicReference<Object> end = new AtomicReference<>("");

  private static long running() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith(BEGINS + "-"))
        .count();
  }

  private void begin(Runnable begun) {
    try {
      end.set(
          BegunZooKeeper.begin(
              "127.0.0.1:1", 10_000, event -> {}, false, new ZKClientConfig(), begun));
    } catch (IOException | OutOfMemoryError e) {
      end.set(e);
    }
  }

  private void beginOnAThread(Runnable begun) throws InterruptedException {
    Thread thread = new Thread(() -> begin(begun), BEGINS);
    thread.start();
    thread.join();
  }

  /**
   * As where there is no room for a thread; each try would leave some. Here both threads run before
   * the error comes, which takes more to end than the first one alone.
   */
  @Test
  void ofOneThatCannotBeBegunNoThreadStays() throws Exception {
    beginOnAThread(
        () -> {
          if (running() < 2) {
            throw new AssertionFailedError("its threads have other names");
          }
          throw new OutOfMemoryError("unable to create native thread");
        });
    assertInstanceOf(OutOfMemoryError.class, end.get());
    Await.until("no thread", () -> running() == 0);
    beginOnAThread(() -> {});
    ZooKeeper begun = assertInstanceOf(ZooKeeper.class, end.get());
    assertEquals(2, running());
    begun.close();
    Await.until("no thread", () -> running() == 0);
  }
}
