package org.ecstore.cluster.process;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
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
    return changed(parts -> parts.splitHints = hints);
  }

  /** The same with other copies. */
  public NewCluster withReplication(ReplicationSettings other) {
    return changed(parts -> parts.replication = other);
  }

  /** The same with other processes. */
  public NewCluster withResources(NodeResources other) {
    return changed(
        parts -> {
          parts.resources = other;
          parts.machine = Optional.empty();
        });
  }

  /** The same with processes that share a machine, beside what else there is on it. */
  public NewCluster on(Machine shared) {
    return changed(parts -> parts.machine = Optional.of(shared));
  }

  /**
   * The same with processes of another build, which reads what this one writes into a configuration
   * and answers its requests.
   */
  public NewCluster withClassPath(String other) {
    return changed(parts -> parts.classPath = Optional.of(other));
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
    return changed(parts -> parts.mix = Optional.of(other));
  }

  /** The same with a port for its first node, which must be free. */
  public NewCluster withFirstPort(int port) {
    return changed(parts -> parts.firstPort = Optional.of(port));
  }

  /** The same, its ledger kept for so long for readers of changes. */
  public NewCluster withChangesKept(Duration kept) {
    return changed(parts -> parts.changesKept = kept);
  }

  /** The same with nodes that stand for other machines. */
  public NewCluster withNodeClass(NodeClass other) {
    return changed(parts -> parts.nodeClass = other);
  }

  /** The same, each node with a port of its own for metrics. */
  public NewCluster asMeasured() {
    return changed(parts -> parts.measured = true);
  }

  /** The same with another controller. */
  public NewCluster withControl(ServerConfig.Control other) {
    return changed(parts -> parts.control = other);
  }

  /** The same with database servers that each keep so much in memory. */
  public NewCluster withDatabaseBytes(long bytes) {
    return changed(parts -> parts.databaseBytes = Optional.of(bytes));
  }

  /** The same as one node for ever. */
  public NewCluster asStandalone() {
    return changed(parts -> parts.standalone = true);
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

  /** What each process gets if there are so many, and the server under it. */
  public NodeResources resourcesOf(int nodes) {
    NodeResources each = machine.map(shared -> NodeResources.of(shared, nodes)).orElse(resources);
    return databaseBytes.map(bytes -> each.with(DatabaseMemory.of(bytes))).orElse(each);
  }

  /** The same but for one change. */
  private NewCluster changed(Consumer<Parts> change) {
    Parts parts = new Parts(this);
    change.accept(parts);
    return parts.made();
  }

  /** What it is made of, while that is changed. */
  private static final class Parts {
    private List<Bytes> splitHints;
    private ReplicationSettings replication;
    private NodeResources resources;
    private Optional<Machine> machine;
    private Optional<String> classPath;
    private Optional<EngineMix> mix;
    private Optional<Integer> firstPort;
    private boolean standalone;
    private Duration changesKept;
    private NodeClass nodeClass;
    private boolean measured;
    private ServerConfig.Control control;
    private Optional<Long> databaseBytes;

    Parts(NewCluster of) {
      splitHints = of.splitHints;
      replication = of.replication;
      resources = of.resources;
      machine = of.machine;
      classPath = of.classPath;
      mix = of.mix;
      firstPort = of.firstPort;
      standalone = of.standalone;
      changesKept = of.changesKept;
      nodeClass = of.nodeClass;
      measured = of.measured;
      control = of.control;
      databaseBytes = of.databaseBytes;
    }

    NewCluster made() {
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
          databaseBytes);
    }
  }
}
