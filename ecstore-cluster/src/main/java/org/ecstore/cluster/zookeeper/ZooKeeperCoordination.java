package org.ecstore.cluster.zookeeper;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.apache.curator.CuratorZookeeperClient;
import org.apache.curator.ensemble.fixed.FixedEnsembleProvider;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.ZKClientConfig;
import org.ecstore.cluster.zookeeper.server.ZooKeeperStartException;
import org.ecstore.core.port.Coordination;
import org.ecstore.core.port.Event;
import org.ecstore.core.port.OperatorLog;
import org.ecstore.core.runtime.EachInTurn;
import org.ecstore.core.runtime.RateLimitedLog;
import org.ecstore.id.NodeId;
import org.ecstore.server.coordination.CoordinationService;
import org.ecstore.server.refusal.Outlook;

/**
 * Coordination for the nodes of one process with those of others, on ZooKeeper. Curator's client
 * keeps the session: it connects, connects again, and begins a new session when the old one has
 * ended. {@link ProcessCoordination} does the rest, on a thread of its own. Safe for use by several
 * threads.
 *
 * <p>Rejected: Curator's framework and recipes. Its calls are repeated, or held back until there is
 * a connection again; a compare-and-set must be sent once, and its node must learn that the outcome
 * is unknown. And the recipes for membership and election keep one znode each, so that the two tell
 * different stories for a while; here the entry of a member is also its vote.
 */
public final class ZooKeeperCoordination implements CoordinationService {
  private static final Pattern CONNECT_STRING =
      Pattern.compile("[^,/\\s:]+:\\d{1,5}(,[^,/\\s:]+:\\d{1,5})*");

  private static final Duration TRY_AGAIN = Duration.ofMillis(50);

  /** What a message has around a value. */
  private static final int MESSAGE_BYTES = 64 << 10;

  private static final int MESSAGE_BYTES_DEFAULT = 0xfffff;

  private final CuratorZookeeperClient client;
  private final String connectString;
  private final Layout layout;
  private final ZooKeeperSettings settings;
  private final OperatorLog log;

  /** Of what is tried again and again; the worker's. */
  private final RateLimitedLog repeated;

  private final ProcessCoordination nodes;

  private ZooKeeperCoordination(
      String connectString, Layout layout, ZooKeeperSettings settings, OperatorLog log) {
    this.connectString = connectString;
    this.layout = layout;
    this.settings = settings;
    this.log = log;
    this.repeated = new RateLimitedLog(log, System::nanoTime);
    this.nodes =
        new ProcessCoordination(
            connectString,
            layout,
            new ThreadWorker("ecstore-coordination", this::failed),
            this::currentSession,
            settings,
            log,
            new ProcessCoordination.Parts());
    this.client = newClient();
  }

  /**
   * Connects, and makes what a cluster needs if it is not there.
   *
   * @param connectString {@code host:port}, or several with commas between
   * @param clusterName different clusters know nothing of each other; letters, digits, '_', '-',
   *     '.'
   * @throws IllegalArgumentException if the connect string or the name is malformed
   * @throws ZooKeeperStartException if ZooKeeper does not answer in time, or refuses
   */
  public static ZooKeeperCoordination open(
      String connectString, String clusterName, ZooKeeperSettings settings, OperatorLog log)
      throws IOException {
    if (!CONNECT_STRING.matcher(connectString).matches()) {
      throw new IllegalArgumentException(
          "'" + connectString + "' is not of the form host:port or host:port,host:port");
    }
    Layout layout = Layout.of(clusterName);
    ZooKeeperCoordination coordination =
        new ZooKeeperCoordination(connectString, layout, settings, log);
    boolean done = false;
    try {
      coordination.client.start();
      coordination.awaitConnection();
      for (String path : layout.permanent()) {
        coordination.createOrReadAt(path, ZooKeeperSession.NOTHING);
      }
      coordination.start();
      done = true;
      return coordination;
    } catch (IOException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new ZooKeeperStartException(
          "cannot use ZooKeeper at " + connectString + ": " + e, e, Outlook.SOON);
    } finally {
      if (!done) {
        coordination.close();
      }
    }
  }

  private CuratorZookeeperClient newClient() {
    ZKClientConfig config = new ZKClientConfig();
    config.setProperty(
        ZKClientConfig.JUTE_MAXBUFFER,
        Integer.toString(
            Math.max(MESSAGE_BYTES_DEFAULT, settings.valueBytesMax() + MESSAGE_BYTES)));
    return new CuratorZookeeperClient(
        (connect, sessionMillis, watcher, readOnly) ->
            BegunZooKeeper.begin(connect, sessionMillis, watcher, readOnly, config),
        new FixedEnsembleProvider(connectString),
        Math.toIntExact(settings.session().toMillis()),
        Math.toIntExact(settings.connectWithin().toMillis()),
        this::connectionChanged,
        (_, _, _) -> false,
        false);
  }

