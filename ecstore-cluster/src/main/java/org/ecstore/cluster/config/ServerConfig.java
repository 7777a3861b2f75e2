package org.ecstore.cluster.config;

import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.ecstore.cluster.provision.CommandWords;
import org.ecstore.cluster.zookeeper.server.EnsembleMember;
import org.ecstore.id.NodeId;
import org.ecstore.key.Bytes;
import org.ecstore.server.secret.SecretSource;

/**
 * What one node is and how it runs. Immutable, and free of contradictions.
 *
 * @param secret by which nodes of the cluster and its operators are known; there is one wherever
 *     there may be several nodes
 * @param splitHints keys that say where the data will be
 * @param directory of the node; absolute
 * @param host a label of the machine, or of whatever fails as one
 * @param nodeClass of its machine, as operators call it
 * @param pricePerHour what an hour of it costs
 * @param capacity processors that it may keep busy; all of its machine if absent
 * @param engineKind the name of the storage engine
 * @param engineAccess of an engine that has a server
 * @param metrics absent if they are not served
 * @param versionsKept how long the store can still be read as it was
 * @param changesKept how long the ledger is kept for readers of changes
 * @param changesRecords so many records at most
 * @param control when the controller looks and acts, and what starts nodes for it
 * @param stopWithin how long a safe departure may take
 */
public record ServerConfig(
    String clusterName,
    Optional<SecretSource> secret,
    List<Bytes> splitHints,
    NodeId node,
    Path directory,
    String host,
    String nodeClass,
    Optional<BigDecimal> pricePerHour,
    Optional<BigDecimal> capacity,
    Listen listen,
    Coordination coordination,
    Ledger ledger,
    Replication replication,
    Balance balance,
    Duration versionsKept,
    Duration changesKept,
    long changesRecords,
    Control control,
    Optional<Bookie> bookie,
    String engineKind,
    long engineCacheBytes,
    long engineWindowBytes,
    Optional<EngineAccess> engineAccess,
    Optional<MetricsPort> metrics,
    Duration stopWithin,
    Log log) {
  private static final String ENGINE = "engine";

  /** Where a node keeps its copies, within its directory. */
  public static Path engineOf(Path nodeDirectory) {
    return nodeDirectory.resolve(ENGINE);
  }

  /**
   * Where the node is reached.
   *
   * @param port 0 for any
   * @param advertisedHost the host that others are told
   */
  public record Listen(String host, int port, String advertisedHost) {}

  /** What nodes agree by. */
  public sealed interface Coordination {
    /** Within this process. */
    record Local(Path directory) implements Coordination {}

    /**
     * Through ZooKeeper.
     *
     * @param connect {@code host:port,host:port}
     * @param embedded the server that this node hosts, if it does
     */
    record ZooKeeper(String connect, Duration sessionTimeout, Optional<Embedded> embedded)
        implements Coordination {}
  }

  /**
   * A ZooKeeper server that the node hosts.
   *
   * @param port of clients
   * @param ensemble all servers, this one among them; empty if it is the only one
   */
  public record Embedded(Path directory, String host, int port, List<EnsembleMember> ensemble) {}

  /** Where commits are kept. */
  public sealed interface Ledger {
    /** In files of this node. */
    record Local(Path directory, int segmentBytes) implements Ledger {}

    /** On bookies. */
    record BookKeeper(int ensemble, int writeQuorum, int ackQuorum, long segmentBytes)
        implements Ledger {}
  }

  /**
   * Copies of ranges.
   *
   * @param copies K, the primary's among them
   * @param longFailure after which copies of a node that is gone are made anew
   * @param settle for which a node must be back before ranges go back to it
   * @param relaxed whether engines may lack what copies need
   * @param hotReplicaBytes that hot-spot replicas may take on a node; with 0 there are none
   * @param hotReplicaReads per second from which on busy keys of a copy get hot-spot replicas
   * @param hotReplicaFactor by which the load grows until they get more
   */
  public record Replication(
      int copies,
      Duration longFailure,
      Duration settle,
      boolean relaxed,
      long hotReplicaBytes,
      long hotReplicaReads,
      double hotReplicaFactor) {}

  /**
   * When ranges are split, merged and moved by size and by load.
   *
   * @param splitRate reads and updates per second; 0 for never
   * @param mergeAfter 0 for never
   */
  public record Balance(
      boolean automatic, long splitBytes, long splitRate, Duration mergeAfter, long shiftBytes) {}

  /**
   * The controller that keeps objectives, on the node that leads.
   *
   * @param check how often it looks
   * @param window checks that it looks back on
   * @param provisionWithin how long a node may take to come or to go
   * @param provisioner what starts and stops nodes for it; absent if people do
   */
  public record Control(
      Duration check, int window, Duration provisionWithin, Optional<CommandWords> provisioner) {
    /** As nodes have it unless told otherwise. */
    public static final Control DEFAULT =
        new Control(Duration.ofSeconds(30), 20, Duration.ofMinutes(10), Optional.empty());

    /** The same with something that starts and stops nodes. */
    public Control withProvisioner(CommandWords command) {
      return new Control(check, window, provisionWithin, Optional.of(command));
    }
  }

  /** A bookie that the node hosts. */
  public record Bookie(Path directory, String host, int port) {}

  /** Where metrics are served. */
  public record MetricsPort(String host, int port) {}

  /**
   * What is logged and where.
   *
   * @param file absent for standard error
   * @param fileBytesMax after which the file is begun anew
   * @param files how many are kept, the current one among them
   */
  public record Log(
      LogLevel level, LogLevel libraries, Optional<Path> file, long fileBytesMax, int files) {}
}
