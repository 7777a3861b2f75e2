package org.ecstore.cluster.layout;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntSupplier;
import java.util.stream.Collectors;
import org.ecstore.cluster.config.ServerConfig;
import org.ecstore.cluster.config.ServerConfig.Coordination;
import org.ecstore.cluster.zookeeper.server.EnsembleMember;
import org.ecstore.key.Bytes;
import org.ecstore.server.ReplicationSettings;

/**
 * What all nodes of a cluster on this machine have in common. Immutable.
 *
 * @param zooKeepers its ZooKeeper servers, each hosted by the node of the same number
 * @param ledger of all nodes
 * @param splitHints where the data of the cluster will be
 * @param replication of all nodes
 * @param mix of engines; absent if all nodes have the usual one on a host of their own
 * @param changesKept how long the ledger is kept for readers of changes
 * @param nodeClass what machine each node stands for
 * @param measured whether each node serves metrics
 * @param control of all nodes
 */
public record ClusterShape(
    List<EnsembleMember> zooKeepers,
    NodeConfig.Ledger ledger,
    List<Bytes> splitHints,
    ServerConfig.Replication replication,
    Optional<EngineMix> mix,
    Duration changesKept,
    NodeClass nodeClass,
    boolean measured,
    ServerConfig.Control control) {
  private static final String LOOPBACK = "127.0.0.1";
  private static final int ZOOKEEPERS = 3;
  private static final int ENSEMBLE = 3;
  private static final int ACKNOWLEDGED = 2;

  /** More nodes than that on one machine keep each other waiting. */
  private static final int CROWD = 5;

  private static final Duration CROWDED_SESSION = Duration.ofSeconds(6);

  public ClusterShape {
    zooKeepers = List.copyOf(zooKeepers);
    splitHints = List.copyOf(splitHints);
  }

  /** The ZooKeeper servers of a new cluster: on the first node of three hosts, or of the first. */
  public static List<EnsembleMember> zooKeepers(
      int hosts, Optional<EngineMix> mix, IntSupplier ports) {
    List<EnsembleMember> servers = new ArrayList<>();
    for (int host = 1; host <= (hosts >= ZOOKEEPERS ? ZOOKEEPERS : 1); host++) {
      int at = host;
      int id = mix.map(all -> all.firstOf(at)).orElse(host);
      servers.add(
          new EnsembleMember(id, LOOPBACK, ports.getAsInt(), ports.getAsInt(), ports.getAsInt()));
    }
    return servers;
  }

  /** The ledger of a new cluster, whose bookies are on so many hosts. */
  public static NodeConfig.Ledger ledger(int hosts) {
    int ensemble = Math.min(ENSEMBLE, hosts);
    return new NodeConfig.Ledger(ensemble, Math.min(ACKNOWLEDGED, ensemble));
  }

  /**
   * The replication of a new cluster.
   *
   * @param place what a copy is on, for people: nodes or hosts
   * @throws IllegalArgumentException if there are too few of them for all copies
   */
  public static ServerConfig.Replication replication(
      int places, String place, ReplicationSettings wanted) {
    return new ServerConfig.Replication(
        wanted.copiesOf(places, place),
        wanted.longFailure(),
        wanted.settle(),
        wanted.relaxed(),
        wanted.hotReplicas().heldBytesMax(),
        Math.round(wanted.hotReplicas().balance().unitLoad()),
        wanted.hotReplicas().balance().thresholdFactor());
  }

  /**
   * As a node of it has it; absent if that hosts no ZooKeeper server, or has a ledger of its own.
   *
   * @param mix of one kind, which further nodes have too; absent for the usual one
   */
  public static Optional<ClusterShape> of(ServerConfig config, Optional<EngineMix> mix) {
    if (config.coordination() instanceof Coordination.ZooKeeper(_, _, var embedded)
        && embedded.isPresent()
        && config.ledger() instanceof ServerConfig.Ledger.BookKeeper ledger) {
      return Optional.of(
          new ClusterShape(
              embedded.get().ensemble(),
              new NodeConfig.Ledger(ledger.ensemble(), ledger.ackQuorum()),
              config.splitHints(),
              config.replication(),
              mix,
              config.changesKept(),
              new NodeClass(config.nodeClass(), config.pricePerHour(), config.capacity()),
              config.metrics().isPresent(),
              config.control()));
    }
    return Optional.empty();
  }

  /** Whether a node has a bookie: each host has one. */
  public boolean hasBookie(int node) {
    return mix.map(all -> all.isFirstOfHost(node)).orElse(true);
  }

  /**
   * The configuration of a node.
   *
   * @param port where it listens
   * @param bookiePort of its bookie, if it has one
   * @param engine lines about its engine; empty for what is usual
   * @param metricsPort where it serves metrics, if it does
   */
  public NodeConfig config(
      int node,
      int port,
      Optional<Integer> bookiePort,
      List<String> engine,
      Optional<Integer> metricsPort) {
    return new NodeConfig(
        node,
        nodeClass,
        mix.map(all -> "host-" + all.host(node)).orElse("node-" + node),
        splitHints,
        port,
        zooKeeper(node),
        mix.filter(all -> all.nodes() > CROWD).map(_ -> CROWDED_SESSION),
        ledger,
        replication,
        bookiePort,
        engine,
        changesKept,
        metricsPort,
        control);
  }

  private String zooKeeper(int node) {
    if (zooKeepers.stream().noneMatch(server -> server.id() == node)) {
      return zooKeepers.stream()
          .map(EnsembleMember::clientAddress)
          .collect(Collectors.joining(",", "connect = \"", "\""));
    }
    return zooKeepers.stream()
        .map(server -> '"' + server.toString() + '"')
        .collect(Collectors.joining(", ", "embedded = true\nservers = [", "]"));
  }
}
