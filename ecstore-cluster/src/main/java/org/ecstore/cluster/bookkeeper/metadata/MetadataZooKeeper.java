package org.ecstore.cluster.bookkeeper.metadata;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.bookkeeper.discover.BookieServiceInfo;
import org.apache.bookkeeper.discover.ZKRegistrationClient;
import org.apache.bookkeeper.net.BookieId;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.data.Stat;
import org.ecstore.cluster.zookeeper.BegunZooKeeper;
import org.ecstore.core.port.OperatorLog;
import org.ecstore.core.runtime.RateLimitedLog;
import org.ecstore.key.Bytes;

/**
 * A connection to ZooKeeper that outlives its sessions. No ephemeral nodes and no watches hang on
 * it, so a new session is as good as the old one. It is begun when the old one has ended; where
 * that does not succeed, as for want of memory for a thread, each call tries again, a second after
 * the last try. Safe for use by several threads.
 */
public final class MetadataZooKeeper implements Metadata {
  private static final long CONNECT_MILLIS = 10_000;

  /** Between two tries to begin a session. */
  private static final long AGAIN_NANOS = 1_000_000_000L;

  private final ClusterPaths paths;
  private final Sessions sessions;
  private final CountDownLatch connected = new CountDownLatch(1);

  /** Guarded by this, as what follows. */
  private final RateLimitedLog log;

  private ZooKeeper client;
  private long triedNanos;
  private boolean closed;

  /** Begins sessions. */
  interface Sessions {
    ZooKeeper begin(Watcher watcher) throws IOException;
  }

  private MetadataZooKeeper(ClusterPaths paths, Sessions sessions, OperatorLog log)
      throws IOException {
    this.paths = paths;
    this.sessions = sessions;
    synchronized (this) {
      this.log = new RateLimitedLog(log, System::nanoTime);
      this.triedNanos = System.nanoTime();
      this.client = open();
    }
  }

  /**
   * Connects, within ten seconds.
   *
   * @param log is told where a new session cannot be begun
   * @throws IOException if no server answers
   */
  public static MetadataZooKeeper connect(ClusterPaths paths, int sessionMillis, OperatorLog log)
      throws IOException {
    return connect(
        paths,
        watcher ->
            BegunZooKeeper.begin(
                paths.hosts(), sessionMillis, watcher, false, new ZKClientConfig()),
        log);
  }

