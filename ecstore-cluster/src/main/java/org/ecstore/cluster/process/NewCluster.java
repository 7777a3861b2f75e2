package org.ecstore.cluster.process;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.ecstore.cluster.config.ServerConfig;
import org.ecstore.cluster.layout.ClusterShape;
import org.ecstore.cluster.layout.EngineMix;
import org.ecstore.cluster.layout.NodeClass;
import org.ecstore.cluster.node.DatabaseMemory;
import org.ecstore.cluster.node.Machine;
import org.ecstore.cluster.node.NodeResources;
import org.ecstore.key.Bytes;
import org.ecstore.server.ReplicationSettings;

/**
 * What a cluster of processes gets when it is made; one that is there stays as it is. Immutable.
 *
 * @param splitHints keys that say where its data will be
 * @param replication copies of ranges; each node counts as on a host of its own
 * @param resources of each of its processes
 * @param machine whose memory and processors the processes share, in place of the resources said
 * @param classPath of its processes; that of this process if absent
 * @param mix of engines, each host with a node of every kind; absent if all nodes have the usual
 *     one on a host of their own
 * @param firstPort where its first node listens; any that is free if absent
 * @param standalone whether it is one node for ever, with a ledger and a map in files of its own,
 *     without ZooKeeper and bookies
 * @param changesKept how long its ledger is kept for readers of changes
 * @param nodeClass what machine each of its nodes stands for
 * @param measured whether each of its nodes serves metrics
 * @param control when its controller looks and acts, and what starts nodes for it
 * @param databaseBytes what each database server under its nodes keeps in memory; as its processes'
 *     resources say if absent
 */
