package org.ecstore.cluster.zookeeper;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.ZKClientConfig;

/**
 * Begins clients of ZooKeeper. The library starts two threads within the constructor: where there
 * is room for the first one only the constructor throws, and that thread would go on to look for a
 * server, with nothing that could end it. So it is ended here.
 */
public final class BegunZooKeeper {
  private BegunZooKeeper() {}

  /** As the constructor with these arguments. */
  public static ZooKeeper begin(
      String connect, int sessionMillis, Watcher watcher, boolean readOnly, ZKClientConfig config)
      throws IOException {
    return begin(connect, sessionMillis, watcher, readOnly, config, () -> {});
  }

  /**
   * As the other.
   *
   * @param begun is run once both threads are, as a part of the constructor
   */
  @SuppressWarnings("try") // Its close may be interrupted, as that of its class.
  static ZooKeeper begin(
      String connect,
      int sessionMillis,
      Watcher watcher,
      boolean readOnly,
      ZKClientConfig config,
      Runnable begun)
      throws IOException {
    AtomicReference<Runnable> end = new AtomicReference<>(() -> {});
    try {
      ZooKeeper client =
          new ZooKeeper(connect, sessionMillis, watcher, readOnly, config) {
            // The constructor asks for it, before it starts anything.
            @Override
            public ZKClientConfig getClientConfig() {
              end.set(this::endThreads);
              return super.getClientConfig();
            }

            private void endThreads() {
              if (cnxn != null) {
                cnxn.disconnect();
              }
            }
          };
      begun.run();
      return client;
    } catch (IOException | RuntimeException | Error e) {
      end.get().run();
      throw e;
    }
  }
}
