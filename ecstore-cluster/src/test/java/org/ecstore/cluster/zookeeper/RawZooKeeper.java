package org.ecstore.cluster.zookeeper;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;

/** ZooKeeper's own client, blocking. */
public final class RawZooKeeper implements AutoCloseable {
  private static final int SESSION_MILLIS = 10_000;

  private final ZooKeeper client;

  private RawZooKeeper(ZooKeeper client) {
    this.client = client;
  }

  public static RawZooKeeper connect(String connectString)
      throws IOException, InterruptedException {
    CountDownLatch connected = new CountDownLatch(1);
    ZooKeeper client =
        new ZooKeeper(connectString, SESSION_MILLIS, event -> note(event, connected));
    if (!connected.await(60, TimeUnit.SECONDS)) {
      client.close();
      throw new AssertionError("no connection to " + connectString);
    }
    return new RawZooKeeper(client);
  }

  /** Takes over a session by its id and password, and ends it: for its owner it has expired. */
  public static void expire(String connectString, long session, byte[] password)
      throws IOException, InterruptedException {
    CountDownLatch connected = new CountDownLatch(1);
    ZooKeeper thief =
        new ZooKeeper(
            connectString, SESSION_MILLIS, event -> note(event, connected), session, password);
    if (!connected.await(60, TimeUnit.SECONDS)) {
      throw new AssertionError("no connection to " + connectString);
    }
    thief.close();
  }

  private static void note(org.apache.zookeeper.WatchedEvent event, CountDownLatch connected) {
    if (event.getState() == Watcher.Event.KeeperState.SyncConnected) {
      connected.countDown();
    }
  }

  public ZooKeeper client() {
    return client;
  }

  public void create(String path, String value) throws KeeperException, InterruptedException {
    client.create(
        path,
        value.getBytes(StandardCharsets.UTF_8),
        ZooDefs.Ids.OPEN_ACL_UNSAFE,
        CreateMode.PERSISTENT);
  }

  public String read(String path) throws KeeperException, InterruptedException {
    return new String(client.getData(path, false, null), StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    try {
      client.close();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