public record NewCluster(
    List<Bytes> splitHints,
    ReplicationSettings replication,
    NodeResources resources,
    Optional<Machine> machine,
    Optional<String> classPath,
    Optional<EngineMix> mix,
    Optional<Integer> firstPort,
    boolean standalone,
    Duration changesKept,
    NodeClass nodeClass,
    boolean measured,
    ServerConfig.Control control,
    Optional<Long> databaseBytes) {
  /** As clusters are unless told otherwise. */
  public static final NewCluster DEFAULT =
      new NewCluster(
          List.of(),
          ReplicationSettings.DEFAULT,
          NodeResources.SMALL,
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          false,
          Duration.ZERO,
          NodeClass.STANDARD,
          false,
          ServerConfig.Control.DEFAULT,
          Optional.empty());

  public NewCluster {
    splitHints = List.copyOf(splitHints);
  }

  /** The same with hints. */
  public NewCluster withSplitHints(List<Bytes> hints) {
    return new NewCluster(
        hints,
        replication,
        resources,
        machine,
        classPath,
        mix,
        firstPort,
        standalone,
        changesKept,
        nodeClass,
        measured,
        control,
        databaseBytes);
  }

  /** The same with other copies. */
  public NewCluster withReplication(ReplicationSettings other) {
    return new NewCluster(
        splitHints,
        other,
        resources,
        machine,
        classPath,
        mix,
        firstPort,
        standalone,
        changesKept,
        nodeClass,
        measured,
        control,
        databaseBytes);
  }

  /** The same with other processes. */
  public NewCluster withResources(NodeResources other) {
    return new NewCluster(
        splitHints,
        replication,
        other,
        Optional.empty(),
        classPath,
        mix,
        firstPort,
        standalone,
        changesKept,
        nodeClass,
        measured,
        control,
        databaseBytes);
  }

  /** The same with processes that share a machine, beside what else there is on it. */
  public NewCluster on(Machine shared) {
    return new NewCluster(
        splitHints,
        replication,
        resources,
        Optional.of(shared),
        classPath,
        mix,
        firstPort,
        standalone,
        changesKept,
        nodeClass,
        measured,
        control,
        databaseBytes);
  }

  /**
   * The same with processes of another build, which reads what this one writes into a configuration
   * and answers its requests.
   */
  public NewCluster withClassPath(String other) {
    return new NewCluster(
        splitHints,
        replication,
        resources,
        machine,
        Optional.of(other),
        mix,
        firstPort,
        standalone,
        changesKept,
        nodeClass,
        measured,
        control,
        databaseBytes);
  }

  /**
   * The same with processes of this build that load all classes themselves, as those of another
   * build do: without what {@code bin/ecstore} keeps ready of them.
   */
  public NewCluster withoutKeptClasses() {
    return withClassPath(NodeLauncher.ownClassPath());
  }

  /** The same with nodes of several kinds of engines. */
  public NewCluster withMix(EngineMix other) {
    return new NewCluster(
        splitHints,
        replication,
        resources,
        machine,
        classPath,
        Optional.of(other),
        firstPort,
        standalone,
        changesKept,
        nodeClass,
        measured,
        control,
        databaseBytes);
  }

  /** The same with a port for its first node, which must be free. */
  public NewCluster withFirstPort(int port) {
    return new NewCluster(
        splitHints,
        replication,
        resources,
        machine,
        classPath,
        mix,
        Optional.of(port),
        standalone,
        changesKept,
        nodeClass,
        measured,
        control,
        databaseBytes);
  }

  /** The same, its ledger kept for so long for readers of changes. */
  public NewCluster withChangesKept(Duration kept) {
    return new NewCluster(
        splitHints,
        replication,
        resources,
        machine,
        classPath,
        mix,
        firstPort,
        standalone,
        kept,
        nodeClass,
        measured,
        control,
        databaseBytes);
  }

  /** The same with nodes that stand for other machines. */
  public NewCluster withNodeClass(NodeClass other) {
    return new NewCluster(
        splitHints,
        replication,
        resources,
        machine,
        classPath,
        mix,
        firstPort,
        standalone,
        changesKept,
        other,
        measured,
        control,
        databaseBytes);
  }

  /** The same, each node with a port of its own for metrics. */
  public NewCluster asMeasured() {
    return new NewCluster(
        splitHints,
        replication,
        resources,
        machine,
        classPath,
        mix,
        firstPort,
        standalone,
        changesKept,
        nodeClass,
        true,
        control,
        databaseBytes);
  }

  /** The same with another controller. */
  public NewCluster withControl(ServerConfig.Control other) {
    return new NewCluster(
        splitHints,
        replication,
        resources,
        machine,
        classPath,
        mix,
        firstPort,
        standalone,
        changesKept,
        nodeClass,
        measured,
        other,
        databaseBytes);
  }

  /**
   * What so many nodes have in common.
   *
   * @throws ProcessClusterException if a range shall have more copies than there are places for
   */
  ClusterShape shape(int nodes, FreePorts ports) {
    int hosts = mix.map(EngineMix::hosts).orElse(nodes);
    try {
      return new ClusterShape(
          ClusterShape.zooKeepers(hosts, mix, ports::next),
          ClusterShape.ledger(hosts),
          splitHints,
          ClusterShape.replication(hosts, mix.isPresent() ? "hosts" : "nodes", replication),
          mix,
          changesKept,
          nodeClass,
          measured,
          control);
    } catch (IllegalArgumentException e) {
      throw new ProcessClusterException(String.valueOf(e.getMessage()), e);
    }
  }

  /** The same with database servers that each keep so much in memory. */
  public NewCluster withDatabaseBytes(long bytes) {
    return new NewCluster(
        splitHints,
        replication,
        resources,
        machine,
        classPath,
        mix,
        firstPort,
        standalone,
        changesKept,
        nodeClass,
        measured,
        control,
        Optional.of(bytes));
  }

  /** What each process gets if there are so many, and the server under it. */
  public NodeResources resourcesOf(int nodes) {
    NodeResources each = machine.map(shared -> NodeResources.of(shared, nodes)).orElse(resources);
    return databaseBytes.map(bytes -> each.with(DatabaseMemory.of(bytes))).orElse(each);
  }

  /** The same as one node for ever. */
  public NewCluster asStandalone() {
    return new NewCluster(
        splitHints,
        replication,
        resources,
        machine,
        classPath,
        mix,
        firstPort,
        true,
        changesKept,
        nodeClass,
        measured,
        control,
        databaseBytes);
  }
}
