package org.ecstore.server.process;

import java.io.IOException;
import java.net.BindException;
import java.nio.file.FileSystemException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.UUID;
import org.ecstore.core.port.Journal;
import org.ecstore.engines.EngineOpenException;
import org.ecstore.server.ClusterSettings;
import org.ecstore.server.NodeRuntime;
import org.ecstore.server.Site;
import org.ecstore.server.config.ServerConfig;
import org.ecstore.server.coordination.CoordinationService;
import org.ecstore.server.coordination.CorruptCoordinationException;
import org.ecstore.server.coordination.LocalCoordination;
import org.ecstore.server.file.DirectoryInUseException;
import org.ecstore.server.file.FileErrors;
import org.ecstore.server.ledger.CorruptLedgerException;
import org.ecstore.server.ledger.LedgerService;
import org.ecstore.server.ledger.LedgerSettings;
import org.ecstore.server.ledger.LocalLedgerStore;
import org.ecstore.server.ledger.WrongLedgerException;
import org.ecstore.server.net.NetLoops;
import org.ecstore.server.net.NetSettings;
import org.ecstore.server.process.StopSignals.Stop;
import org.ecstore.txn.node.NodeParts;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One node with all that it hosts, for a process of its own. What it stands on is opened first and
 * closed last.
 */
