package org.ecstore.cluster.node;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import org.ecstore.cluster.config.ServerConfig;
import org.ecstore.cluster.config.ServerConfig.Coordination;
import org.ecstore.cluster.zookeeper.ZooKeeperCoordination;
import org.ecstore.cluster.zookeeper.ZooKeeperSettings;
import org.ecstore.cluster.zookeeper.server.EmbeddedZooKeeper;
import org.ecstore.core.port.Coordination.Member;

/**
 * How a node comes into a cluster that ZooKeeper knows: it connects, learns which cluster that is,
 * and finds its own id free. The cluster is looked up before anything else of it is touched.
 */
final class ClusterEntry {
  private static final Duration CONNECT_WITHIN = Duration.ofSeconds(3);

  /** ZooKeeper ends sessions a little later than asked for. */
  private static final Duration SESSION_SLACK = Duration.ofSeconds(2);

  private static final String CLUSTER_ID = "cluster-id";

  private final ServerConfig config;
  private final Coordination.ZooKeeper zooKeeper;
  private final NodeHome home;
  private final StartWait wait;

  ClusterEntry(
      ServerConfig config, Coordination.ZooKeeper zooKeeper, NodeHome home, StartWait wait) {
    this.config = config;
    this.zooKeeper = zooKeeper;
    this.home = home;
    this.wait = wait;
  }

  /** Starts the server of ZooKeeper that this node hosts. */
  EmbeddedZooKeeper host(ServerConfig.Embedded embedded) throws IOException {
    if (home.cluster().isPresent()) {
      EmbeddedZooKeeper.mustRemember(embedded.directory(), embedded.ensemble());
    }
    return embedded.ensemble().isEmpty()
        ? EmbeddedZooKeeper.standalone(
            embedded.directory(), embedded.host(), embedded.port(), NodeServer.log("zookeeper"))
        : EmbeddedZooKeeper.member(
            embedded.directory(),
            Math.toIntExact(config.node().value()),
            embedded.ensemble(),
            NodeServer.log("zookeeper"));
  }

  /** Connects; ZooKeeper may not be there yet, for nodes of a cluster start in any order. */
  ZooKeeperCoordination connect() throws IOException {
    ZooKeeperSettings settings =
        ZooKeeperSettings.defaults()
            .withSession(zooKeeper.sessionTimeout())
            .withConnectWithin(CONNECT_WITHIN)
            .withNextToLead(zooKeeper.embedded().isEmpty());
    return ZooKeeperCoordination.open(
        zooKeeper.connect(), config.clusterName(), settings, NodeServer.log("coordination"));
  }

  /**
   * Which cluster ZooKeeper knows by the name. The first node of all makes its id; one that has a
   * cluster already leaves no trace in a ZooKeeper that is not of it.
   */
  UUID cluster(ZooKeeperCoordination coordination) throws IOException {
    String text;
    if (home.cluster().isPresent()) {
      text = coordination.read(CLUSTER_ID).orElseThrow(() -> unknownCluster(home.cluster().get()));
    } else {
      text = coordination.createOrRead(CLUSTER_ID, UUID.randomUUID().toString());
    }
    try {
      return UUID.fromString(text);
    } catch (IllegalArgumentException e) {
      throw new StartRefusedException(
          "ZooKeeper at " + zooKeeper.connect() + " holds no cluster id but \"" + text + '"', e);
    }
  }

  private StartRefusedException unknownCluster(UUID own) {
    return new StartRefusedException(
        config.directory()
            + " belongs to the cluster with id "
            + own
            + ", but ZooKeeper at "
            + zooKeeper.connect()
            + " knows no cluster \""
            + config.clusterName()
            + "\": it is another ZooKeeper, or has lost its data. Check what it connects to, or"
            + " give it back its data");
  }

  /**
   * A node that starts for the first time cannot be the one that is a member under its id; unless
   * its directory was emptied, and then that one is gone when its session is.
   *
   * @return false if a request to stop came first
   */
  boolean awaitOwnId(ZooKeeperCoordination coordination) throws IOException {
    long begun = System.nanoTime();
    long within = zooKeeper.sessionTimeout().plus(SESSION_SLACK).toNanos();
    boolean said = false;
    while (home.cluster().isEmpty()) {
      Optional<Optional<Member>> found = wait.until(() -> coordination.member(config.node()));
      if (found.isEmpty() || found.get().isEmpty()) {
        return found.isPresent();
      }
      String there =
          "a node with this id is a member of the cluster, at "
              + found.get().get().info().address();
      if (System.nanoTime() - begun > within) {
        throw new StartRefusedException(
            there
                + ", and "
                + config.directory()
                + " holds nothing of node "
                + config.node().value()
                + ": give each node its own node.id, or correct node.directory");
      }
      if (!said) {
        said = true;
        wait.say("waits: " + there);
      }
      wait.pause();
    }
    return true;
  }
}