  static MetadataZooKeeper connect(ClusterPaths paths, Sessions sessions, OperatorLog log)
      throws IOException {
    MetadataZooKeeper connection = new MetadataZooKeeper(paths, sessions, log);
    boolean reached = false;
    try {
      reached = connection.connected.await(CONNECT_MILLIS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      if (!reached) {
        connection.close();
      }
    }
    if (!reached) {
      throw new IOException("no ZooKeeper answers at " + paths.hosts());
    }
    return connection;
  }

  private ZooKeeper open() throws IOException {
    return sessions.begin(this::process);
  }

  private void process(WatchedEvent event) {
    if (event.getType() != EventType.None) {
      return;
    }
    if (event.getState() == KeeperState.SyncConnected) {
      connected.countDown();
    } else if (event.getState() == KeeperState.Expired) {
      renew();
    }
  }

  /** Of each session the end is told once only. */
  private synchronized void renew() {
    if (closed || client.getState().isAlive()) {
      return;
    }
    triedNanos = System.nanoTime();
    try {
      client = open();
      log.settled();
    } catch (IOException | RuntimeException | Error e) {
      log.warn("ledger: no new session with ZooKeeper yet, it is tried again: " + e);
    }
  }

  private synchronized ZooKeeper client() {
    if (!client.getState().isAlive() && System.nanoTime() - triedNanos >= AGAIN_NANOS) {
      renew();
    }
    return client;
  }

  /** Creates the cluster's node; whether BookKeeper's own metadata is still missing below it. */
  boolean createRoot() throws KeeperException, InterruptedException {
    createWithParents(paths.root());
    return client().exists(paths.bookKeeper(), false) == null;
  }

  /** Creates the list of segments unless it is there. */
  public void createSegments(byte[] data) throws KeeperException, InterruptedException {
    createWithParents(paths.root());
    create(paths.segments(), data);
  }

  private void createWithParents(String path) throws KeeperException, InterruptedException {
    for (int slash = path.indexOf('/', 1); slash >= 0; slash = path.indexOf('/', slash + 1)) {
      create(path.substring(0, slash), new byte[0]);
    }
    create(path, new byte[0]);
  }

  private void create(String path, byte[] data) throws KeeperException, InterruptedException {
    try {
      client().create(path, data, ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
    } catch (KeeperException.NodeExistsException e) {
      // As it should be.
    }
  }

  /** The list of segments, for who opens the ledger. */
  public byte[] segments() throws KeeperException, InterruptedException {
    return client().getData(paths.segments(), false, new Stat());
  }

  @Override
  public CompletableFuture<Versioned> readSegments() {
    CompletableFuture<Void> synced = new CompletableFuture<>();
    CompletableFuture<Versioned> result = new CompletableFuture<>();
    // A session's requests are served in their order; both must go to the same session.
    ZooKeeper session = client();
    session.sync(
        paths.segments(),
        (code, path, _) -> {
          if (code == KeeperException.Code.OK.intValue()) {
            synced.complete(null);
          } else {
            synced.completeExceptionally(failure(code, path));
          }
        },
        null);
    session.getData(
        paths.segments(),
        false,
        (code, path, _, data, stat) -> {
          if (code == KeeperException.Code.OK.intValue()) {
            result.complete(new Versioned(Bytes.wrap(data), stat.getVersion()));
          } else {
            result.completeExceptionally(failure(code, path));
          }
        },
        null);
    return synced.thenCombine(result, (_, read) -> read);
  }

  @Override
  public CompletableFuture<Integer> writeSegments(byte[] data, int version) {
    CompletableFuture<Integer> result = new CompletableFuture<>();
    client()
        .setData(
            paths.segments(),
            data,
            version,
            (code, path, _, stat) -> {
              if (code == KeeperException.Code.OK.intValue()) {
                result.complete(stat.getVersion());
              } else if (code == KeeperException.Code.BADVERSION.intValue()) {
                result.completeExceptionally(new VersionConflict(version));
              } else {
                result.completeExceptionally(failure(code, path));
              }
            },
            null);
    return result;
  }

  @Override
  public CompletableFuture<List<String>> writableBookies() {
    CompletableFuture<List<String>> result = new CompletableFuture<>();
    client()
        .getChildren(
            paths.writableBookies(),
            false,
            (int code, String path, Object _, List<String> children) -> {
              if (code == KeeperException.Code.OK.intValue()) {
                result.complete(
                    children.stream().filter(child -> !child.equals("readonly")).toList());
              } else {
                result.completeExceptionally(failure(code, path));
              }
            },
            null);
    return result;
  }

  /**
   * What a bookie that takes writes has said of itself, if it is registered, and it can be read.
   *
   * @throws KeeperException if ZooKeeper does not answer
   */
  public Optional<BookieServiceInfo> registration(String bookie)
      throws KeeperException, InterruptedException {
    // Its executor is for watches only.
    try (ScheduledExecutorService none = Executors.newSingleThreadScheduledExecutor()) {
      ZKRegistrationClient all = new ZKRegistrationClient(client(), paths.bookKeeper(), none, true);
      // It answers from what this has read.
      all.getWritableBookies().get(CONNECT_MILLIS, TimeUnit.MILLISECONDS);
      return Optional.of(
          all.getBookieServiceInfo(BookieId.parse(bookie))
              .get(CONNECT_MILLIS, TimeUnit.MILLISECONDS)
              .getValue());
    } catch (ExecutionException | TimeoutException _) {
      // It says nothing that can be read; or ZooKeeper does not answer, and this throws.
      var _ = isRegistered(bookie);
      return Optional.empty();
    }
  }

  /** Whether a bookie that takes writes is registered. */
  public boolean isRegistered(String bookie) throws KeeperException, InterruptedException {
    return client().exists(paths.writableBookies() + "/" + bookie, false) != null;
  }

  /** Removes the registration of a bookie that takes writes, unless it is gone. */
  public void removeRegistration(String bookie) throws KeeperException, InterruptedException {
    try {
      client().delete(paths.writableBookies() + "/" + bookie, -1);
    } catch (KeeperException.NoNodeException _) {
      // Its session has expired meanwhile.
    }
  }

  /** What a call has failed for: {@link Disconnected} where another try may do better. */
  public static IOException failure(int code, String path) {
    KeeperException cause = KeeperException.create(KeeperException.Code.get(code), path);
    String message = "ZooKeeper: " + cause.getMessage();
    return switch (cause.code()) {
      case CONNECTIONLOSS, SESSIONEXPIRED, SESSIONMOVED -> new Disconnected(message, cause);
      default -> new IOException(message, cause);
    };
  }

  @Override
  public void close() {
    ZooKeeper last;
    synchronized (this) {
      closed = true;
      last = client;
    }
    try {
      last.close();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
