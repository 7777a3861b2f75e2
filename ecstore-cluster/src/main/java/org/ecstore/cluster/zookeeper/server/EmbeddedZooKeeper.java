package org.ecstore.cluster.zookeeper.server;

import java.io.File;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.SocketException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.ecstore.client.net.AddressList;
import org.ecstore.core.port.OperatorLog;
import org.ecstore.server.file.DirectoryLock;
import org.ecstore.server.refusal.Outlook;
import org.jspecify.annotations.Nullable;

/**
 * A ZooKeeper server in this process, with its data on disk: alone, or a member of an ensemble. It
 * writes every change to disk before it answers, listens on the given host only, keeps the newest
 * snapshots and no more log than they need, and has no administration port. Safe for use by several
 * threads.
 *
 * <p>Sessions last 0.4 to 60 s and are found dead at most 0.2 s late.
 */
public final class EmbeddedZooKeeper implements AutoCloseable {
  /** Where it listens by default. */
  public static final String LOOPBACK = "127.0.0.1";

  private static final Duration START_WITHIN = Duration.ofSeconds(30);
  private static final Duration END_WITHIN = Duration.ofSeconds(20);
  private static final Duration LOOK_AGAIN = Duration.ofMillis(5);

  private final DirectoryLock lock;
  private final HostedServer server;
  private final Supplier<String> connectString;
  private final ServerThreads threads;
  private final OperatorLog log;
  private volatile boolean closed;

  private EmbeddedZooKeeper(
      DirectoryLock lock, HostedServer server, Supplier<String> connectString, OperatorLog log) {
    this.lock = lock;
    this.server = server;
    this.connectString = connectString;
    this.threads = new ServerThreads("zookeeper " + lock.directory());
    this.log = log;
  }

  /**
   * Starts a server of its own; it serves when this returns.
   *
   * @param directory of its data, created if absent
   * @param host to listen on
   * @param port to listen on; 0 for any
   * @param log is told if the server fails later
   * @throws ZooKeeperStartException if the port is taken or the data cannot be read
   * @throws org.ecstore.server.file.DirectoryInUseException if the directory is open already
   */
  public static EmbeddedZooKeeper standalone(Path directory, String host, int port, OperatorLog log)
      throws IOException {
    ServerDefaults.apply();
    InetSocketAddress address = resolve(host, port);
    DirectoryLock lock = DirectoryLock.acquire(directory);
    StandaloneServer server = new StandaloneServer(lock.directory().toFile(), address, log);
    EmbeddedZooKeeper started =
        new EmbeddedZooKeeper(lock, server, () -> AddressList.text(host, server.port()), log);
    ServerDefaults.votesWithoutData(true);
    started.start(AddressList.text(host, port));
    return started;
  }

  /**
   * Starts one member of an ensemble; it serves once most of the others have started too: see
   * {@link #awaitReady}. An ensemble of one is a server of its own.
   *
   * @param directory of its data, created if absent, used for ever by this member only
   * @param id of this member
   * @param ensemble all members, this one among them
   * @param log is told if the server fails later
   * @throws IllegalArgumentException if the ensemble does not have the member, or has one twice
   * @throws ZooKeeperStartException if a port is taken or the data cannot be read
   * @throws org.ecstore.server.file.DirectoryInUseException if the directory is open already
   */
  public static EmbeddedZooKeeper member(
      Path directory, int id, List<EnsembleMember> ensemble, OperatorLog log) throws IOException {
    Set<Integer> ids = new HashSet<>();
    for (EnsembleMember member : ensemble) {
      if (!ids.add(member.id())) {
        throw new IllegalArgumentException("ZooKeeper server " + member.id() + " is named twice");
      }
    }
    EnsembleMember self =
        ensemble.stream()
            .filter(member -> member.id() == id)
            .findFirst()
            .orElseThrow(
                () ->
                    new IllegalArgumentException("no ZooKeeper server " + id + " in " + ensemble));
    if (ensemble.size() == 1) {
      return standalone(directory, self.host(), self.clientPort(), log);
    }
    ServerDefaults.apply();
    // The library finds out about the first two late, and tries again and again.
    for (int port : List.of(self.quorumPort(), self.electionPort(), self.clientPort())) {
      checkFree(self.host(), port);
    }
    String clients =
        ensemble.stream().map(EnsembleMember::clientAddress).collect(Collectors.joining(","));
    DirectoryLock lock = DirectoryLock.acquire(directory);
    File data = lock.directory().toFile();
    EmbeddedZooKeeper started =
        new EmbeddedZooKeeper(
            lock, new QuorumServer(data, self, ensemble, log), () -> clients, log);
    boolean rejoins = started.rejoins();
    ServerDefaults.votesWithoutData(!rejoins);
    started.start(self.toString());
    if (rejoins) {
      started.threads.start("zookeeper-rejoin", started::awaitData);
    }
    return started;
  }

