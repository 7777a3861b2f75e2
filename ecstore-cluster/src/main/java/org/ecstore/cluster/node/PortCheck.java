package org.ecstore.cluster.node;

import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import org.ecstore.client.net.AddressList;
import org.ecstore.cluster.config.ServerConfig;
import org.ecstore.cluster.config.ServerConfig.Coordination;
import org.ecstore.cluster.config.ServerConfig.Embedded;

/**
 * Finds a port that is taken before anything of a new node is made: a start that is refused leaves
 * nothing behind, neither a directory nor what others would take for a member.
 */
final class PortCheck {
  private static final String METRICS = "metrics.port";

  private PortCheck() {}

  /**
   * All ports that a node of this configuration would listen on.
   *
   * @throws StartRefusedException if it cannot listen on one
   */
  static void all(ServerConfig config) {
    isFree(config.listen().host(), config.listen().port(), "listen.port");
    if (config.coordination() instanceof Coordination.ZooKeeper zooKeeper) {
      zooKeeper.embedded().ifPresent(embedded -> zooKeeper(config, embedded));
    }
    config.bookie().ifPresent(bookie -> isFree(bookie.host(), bookie.port(), "bookie.port"));
    config.metrics().ifPresent(port -> isFree(port.host(), port.port(), METRICS));
  }

  private static void zooKeeper(ServerConfig config, Embedded embedded) {
    if (embedded.ensemble().isEmpty()) {
      isFree(embedded.host(), embedded.port(), "zookeeper.port");
    }
    embedded.ensemble().stream()
        .filter(member -> member.id() == config.node().value())
        .forEach(
            self -> {
              isFree(self.host(), self.quorumPort(), "port in zookeeper.servers");
              isFree(self.host(), self.electionPort(), "port in zookeeper.servers");
              isFree(self.host(), self.clientPort(), "port in zookeeper.servers");
            });
  }

  private static void isFree(String host, int port, String key) {
    try (ServerSocket probe = new ServerSocket()) {
      probe.setReuseAddress(true);
      probe.bind(new InetSocketAddress(host, port));
    } catch (IOException e) {
      throw taken(host, port, key, e);
    }
  }

  private static StartRefusedException taken(String host, int port, String key, IOException cause) {
    return new StartRefusedException(words(host, port, key), cause);
  }

  /** A node that has listened there before may do so again: what has the port now may end. */
  static StartRefusedException stillTaken(ServerConfig.Listen listen, BindException cause) {
    return StartRefusedException.temporary(
        words(listen.host(), listen.port(), "listen.port"), cause);
  }

  /** The same of the port for metrics. */
  static StartRefusedException stillTaken(ServerConfig.MetricsPort metrics, Exception cause) {
    return StartRefusedException.temporary(words(metrics.host(), metrics.port(), METRICS), cause);
  }

  private static String words(String host, int port, String key) {
    return "cannot listen on "
        + AddressList.text(host, port)
        + ": the port is in use, or the address is not this machine's. End what has it, or choose"
        + " another "
        + key;
  }
}
