package org.ecstore.cluster.node;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.UnresolvedAddressException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.ecstore.client.secret.ClusterSecret;
import org.ecstore.cluster.bookkeeper.BookKeeperLedger;
import org.ecstore.cluster.bookkeeper.bookie.BookieSettings;
import org.ecstore.cluster.bookkeeper.bookie.HostedBookie;
import org.ecstore.cluster.bookkeeper.segment.BookKeeperSettings;
import org.ecstore.cluster.config.ServerConfig;
import org.ecstore.cluster.config.ServerConfig.Coordination;
import org.ecstore.cluster.metrics.ServedMetrics;
import org.ecstore.cluster.node.StopSignals.Stop;
import org.ecstore.cluster.provision.CommandProvisioner;
import org.ecstore.cluster.provision.CommandWords;
import org.ecstore.cluster.quota.HeldCapacity;
import org.ecstore.cluster.zookeeper.ZooKeeperCoordination;
import org.ecstore.core.metrics.MetricsProvider;
import org.ecstore.core.port.NodeEndsException;
import org.ecstore.core.port.OperatorLog;
import org.ecstore.server.ClusterServices;
import org.ecstore.server.NodeRuntime;
import org.ecstore.server.OpenedEngine;
import org.ecstore.server.coordination.CoordinationService;
import org.ecstore.server.coordination.LocalCoordination;
import org.ecstore.server.ledger.LedgerClaim;
import org.ecstore.server.ledger.LedgerExtent;
import org.ecstore.server.ledger.LedgerService;
import org.ecstore.server.ledger.LedgerSettings;
import org.ecstore.server.ledger.LocalLedgerStore;
import org.ecstore.server.net.NetLoops;
import org.ecstore.server.parts.MixedPartsException;
import org.ecstore.server.parts.StoreParts;
import org.ecstore.server.print.LogText;
import org.ecstore.server.secret.SecretFile;
import org.ecstore.server.secret.SecretSource;
import org.ecstore.txn.node.Departure;
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
  private static final String ZOOKEEPER = "zookeeper";

  /** Only what lasts is worth a line of the log. */
  private static final Duration SAY_AFTER = Duration.ofSeconds(2);

  private final ServerConfig config;
  private final StopSignals signals;
  private final StartWait wait;
  private final Deque<AutoCloseable> opened = new ArrayDeque<>();
  private UUID cluster = new UUID(0, 0);
  private @Nullable LocalCoordination alone;
  private @Nullable StoreParts marks;
  private final HostedParts hosted = new HostedParts();
  private MetricsProvider metrics = MetricsProvider.NONE;
  private Optional<HeldCapacity> capacity = Optional.empty();
  private @Nullable NodeRuntime node;

  private NodeServer(ServerConfig config, StopSignals signals, Consumer<String> notices) {
    this.config = config;
    this.signals = signals;
    this.wait = new StartWait(config.node(), signals, notices);
  }

  /**
   * Starts what is configured, the node last; it may not serve yet. Others that are not there yet
   * are waited for.
   *
   * @param notices is told what is waited for, once
   * @return absent if a request to stop came first
   * @throws StartRefusedException if it cannot start like this
   */
  public static Optional<NodeServer> start(
      ServerConfig config, StopSignals signals, Consumer<String> notices) throws IOException {
    NodeServer server = new NodeServer(config, signals, notices);
    try {
      if (server.open()) {
        return Optional.of(server);
      }
      server.close();
      return Optional.empty();
    } catch (IOException | RuntimeException e) {
      server.closeQuietly(e);
      throw StartRefusals.of(config, e);
    }
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

  /** Returns whether all is open; if not, a request to stop came first. */
  private boolean open() throws IOException {
    if (!Files.exists(config.directory())) {
      PortCheck.all(config);
    }
    Optional<ClusterSecret> secret = secret();
    capacity = config.capacity().map(each -> HeldCapacity.begin(each, config.node()));
    capacity.ifPresent(
        held ->
            LOG.info("node {} has {} ({})", config.node().value(), held.words(), held.detail()));
    NodeHome home = opening(NodeHome.open(config.directory(), config.node(), config.clusterName()));
    StoreParts parts = checkPartMarks(home);
    OpenedEngine engine = home.hasEngine() ? engine(home) : null;
    Optional<CoordinationService> coordination =
        switch (config.coordination()) {
          case Coordination.Local local -> Optional.of(localCoordination(home, local));
          case Coordination.ZooKeeper zooKeeper -> zooKeeperCoordination(home, zooKeeper);
        };
    if (coordination.isEmpty()) {
      return false;
    }
    LedgerClaim claim = engine == null ? LedgerClaim.NONE : engine.claim();
    Optional<LedgerService> ledger = wait.until(() -> opening(ledger(home, claim)));
    if (ledger.isEmpty()) {
      return false;
    }
    hosted.rooms(opening(DiskRooms.of(directories(home))));
    OpenedEngine own = engine == null ? engine(home) : engine;
    checkAlone(own, ledger.get());
    marks = parts;
    config.metrics().ifPresent(this::serveMetrics);
    ProcessUse.ofThisProcess(config.capacity()).ifPresent(hosted::use);
    config.control().provisioner().ifPresent(this::provisionBy);
    NetLoops loops = opening(NetLoops.start());
    ClusterServices site =
        new ClusterServices(
            cluster,
            secret,
            ConfiguredSettings.of(config, metrics, capacity.map(HeldCapacity::capacity)),
            ledger.get(),
            coordination.get(),
            loops,
            hosted);
    NodeRuntime started =
        NodeRuntime.start(
            config.node(),
            site,
            own,
            config.listen().port(),
            config.listen().advertisedHost(),
            signals::interrupt);
    node = opening(started);
    hosted.waits(started.requestWaits());
    LOG.info(
        "node {} of cluster {} ({}) listens on {}",
        config.node().value(),
        config.clusterName(),
        cluster,
        started.address());
    return true;
  }

  private void serveMetrics(ServerConfig.MetricsPort port) {
    try {
      ServedMetrics served =
          opening(
              ServedMetrics.open(
                  new InetSocketAddress(port.host(), port.port()),
                  config.clusterName(),
                  config.node()));
      metrics = _ -> served.metrics();
    } catch (IOException | UnresolvedAddressException e) {
      throw PortCheck.stillTaken(port, e);
    }
  }

  private void provisionBy(CommandWords command) {
    hosted.provisioner(
        opening(new CommandProvisioner(command, config.clusterName(), log("provisioner"))));
  }

  private Map<String, Path> directories(NodeHome home) throws IOException {
    Map<String, Path> directories = new LinkedHashMap<>();
    directories.put("engine", home.engine());
    config.bookie().ifPresent(hosts -> directories.put("bookie", hosts.directory()));
    return directories;
  }

  /** What the node is made of must belong together before any of it is opened. */
  private StoreParts checkPartMarks(NodeHome home) throws IOException {
    Optional<UUID> known = home.cluster();
    boolean isAlone = config.coordination() instanceof Coordination.Local;
    StoreParts parts =
        StoreParts.open(
            config.directory(), "directory of node " + config.node().value(), isAlone, known);
    switch (config.coordination()) {
      case Coordination.Local local -> parts.check("coordination", local.directory(), known);
      case Coordination.ZooKeeper zooKeeper -> {
        if (zooKeeper.embedded().isPresent()) {
          ServerConfig.Embedded embedded = zooKeeper.embedded().get();
          if (embedded.ensemble().size() > 1) {
            // One that copied all from the others has no mark until the node serves again.
            parts.checkIfMarked(ZOOKEEPER, embedded.directory(), known);
          } else {
            parts.check(ZOOKEEPER, embedded.directory(), known);
          }
        }
      }
    }
    if (config.bookie().isPresent()) {
      parts.check("bookie", config.bookie().get().directory(), known);
    }
    if (config.ledger() instanceof ServerConfig.Ledger.Local local) {
      parts.check("ledger", local.directory(), known);
    }
    parts.checkRefillable("engine", home.enginePath(), known);
    return parts;
  }

  private OpenedEngine engine(NodeHome home) throws IOException {
    return opening(
        OpenedEngine.open(
            config.node(),
            home.engine(),
            ConfiguredSettings.of(config, metrics, Optional.empty()).engine()));
  }

  /** Of several nodes the others tell what is missing, and fill it. */
  private void checkAlone(OpenedEngine engine, LedgerService ledger) throws MixedPartsException {
    if (alone != null && config.coordination() instanceof Coordination.Local local) {
      engine.checkAgainst(alone, local.directory());
      Optional<LedgerExtent> extent = ledger.extent();
      if (extent.isPresent()) {
        engine.checkAlone(extent.get());
      }
    }
  }

  private Optional<ClusterSecret> secret() throws IOException {
    if (config.secret().isEmpty()) {
      return Optional.empty();
    }
    SecretSource source = config.secret().get();
    ClusterSecret loaded;
    try {
      loaded = source.load();
    } catch (IOException e) {
      throw new StartRefusedException("cluster.secret-file: " + e.getMessage(), e);
    }
    if (source instanceof SecretSource.File(var file) && SecretFile.isOpenToOthers(file)) {
      LOG.warn("others can read {}, and with it stand in for a node: chmod 600 it", file);
    }
    return Optional.of(loaded);
  }

  private CoordinationService localCoordination(NodeHome home, Coordination.Local local)
      throws IOException {
    home.mustHold("state of the cluster", local.directory(), "coordination");
    LocalCoordination coordination =
        opening(LocalCoordination.open(local.directory(), log("coordination")));
    alone = coordination;
    cluster = home.cluster().orElseGet(UUID::randomUUID);
    home.belongsTo(cluster, local.directory().toString());
    return coordination;
  }

  private Optional<CoordinationService> zooKeeperCoordination(
      NodeHome home, Coordination.ZooKeeper zooKeeper) throws IOException {
    ClusterEntry entry = new ClusterEntry(config, zooKeeper, home, wait);
    if (zooKeeper.embedded().isPresent()) {
      opening(entry.host(zooKeeper.embedded().get()));
    }
    Optional<ZooKeeperCoordination> coordination = wait.until(() -> opening(entry.connect()));
    if (coordination.isEmpty()) {
      return Optional.empty();
    }
    Optional<UUID> known = wait.until(() -> entry.cluster(coordination.get()));
    if (known.isEmpty()) {
      return Optional.empty();
    }
    cluster = known.get();
    if (!entry.awaitOwnId(coordination.get())) {
      return Optional.empty();
    }
    home.belongsTo(cluster, "ZooKeeper at " + zooKeeper.connect());
    if (config.bookie().isPresent()
        && wait.until(() -> opening(bookie(config.bookie().get(), zooKeeper))).isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(coordination.get());
  }

  private HostedBookie bookie(ServerConfig.Bookie wanted, Coordination.ZooKeeper zooKeeper)
      throws IOException {
    HostedBookie started =
        HostedBookie.start(
            zooKeeper.connect(),
            config.clusterName(),
            BookieSettings.of(
                wanted.directory(), "node-" + config.node().value(), wanted.host(), wanted.port()),
            log("bookie"));
    hosted.bookie(started);
    return started;
  }

  private LedgerService ledger(NodeHome home, LedgerClaim claim) throws IOException {
    return switch (config.ledger()) {
      case ServerConfig.Ledger.Local(var directory, var segmentBytes) -> {
        home.mustHold("ledger", directory, ".ledger");
        yield LocalLedgerStore.open(
            directory,
            cluster,
            LedgerSettings.DEFAULT.withSegmentBytes(segmentBytes),
            claim,
            log("ledger"));
      }
      case ServerConfig.Ledger.BookKeeper(
              var ensemble,
              var writeQuorum,
              var ackQuorum,
              var segmentBytes) -> {
        if (!(config.coordination() instanceof Coordination.ZooKeeper zooKeeper)) {
          throw new IllegalStateException("a ledger on bookies without ZooKeeper");
        }
        yield BookKeeperLedger.open(
            zooKeeper.connect(),
            config.clusterName(),
            cluster,
            BookKeeperSettings.DEFAULT
                .withQuorums(ensemble, writeQuorum, ackQuorum)
                .withSegmentBytes(segmentBytes),
            log("ledger"));
      }
    };
  }

  /** The log of a component, by name. */
  static OperatorLog log(String what) {
    return new OperatorLog() {
      @Override
      public void info(String text) {
        LOG.info(named(text));
      }

      @Override
      public void warn(String text) {
        LOG.warn(named(text));
      }

      // Most say themselves what they are.
      private String named(String text) {
        return LogText.of(text.startsWith(what) ? text : what + ": " + text);
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
   * @return false if a request to stop came first, or the node failed
   */
  public boolean awaitServing() throws InterruptedException, IOException {
    String said = "";
    String seen = "";
    long since = System.nanoTime();
    while (signals.await(Stop.DEPART, LOOK_MILLIS) == Stop.NONE && failure().isEmpty()) {
      Optional<String> lacks = running().inspect(ANSWER_WITHIN).waitsFor();
      if (lacks.isEmpty()) {
        markParts();
        return true;
      }
      if (!lacks.get().equals(seen)) {
        seen = lacks.get();
        since = System.nanoTime();
      } else if (!seen.equals(said) && System.nanoTime() - since > SAY_AFTER.toNanos()) {
        said = seen;
        wait.say("does not serve yet: " + said);
      }
    }
    return false;
  }

  /** Not before the node serves: it may refuse what it finds, and that can then be put right. */
  private void markParts() throws IOException {
    if (marks != null) {
      marks.begin(cluster);
      marks = null;
    }
  }

  /** Waits until the process is to end, and ends the node that way. */
  public void runUntilStopped() throws InterruptedException, IOException {
    Stop wanted = Stop.NONE;
    while (wanted == Stop.NONE) {
      wanted = signals.await(Stop.DEPART, Long.MAX_VALUE / 1_000_000);
    }
    if (failure().orElse(null) instanceof NodeEndsException) {
      LOG.info("node {} ends", config.node().value());
    } else if (failure().isPresent()) {
      LOG.error("node {} has failed and ends", config.node().value());
    } else if (wanted == Stop.DEPART) {
      long begun = System.nanoTime();
      depart();
      fold(foldWithin(config.stopWithin(), Duration.ofNanos(System.nanoTime() - begun)));
    } else {
      LOG.info("node {} stops at once", config.node().value());
    }
    close();
    LOG.info("node {} has ended", config.node().value());
  }

  /** Hands over, unless that takes too long or the operator wants the end at once. */
  private void depart() throws InterruptedException {
    LOG.info("node {} departs", config.node().value());
    NodeRuntime leaving = running();
    String came =
        unlessAtOnce(
            () -> {
              try {
                return outcome(leaving.depart(config.stopWithin()));
              } catch (IllegalStateException e) {
                return "did not hand over: " + e.getMessage();
              }
            },
            "is told to stop before it handed over");
    LOG.info("node {} {}", config.node().value(), came);
  }

  /** What is left of the time for a clean stop, but not so little that it is of no use. */
  static Duration foldWithin(Duration stopWithin, Duration spent) {
    Duration left = stopWithin.minus(spent);
    return left.compareTo(NodeRuntime.FOLD_WITHIN) > 0 ? left : NodeRuntime.FOLD_WITHIN;
  }

  /** Folds what it could not hand over, or all of it where it is the last (rule W11). */
  private void fold(Duration within) throws InterruptedException {
    NodeRuntime leaving = running();
    if (!unlessAtOnce(() -> leaving.fold(within), false)) {
      LOG.info(
          "node {} has not folded everything; the next start replays it", config.node().value());
    }
  }

  /** What comes of work that ends by itself; something else if the operator cannot wait for it. */
  private <T> T unlessAtOnce(Supplier<T> work, T otherwise) throws InterruptedException {
    CompletableFuture<T> done = new CompletableFuture<>();
    Thread.ofPlatform()
        .daemon()
        .name("ecstore-departure")
        .start(() -> done.completeAsync(work, Runnable::run));
    while (!done.isDone() && signals.await(Stop.AT_ONCE, LOOK_MILLIS) != Stop.AT_ONCE) {
      // It ends within its time.
    }
    return done.getNow(otherwise);
  }

  private static String outcome(Departure.Progress progress) {
    return progress.stage() == Departure.Stage.DEPARTED
        ? "has handed over"
        : "did not hand over: " + progress.detail();
  }

  /** What the node's logic threw, if that is why it has stopped. */
  public Optional<Throwable> failure() {
    return node == null ? Optional.empty() : running().failure();
  }

  /** Where clients reach the node. */
  public String address() {
    return running().address();
  }

  /** What it is held to of its machine; absent if it is to nothing. */
  public Optional<HeldCapacity> capacity() {
    return capacity;
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