public final class NodeServer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(NodeServer.class);
  private static final Duration ANSWER_WITHIN = Duration.ofSeconds(30);
  private static final long LOOK_MILLIS = 20;

  /** Only what lasts is worth a line of the log. */
  private static final Duration SAY_AFTER = Duration.ofSeconds(2);

  private final ServerConfig config;
  private final StopSignals signals;
  private final Deque<AutoCloseable> opened = new ArrayDeque<>();
  private UUID cluster = new UUID(0, 0);
  private @Nullable NodeRuntime node;

  private NodeServer(ServerConfig config, StopSignals signals) {
    this.config = config;
    this.signals = signals;
  }

  /**
   * Starts what is configured, the node last; it may not serve yet.
   *
   * @param signals a wish to stop ends the waiting for others; the node that comes of it has not
   *     started
   * @throws StartRefusedException if it cannot start like this
   */
  public static NodeServer start(ServerConfig config, StopSignals signals) throws IOException {
    NodeServer server = new NodeServer(config, signals);
    try {
      server.open();
      return server;
    } catch (DirectoryInUseException
        | CorruptLedgerException
        | WrongLedgerException
        | CorruptCoordinationException
        | EngineOpenException e) {
      server.closeQuietly(e);
      throw new StartRefusedException(String.valueOf(e.getMessage()), e);
    } catch (BindException e) {
      server.closeQuietly(e);
      throw new StartRefusedException(portTaken(config), e);
    } catch (FileSystemException e) {
      server.closeQuietly(e);
      throw new StartRefusedException(e.getFile() + ": " + FileErrors.reason(e), e);
    } catch (IOException | RuntimeException e) {
      server.closeQuietly(e);
      throw e;
    }
  }

  private static String portTaken(ServerConfig config) {
    return "cannot listen on "
        + config.listen().host()
        + ":"
        + config.listen().port()
        + ": the port is in use, or the address is not this machine's. End what has it, or choose"
        + " another listen.port";
  }

  private void closeQuietly(Exception failure) {
    try {
      close();
    } catch (IOException | RuntimeException e) {
      failure.addSuppressed(e);
    }
  }

  private <T extends AutoCloseable> T opening(T resource) {
    opened.push(resource);
    return resource;
  }

  private void open() throws IOException {
    NodeHome home = opening(NodeHome.open(config.directory(), config.node(), config.clusterName()));
    CoordinationService coordination;
    switch (config.coordination()) {
      case ServerConfig.Coordination.Local(var directory) -> {
        home.mustHold("state of the cluster", directory, "");
        coordination = opening(LocalCoordination.open(directory, journal("coordination")));
        cluster = home.cluster().orElseGet(UUID::randomUUID);
        home.belongsTo(cluster, directory.toString());
      }
      case ServerConfig.Coordination.ZooKeeper _ ->
          throw new StartRefusedException("coordination = \"zookeeper\" is not there yet");
    }
    LedgerService ledger = opening(ledger(home));
    NetLoops loops = opening(NetLoops.start());
    Site site = new Site(cluster, settings(), ledger, coordination, loops, new NodeParts());
    NodeRuntime started =
        NodeRuntime.start(
            config.node(),
            site,
            home.engine(),
            config.listen().port(),
            config.listen().advertisedHost(),
            signals::interrupt);
    node = opening(started);
    LOG.info(
        "node {} of cluster {} ({}) listens on {}",
        config.node().value(),
        config.clusterName(),
        cluster,
        started.address());
  }

  private LedgerService ledger(NodeHome home) throws IOException {
    return switch (config.ledger()) {
      case ServerConfig.Ledger.Local(var directory, var segmentBytes) -> {
        home.mustHold("ledger", directory, ".ledger");
        yield LocalLedgerStore.open(
            directory,
            cluster,
            LedgerSettings.DEFAULT.withSegmentBytes(segmentBytes),
            journal("ledger"));
      }
      case ServerConfig.Ledger.BookKeeper _ ->
          throw new StartRefusedException("ledger.kind = \"bookkeeper\" is not there yet");
    };
  }

  private ClusterSettings settings() {
    return ClusterSettings.DEFAULT
        .withNodes(1)
        .withSplitHints(config.splitHints())
        .withNet(NetSettings.DEFAULT.withHost(config.listen().host()))
        .withEngine(ClusterSettings.DEFAULT.engine().withCacheBytes(config.engineCacheBytes()));
  }

  private static Journal journal(String what) {
    return new Journal() {
      @Override
      public void info(String text) {
        LOG.info("{}: {}", what, text);
      }

      @Override
      public void warn(String text) {
        LOG.warn("{}: {}", what, text);
      }
    };
  }

  private NodeRuntime running() {
    NodeRuntime running = node;
    if (running == null) {
      throw new IllegalStateException("the node has not started");
    }
    return running;
  }

  /**
   * Waits until the node serves; says what it waits for if that takes long.
   *
   * @return false if a wish to stop came first, or the node failed
   */
  public boolean awaitServing() throws InterruptedException {
    String said = "";
    String seen = "";
    long since = System.nanoTime();
    while (signals.await(Stop.DEPART, LOOK_MILLIS) == Stop.NONE && failure().isEmpty()) {
      Optional<String> lacks = running().inspect(ANSWER_WITHIN).waitsFor();
      if (lacks.isEmpty()) {
        return true;
      }
      if (!lacks.get().equals(seen)) {
        seen = lacks.get();
        since = System.nanoTime();
      } else if (!seen.equals(said) && System.nanoTime() - since > SAY_AFTER.toNanos()) {
        said = seen;
        LOG.warn("node {} does not serve yet: {}", config.node().value(), said);
      }
    }
    return false;
  }

  /** Waits until the process is to end, and ends the node that way. */
  public void runUntilStopped() throws InterruptedException, IOException {
    Stop wanted = Stop.NONE;
    while (wanted == Stop.NONE) {
      wanted = signals.await(Stop.DEPART, Long.MAX_VALUE / 1_000_000);
    }
    if (failure().isPresent()) {
      LOG.error("node {} has failed and ends", config.node().value());
    } else if (wanted == Stop.DEPART) {
      LOG.info("node {} departs", config.node().value());
    } else {
      LOG.info("node {} stops at once", config.node().value());
    }
    close();
    LOG.info("node {} has ended", config.node().value());
  }

  /** What the node's logic threw, if that is why it has stopped. */
  public Optional<Throwable> failure() {
    return node == null ? Optional.empty() : running().failure();
  }

  /** Where clients reach the node. */
  public String address() {
    return running().address();
  }

  /** Which cluster it belongs to. */
  public UUID cluster() {
    return cluster;
  }

  /** Ends the node without hand-over and closes what it stood on. Closing again does nothing. */
  @Override
  public void close() throws IOException {
    IOException failed = null;
    while (!opened.isEmpty()) {
      try {
        opened.pop().close();
      } catch (Exception e) {
        if (failed == null) {
          failed = new IOException("could not close everything: " + e.getMessage(), e);
        } else {
          failed.addSuppressed(e);
        }
      }
    }
    if (failed != null) {
      throw failed;
    }
  }
}
