package org.ecstore.server;

import java.time.Duration;
import java.util.List;
import org.ecstore.engines.je.JeSettings;
import org.ecstore.key.Bytes;
import org.ecstore.server.lane.LaneLimits;
import org.ecstore.server.ledger.LedgerSettings;
import org.ecstore.server.net.NetSettings;

/**
 * What a {@link LocalCluster} is made of. Immutable.
 *
 * @param nodes how many to start in an empty directory; of a directory with more, all start
 * @param splitHints sorted keys that say where the data will be, so that nodes which join before
 *     there is any get fair parts
 * @param startWithin how long to wait until nodes serve
 */
public record ClusterSettings(
    int nodes,
    List<Bytes> splitHints,
    NetSettings net,
    LaneLimits lane,
    JeSettings engine,
    LedgerSettings ledger,
    Duration startWithin) {
  /** Three nodes. */
  public static final ClusterSettings DEFAULT =
      new ClusterSettings(
          3,
          List.of(),
          NetSettings.DEFAULT,
          LaneLimits.DEFAULT,
          JeSettings.DEFAULT.withCacheBytes(engineCacheBytes()),
          LedgerSettings.DEFAULT,
          Duration.ofSeconds(60));

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
    return new ClusterSettings(count, splitHints, net, lane, engine, ledger, startWithin);
  }

  /** The same with other hints. */
  public ClusterSettings withSplitHints(List<Bytes> hints) {
    return new ClusterSettings(nodes, hints, net, lane, engine, ledger, startWithin);
  }

  /** The same with other bounds of the network. */
  public ClusterSettings withNet(NetSettings other) {
    return new ClusterSettings(nodes, splitHints, other, lane, engine, ledger, startWithin);
  }

  /** The same with other engines. */
  public ClusterSettings withEngine(JeSettings other) {
    return new ClusterSettings(nodes, splitHints, net, lane, other, ledger, startWithin);
  }

  /** The same with another ledger. */
  public ClusterSettings withLedger(LedgerSettings other) {
    return new ClusterSettings(nodes, splitHints, net, lane, engine, other, startWithin);
  }
}