  private void awaitConnection() throws IOException {
    try {
      if (!client.blockUntilConnectedOrTimedOut()) {
        throw new ZooKeeperStartException(
            "no ZooKeeper server answers at "
                + connectString
                + " within "
                + settings.connectWithin().toMillis()
                + " ms: start one, or correct the address",
            Outlook.SOON);
      }
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  private static ZooKeeperStartException interrupted(InterruptedException e) {
    Thread.currentThread().interrupt();
    return new ZooKeeperStartException("interrupted while waiting for ZooKeeper", e, Outlook.SOON);
  }

  private void start() {
    int given = client.getLastNegotiatedSessionTimeoutMs();
    if (given > settings.session().toMillis()) {
      log.warn(
          "coordination: ZooKeeper at %s gives sessions of %d ms and not of %d (its"
                  .formatted(connectString, given, settings.session().toMillis())
              + " minSessionTimeout): it takes that much longer to notice that a node is gone");
    }
    nodes.start();
  }

  /** Comes on threads of the library. */
  private void connectionChanged(WatchedEvent event) {
    if (event.getType() == Watcher.Event.EventType.None) {
      nodes.connectionChanged(event.getState() == Watcher.Event.KeeperState.SyncConnected);
    }
  }

  private Optional<ZooKeeperSession> currentSession() {
    try {
      ZooKeeper current = client.getZooKeeper();
      boolean isConnected = current.getState().isConnected();
      if (isConnected) {
        repeated.settled();
      }
      return isConnected
          ? Optional.of(
              new ZooKeeperSession(new AsyncZooKeeper.OfClient(current), current.getSessionId()))
          : Optional.empty();
    } catch (Exception e) {
      // Not for good: it is tried again when there is news, and from time to time.
      repeated.warn("coordination: ZooKeeper at " + connectString + " cannot be used: " + e);
      return Optional.empty();
    }
  }

  @Override
  public Coordination handle(NodeId node, Consumer<Event> sink) {
    return nodes.handle(node, sink);
  }

  @Override
  public void end(NodeId node) {
    nodes.end(node);
  }

  /**
   * Ends the membership of an incarnation of a node of another process, because it looks dead. If
   * it lives nevertheless it announces itself again, as the youngest member. Suspecting a node
   * again within the time of a session does nothing, nor does it without a connection to ZooKeeper.
   */
  @Override
  public void suspect(NodeId node, long incarnation) {
    nodes.suspect(node, incarnation);
  }

  /**
   * The text under a name of the cluster, which is the given one if there was none: so the first
   * process of a cluster settles its id, and the others learn it.
   *
   * @param name letters, digits, '_', '-', '.'
   * @throws ZooKeeperStartException if ZooKeeper does not answer in time, or refuses
   */
  public String createOrRead(String name, String value) throws IOException {
    byte[] found = createOrReadAt(layout.named(name), value.getBytes(StandardCharsets.UTF_8));
    return new String(found, StandardCharsets.UTF_8);
  }

  /**
   * The member of an id at present, of whatever process.
   *
   * @throws ZooKeeperStartException if ZooKeeper does not answer, or refuses
   */
  public Optional<Coordination.Member> member(NodeId node) throws IOException {
    try {
      return Membership.newest(client.getZooKeeper().getChildren(layout.members(), false), node);
    } catch (InterruptedException e) {
      throw interrupted(e);
    } catch (Exception e) {
      throw new ZooKeeperStartException(
          "ZooKeeper at " + connectString + " does not say who is a member: " + e.getMessage(),
          e,
          Outlook.SOON);
    }
  }

  /**
   * The text under a name of the cluster, as all processes have it; absent if there is none.
   *
   * @throws ZooKeeperStartException if ZooKeeper does not answer in time, or refuses
   */
  public Optional<String> read(String name) throws IOException {
    String path = layout.named(name);
    return tried(path, () -> readOnce(path))
        .map(found -> new String(found, StandardCharsets.UTF_8));
  }

  private Optional<byte[]> readOnce(String path) throws Exception {
    ZooKeeper current = client.getZooKeeper();
    // A server may be behind; what follows in this session waits until it is not.
    current.sync(path, (_, _, _) -> {}, null);
    try {
      return Optional.of(current.getData(path, false, null));
    } catch (KeeperException.NoNodeException e) {
      return Optional.empty();
    }
  }

  private byte[] createOrReadAt(String path, byte[] value) throws IOException {
    return tried(path, () -> createOrReadOnce(path, value));
  }

  /** Something that may be done again. */
  private interface Once<T> {
    T run() throws Exception;
  }

  private <T> T tried(String path, Once<T> once) throws IOException {
    long deadline = System.nanoTime() + settings.connectWithin().toNanos();
    while (true) {
      try {
        return once.run();
      } catch (KeeperException.ConnectionLossException
          | KeeperException.SessionExpiredException
          | KeeperException.OperationTimeoutException
          | KeeperException.SessionMovedException e) {
        if (System.nanoTime() - deadline > 0) {
          throw unusable(path, e);
        }
      } catch (InterruptedException e) {
        throw interrupted(e);
      } catch (Exception e) {
        throw unusable(path, e);
      }
      try {
        Thread.sleep(TRY_AGAIN);
      } catch (InterruptedException e) {
        throw interrupted(e);
      }
    }
  }

  private byte[] createOrReadOnce(String path, byte[] value) throws Exception {
    ZooKeeper current = client.getZooKeeper();
    try {
      current.create(path, value, ZooKeeperSession.OPEN, CreateMode.PERSISTENT);
      return value;
    } catch (KeeperException.NodeExistsException e) {
      return current.getData(path, false, null);
    }
  }

  private ZooKeeperStartException unusable(String path, Exception cause) {
    return new ZooKeeperStartException(
        "ZooKeeper at " + connectString + " cannot keep " + path + ": " + cause.getMessage(),
        cause,
        Outlook.SOON);
  }

  /** A bug was found: the nodes of this process are members no more, and end. */
  private void failed(Throwable bug) {
    EachInTurn.run(
            List.of(
                () -> nodes.failed(bug),
                () -> log.warn("coordination: a bug, it is closed: " + bug),
                client::close))
        .ifPresent(further -> log.warn("coordination: another bug as it is closed: " + further));
  }

  /**
   * Answers what was begun and ends the session, and with it the membership of all nodes of this
   * process. Later calls are answered Unknown.
   */
  @Override
  public void close() {
    nodes.close();
    client.close();
  }

  /** The client of the present session, to be tampered with by tests. */
  ZooKeeper client() throws Exception {
    return client.getZooKeeper();
  }
}
