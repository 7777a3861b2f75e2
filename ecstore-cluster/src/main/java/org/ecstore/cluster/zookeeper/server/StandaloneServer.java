package org.ecstore.cluster.zookeeper.server;

import java.io.File;
import java.io.IOException;
import java.net.InetSocketAddress;
import org.apache.zookeeper.server.DatadirCleanupManager;
import org.apache.zookeeper.server.ServerCnxnFactory;
import org.apache.zookeeper.server.ZooKeeperServer;
import org.apache.zookeeper.server.persistence.FileTxnSnapLog;
import org.ecstore.core.port.OperatorLog;
import org.jspecify.annotations.Nullable;

/** A ZooKeeper server that is no member of an ensemble. */
final class StandaloneServer implements HostedServer {
  private final File directory;
  private final InetSocketAddress address;
  private final OperatorLog operatorLog;
  private volatile @Nullable ServerCnxnFactory connections;
  private volatile @Nullable FileTxnSnapLog files;
  private volatile @Nullable ZooKeeperServer server;
  private volatile @Nullable DatadirCleanupManager purge;

  StandaloneServer(File directory, InetSocketAddress address, OperatorLog operatorLog) {
    this.directory = directory;
    this.address = address;
    this.operatorLog = operatorLog;
  }

  @Override
  public void start() throws IOException, InterruptedException {
    ServerCnxnFactory factory = ServerCnxnFactory.createFactory();
    connections = factory;
    factory.configure(address, ServerDefaults.connectionsMax(), -1, false);
    FileTxnSnapLog log = new FileTxnSnapLog(directory, directory);
    files = log;
    Reporting started = new Reporting(log, operatorLog);
    server = started;
    log.setServerStats(started.serverStats());
    factory.startup(started);
    DatadirCleanupManager cleanup = ServerDefaults.purge(directory);
    purge = cleanup;
    cleanup.start();
  }

  /** The port it listens on. */
  int port() {
    ServerCnxnFactory bound = connections;
    return bound == null ? address.getPort() : bound.getLocalPort();
  }

  @Override
  public boolean serves() {
    ZooKeeperServer started = server;
    return started != null && started.isRunning();
  }

  @Override
  public void shutdown() {
    DatadirCleanupManager cleanup = purge;
    if (cleanup != null) {
      cleanup.shutdown();
    }
    ServerCnxnFactory bound = connections;
    if (bound != null) {
      bound.shutdown();
    }
    ZooKeeperServer started = server;
    if (started != null) {
      started.shutdown(true);
    }
  }

  @Override
  public void release() throws IOException {
    FileTxnSnapLog opened = files;
    if (opened != null) {
      opened.close();
    }
  }

  /** Says that it has failed, which the library keeps to itself. */
  private static final class Reporting extends ZooKeeperServer {
    private final OperatorLog operatorLog;

    Reporting(FileTxnSnapLog log, OperatorLog operatorLog) {
      super(
          log,
          ServerDefaults.TICK_MILLIS,
          ServerDefaults.SESSION_MILLIS_MIN,
          ServerDefaults.SESSION_MILLIS_MAX,
          -1,
          new org.apache.zookeeper.server.ZKDatabase(log),
          "");
      this.operatorLog = operatorLog;
    }

    @Override
    protected void setState(State state) {
      super.setState(state);
      if (state == State.ERROR) {
        operatorLog.warn(
            "the ZooKeeper server of this process has failed and serves no node, because it cannot"
                + " write or has met an error of its own: see the log, then restart the process");
      }
    }
  }
}
