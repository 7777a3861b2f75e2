package org.ecstore.server;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.ecstore.core.metrics.MetricsProvider;
import org.ecstore.engines.EngineSettings;
import org.ecstore.key.Bytes;
import org.ecstore.model.NodeTraits;
import org.ecstore.server.ledger.LedgerSettings;
import org.ecstore.server.loop.LoopLimits;
import org.ecstore.server.net.NetSettings;
import org.ecstore.txn.node.NodeSettings;
import org.ecstore.txn.qos.control.ControlTiming;
import org.ecstore.txn.sequencer.LedgerRetention;

/**
 * What a {@link LocalCluster} is made of. Immutable.
 *
 * @param nodes how many to start in an empty directory; of a directory with more, all start
 * @param splitHints sorted keys that say where the data will be, so that nodes which join before
 *     there is any get fair parts
 * @param replication copies of ranges; in {@link LocalCluster} as many as there are nodes, three at
 *     most, unless it says how many
 * @param versionsKept how long the store can still be read as it was, where no snapshot is open
 * @param changesKept what the ledger keeps for readers of changes
 * @param control when the controller looks and acts
 * @param startWithin how long to wait until nodes serve
 * @param metrics where the numbers of each node go
 * @param traits of each node, but for its release and its engine, which it knows itself; what its
 *     capacity is counts for a node that has its process for itself
 */
public record ClusterSettings(
    int nodes,
    List<Bytes> splitHints,
    NetSettings net,
    LoopLimits loopLimits,
    EngineSettings engine,
    LedgerSettings ledger,
    ReplicationSettings replication,
    Duration versionsKept,
    LedgerRetention.Bounds changesKept,
    ControlTiming control,
    Duration startWithin,
    MetricsProvider metrics,
    NodeTraits traits) {
  /** Three nodes. */
  public static final ClusterSettings DEFAULT =
      new ClusterSettings(
          3,
          List.of(),
          NetSettings.DEFAULT,
          LoopLimits.DEFAULT,
          EngineSettings.DEFAULT
              .withCacheBytes(engineCacheBytes())
              .withWindowBytes(engineCacheBytes()),
          LedgerSettings.DEFAULT,
          ReplicationSettings.DEFAULT,
          Duration.ofNanos(NodeSettings.RETENTION_NANOS),
          LedgerRetention.Bounds.NONE,
          ControlTiming.DEFAULT,
          Duration.ofSeconds(60),
          MetricsProvider.NONE,
          new NodeTraits(NodeTraits.STANDARD, Optional.empty(), "", ""));

  public ClusterSettings {
    if (nodes < 1) {
      throw new IllegalArgumentException("a cluster has at least one node, not " + nodes);
    }
    splitHints = List.copyOf(splitHints);
  }

  /** Several engines share this process's heap: a twelfth of it each. */
  private static long engineCacheBytes() {
    return Math.max(16L << 20, Runtime.getRuntime().maxMemory() / 12);
  }

  /** The same with so many nodes. */
  public ClusterSettings withNodes(int count) {
    return new ClusterSettings(
        count,
        splitHints,
        net,
        loopLimits,
        engine,
        ledger,
        replication,
        versionsKept,
        changesKept,
        control,
        startWithin,
        metrics,
        traits);
  }

  /** The same with other hints. */
  public ClusterSettings withSplitHints(List<Bytes> hints) {
    return new ClusterSettings(
        nodes,
        hints,
        net,
        loopLimits,
        engine,
        ledger,
        replication,
        versionsKept,
        changesKept,
        control,
        startWithin,
        metrics,
        traits);
  }

  /** The same with other bounds of the network. */
  public ClusterSettings withNet(NetSettings other) {
    return new ClusterSettings(
        nodes,
        splitHints,
        other,
        loopLimits,
        engine,
        ledger,
        replication,
        versionsKept,
        changesKept,
        control,
        startWithin,
        metrics,
        traits);
  }

  /** The same with other engines. */
  public ClusterSettings withEngine(EngineSettings other) {
    return new ClusterSettings(
        nodes,
        splitHints,
        net,
        loopLimits,
        other,
        ledger,
        replication,
        versionsKept,
        changesKept,
        control,
        startWithin,
        metrics,
        traits);
  }

  /** The same with another ledger. */
  public ClusterSettings withLedger(LedgerSettings other) {
    return new ClusterSettings(
        nodes,
        splitHints,
        net,
        loopLimits,
        engine,
        other,
        replication,
        versionsKept,
        changesKept,
        control,
        startWithin,
        metrics,
        traits);
  }

  /** The same with other copies. */
  public ClusterSettings withReplication(ReplicationSettings other) {
    return new ClusterSettings(
        nodes,
        splitHints,
        net,
        loopLimits,
        engine,
        ledger,
        other,
        versionsKept,
        changesKept,
        control,
        startWithin,
        metrics,
        traits);
  }

  /** The same with so many copies of each range, the primary's among them. */
  public ClusterSettings withCopies(int count) {
    return withReplication(replication.withCopies(count));
  }

  /** The same with versions kept so long. */
  public ClusterSettings withVersionsKept(Duration kept) {
    return new ClusterSettings(
        nodes,
        splitHints,
        net,
        loopLimits,
        engine,
        ledger,
        replication,
        kept,
        changesKept,
        control,
        startWithin,
        metrics,
        traits);
  }

  /** The same with changes kept so long for their readers, and no more than so many records. */
  public ClusterSettings withChangesKept(Duration kept, long recordsMax) {
    return new ClusterSettings(
        nodes,
        splitHints,
        net,
        loopLimits,
        engine,
        ledger,
        replication,
        versionsKept,
        new LedgerRetention.Bounds(kept.toNanos(), recordsMax),
        control,
        startWithin,
        metrics,
        traits);
  }

  /** The same with a controller that looks and acts at other times. */
  public ClusterSettings withControl(ControlTiming other) {
    return new ClusterSettings(
        nodes,
        splitHints,
        net,
        loopLimits,
        engine,
        ledger,
        replication,
        versionsKept,
        changesKept,
        other,
        startWithin,
        metrics,
        traits);
  }

  /** The same with another place for the numbers of its nodes. */
  public ClusterSettings withMetrics(MetricsProvider other) {
    return new ClusterSettings(
        nodes,
        splitHints,
        net,
        loopLimits,
        engine,
        ledger,
        replication,
        versionsKept,
        changesKept,
        control,
        startWithin,
        other,
        traits);
  }

  /** The same with nodes of another kind. */
  public ClusterSettings withTraits(NodeTraits other) {
    return new ClusterSettings(
        nodes,
        splitHints,
        net,
        loopLimits,
        engine,
        ledger,
        replication,
        versionsKept,
        changesKept,
        control,
        startWithin,
        metrics,
        other);
  }
}
