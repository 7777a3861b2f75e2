package org.ecstore.cluster.zookeeper.server;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.security.sasl.SaslException;
import org.apache.zookeeper.server.DatadirCleanupManager;
import org.apache.zookeeper.server.ZooKeeperServer;
import org.apache.zookeeper.server.admin.AdminServer.AdminServerException;
import org.apache.zookeeper.server.quorum.QuorumPeer;
import org.apache.zookeeper.server.quorum.QuorumPeerConfig;
import org.apache.zookeeper.server.quorum.QuorumPeerMain;
import org.ecstore.client.net.AddressList;
import org.ecstore.core.port.OperatorLog;
import org.ecstore.server.refusal.Outlook;
import org.jspecify.annotations.Nullable;

/** A ZooKeeper server that is a member of an ensemble. */
final class QuorumServer implements HostedServer {
  private static final String ID_FILE = "myid";

  private final File directory;
  private final EnsembleMember self;
  private final List<EnsembleMember> ensemble;
  private final OperatorLog log;
  private final Peer peer = new Peer();
  private final AtomicBoolean ending = new AtomicBoolean();
  private volatile @Nullable DatadirCleanupManager purge;

  QuorumServer(
      File directory, EnsembleMember self, List<EnsembleMember> ensemble, OperatorLog log) {
    this.directory = directory;
    this.self = self;
    this.ensemble = List.copyOf(ensemble);
    this.log = log;
  }

  @Override
  public void start() throws IOException, InterruptedException {
    claimId();
    QuorumPeerConfig config = new QuorumPeerConfig();
    try {
      config.parseProperties(properties());
    } catch (QuorumPeerConfig.ConfigException e) {
      throw new ZooKeeperStartException(
          "the ZooKeeper ensemble " + ensemble + " is not possible: " + e.getMessage(),
          e,
          Outlook.LASTING);
    }
    DatadirCleanupManager cleanup = ServerDefaults.purge(directory);
    purge = cleanup;
    cleanup.start();
    Thread running = new Thread(() -> run(config), "zookeeper-member-" + self.id());
    running.setDaemon(true);
    running.start();
    peer.begun.await();
    Throwable failure = peer.failure;
    if (failure != null) {
      throw new IOException(failure);
    }
  }

  /** The directory is this member's and no other's, for ever. */
  private void claimId() throws IOException {
    Path file = directory.toPath().resolve(ID_FILE);
    String mine = Integer.toString(self.id());
    if (!Files.exists(file)) {
      Files.createDirectories(directory.toPath());
      Files.writeString(file, mine);
      return;
    }
    String found = Files.readString(file).strip();
    if (!found.equals(mine)) {
      throw new ZooKeeperStartException(
          directory
              + " belongs to ZooKeeper server "
              + found
              + ", and this is server "
              + mine
              + ": give it its own directory. With another's it could forget what it has promised.",
          Outlook.LASTING);
    }
  }

  private Properties properties() {
    Properties properties = new Properties();
    properties.setProperty("dataDir", directory.getAbsolutePath());
    properties.setProperty("tickTime", Integer.toString(ServerDefaults.TICK_MILLIS));
    properties.setProperty("initLimit", Integer.toString(ServerDefaults.INIT_TICKS));
    properties.setProperty("syncLimit", Integer.toString(ServerDefaults.SYNC_TICKS));
    properties.setProperty(
        "minSessionTimeout", Integer.toString(ServerDefaults.SESSION_MILLIS_MIN));
    properties.setProperty(
        "maxSessionTimeout", Integer.toString(ServerDefaults.SESSION_MILLIS_MAX));
    properties.setProperty("maxClientCnxns", Integer.toString(ServerDefaults.connectionsMax()));
    for (EnsembleMember member : ensemble) {
      properties.setProperty(
          "server." + member.id(),
          "%s:%d:participant;%s"
              .formatted(
                  AddressList.text(member.host(), member.quorumPort()),
                  member.electionPort(),
                  member.clientAddress()));
    }
    return properties;
  }

  private void run(QuorumPeerConfig config) {
    try {
      peer.runFromConfig(config);
    } catch (IOException | AdminServerException | RuntimeException | Error e) {
      peer.failure = e;
    } finally {
      boolean early = peer.begun.getCount() > 0;
      if (early && peer.failure == null) {
        peer.failure = new IllegalStateException("the server ended while it started");
      }
      peer.begun.countDown();
      if (!early && !ending.get()) {
        log.warn(
            "the ZooKeeper server of this process has ended by itself: see the log, then restart"
                + " the process");
      }
    }
  }

  @Override
  public boolean serves() {
    QuorumPeer started = peer.started;
    ZooKeeperServer serving = started == null ? null : started.getActiveServer();
    return serving != null && serving.isRunning();
  }

  @Override
  public void shutdown() {
    ending.set(true);
    DatadirCleanupManager cleanup = purge;
    if (cleanup != null) {
      cleanup.shutdown();
    }
    peer.close();
  }

  /** The peer closes its database when it shuts down. */
  @Override
  public void release() {}

  /** The library's own way to start a member, which tells when it is under way. */
  private static final class Peer extends QuorumPeerMain {
    private final CountDownLatch begun = new CountDownLatch(1);
    private volatile @Nullable QuorumPeer started;
    private volatile @Nullable Throwable failure;

    @Override
    protected QuorumPeer getQuorumPeer() throws SaslException {
      QuorumPeer created =
          new QuorumPeer() {
            @Override
            public synchronized void start() {
              super.start();
              begun.countDown();
            }
          };
      started = created;
      return created;
    }
  }
}