  /**
   * Refuses a directory that holds no data although the server had some: it has forgotten what it
   * acknowledged. A member like that and one that lags behind are a majority that may not know of
   * the newest change of the segment list, on which rule 6 rests.
   *
   * @param ensemble all members; empty, or this one only, if the server is alone
   * @throws ZooKeeperDataLostException if it is lost, and the operator has not said that the member
   *     may copy from the others
   */
  public static void mustRemember(Path directory, List<EnsembleMember> ensemble)
      throws IOException {
    boolean alone = ensemble.size() <= 1;
    ServerData data = new ServerData(directory);
    if (data.isThere() || (!alone && data.mayRejoin())) {
      return;
    }
    throw new ZooKeeperDataLostException(
        "ZooKeeper's directory "
            + directory
            + " holds no data, although this node belongs to a cluster: a server that has forgotten"
            + " what it acknowledged could make the cluster lose commits. Nothing was changed."
            + " Restore the directory from a backup"
            + (alone
                ? ""
                : ", or, when all other ZooKeeper servers are up and agree, create an empty file "
                    + data.rejoinFile()
                    + " to let this one copy from them"));
  }

  private static InetSocketAddress resolve(String host, int port) throws IOException {
    InetSocketAddress address = new InetSocketAddress(host, port);
    if (address.isUnresolved()) {
      throw new ZooKeeperStartException(
          "ZooKeeper cannot listen on " + AddressList.text(host, port) + ": no such host",
          Outlook.NEXT_START);
    }
    return address;
  }

  /** Whether it has no data and is to copy from others before it counts. */
  private boolean rejoins() throws IOException {
    boolean done = false;
    try {
      ServerData data = new ServerData(lock.directory());
      boolean rejoins = !data.isThere() && data.mayRejoin();
      if (rejoins) {
        log.info(
            "the ZooKeeper server on "
                + lock.directory()
                + " is empty and copies from the others; it has no vote until it has");
      } else {
        data.rejoined();
      }
      done = true;
      return rejoins;
    } finally {
      if (!done) {
        lock.close();
      }
    }
  }

  private void awaitData() {
    try {
      ServerData data = new ServerData(lock.directory());
      while (!closed) {
        if (isReady() && data.isThere()) {
          data.rejoined();
          log.info("the ZooKeeper server on " + lock.directory() + " has copied the data");
          return;
        }
        Thread.sleep(LOOK_AGAIN);
      }
    } catch (IOException e) {
      log.warn("the ZooKeeper server cannot delete the note that it may rejoin: " + e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void checkFree(String host, int port) throws IOException {
    try (ServerSocket probe = new ServerSocket()) {
      probe.setReuseAddress(true);
      probe.bind(resolve(host, port));
    } catch (SocketException e) {
      throw ServerRefusals.taken(AddressList.text(host, port), e);
    }
  }

  private void start(String address) throws IOException {
    CompletableFuture<@Nullable Void> started = new CompletableFuture<>();
    threads.start(
        "zookeeper-start",
        () -> {
          try {
            server.start();
            started.complete(null);
          } catch (IOException | InterruptedException | RuntimeException | Error e) {
            started.completeExceptionally(e);
          }
        });
    boolean done = false;
    try {
      started.get(START_WITHIN.toNanos(), TimeUnit.NANOSECONDS);
      done = true;
    } catch (ExecutionException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      throw ServerRefusals.explain(lock.directory(), address, cause);
    } catch (TimeoutException e) {
      throw new ZooKeeperStartException(
          "the ZooKeeper server on "
              + lock.directory()
              + " has not started within "
              + START_WITHIN.toSeconds()
              + " s",
          e,
          Outlook.NEXT_START);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ZooKeeperStartException(
          "interrupted while the ZooKeeper server started", e, Outlook.NEXT_START);
    } finally {
      if (!done) {
        close();
      }
    }
  }

  /** Where clients reach the server, or all of its ensemble: {@code host:port,host:port}. */
  public String connectString() {
    return connectString.get();
  }

  /** Whether clients are served at present. */
  public boolean isReady() {
    return server.serves();
  }

  /**
   * Waits until clients are served.
   *
   * @throws ZooKeeperStartException if that takes longer: most members of the ensemble are missing
   */
  public void awaitReady(Duration within) throws IOException {
    long deadline = System.nanoTime() + within.toNanos();
    while (!isReady()) {
      if (System.nanoTime() - deadline > 0) {
        throw new ZooKeeperStartException(
            "the ZooKeeper server on "
                + lock.directory()
                + " does not serve within "
                + within.toMillis()
                + " ms: fewer than half of its ensemble "
                + connectString()
                + " are there, or they do not reach each other",
            Outlook.NEXT_START);
      }
      try {
        Thread.sleep(LOOK_AGAIN);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new ZooKeeperStartException(
            "interrupted while waiting for ZooKeeper", e, Outlook.NEXT_START);
      }
    }
  }

  /** Ends the server: its threads have ended, its port and directory are free. */
  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    try {
      server.shutdown();
      List<String> left = threads.join(END_WITHIN);
      if (!left.isEmpty()) {
        log.warn("the ZooKeeper server ended, but not its threads " + left);
      }
      server.release();
    } catch (IOException e) {
      log.warn("the ZooKeeper server ended, but could not close its files: " + e);
    } finally {
      lock.close();
    }
  }
}
