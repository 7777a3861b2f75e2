package org.ecstore.txn.qos.control;

import org.ecstore.replication.hotspot.HotReplicaSettings;

/**
 * When the controller looks and acts, and what it knows of how nodes are configured.
 *
 * @param checkNanos how often it looks whether objectives are kept
 * @param window checks after which it may act: a guarantee that was violated in half of them, the
 *     last one among these, calls for something
 * @param provisionNanos how long a node may take to come or to go
 * @param hotThreshold from how many reads a second of a copy on this node makes hot-spot replicas
 *     by its configuration, which others are taken to have too; 0 if it makes none
 */
public record ControlTiming(long checkNanos, int window, long provisionNanos, long hotThreshold) {
  private static final long SECOND = 1_000_000_000L;

  /** Twenty checks in ten minutes. Paper: Cassandra QoS, §IV. */
  public static final ControlTiming DEFAULT = new ControlTiming(30 * SECOND, 20, 600 * SECOND);

  public ControlTiming {
    if (checkNanos < 1 || window < 2 || provisionNanos < 1) {
      throw new IllegalArgumentException(
          "no checks every %d ns, %d of them, and %d ns for a node"
              .formatted(checkNanos, window, provisionNanos));
    }
  }

  /** Of nodes that make hot-spot replicas as they do where nothing else is said. */
  public ControlTiming(long checkNanos, int window, long provisionNanos) {
    this(checkNanos, window, provisionNanos, threshold(HotReplicaSettings.DEFAULT));
  }

  /** Of nodes that make hot-spot replicas so. */
  public ControlTiming with(HotReplicaSettings hotReplicas) {
    return new ControlTiming(checkNanos, window, provisionNanos, threshold(hotReplicas));
  }

  private static long threshold(HotReplicaSettings hotReplicas) {
    return hotReplicas.enabled() ? Math.round(hotReplicas.balance().unitLoad()) : 0;
  }
}
