package org.ecstore.core.metrics;

import org.ecstore.id.NodeId;

/**
 * Gives each node of a process its {@link Metrics}. Settings have one; where a store is opened
 * without settings it is found as a service.
 */
@FunctionalInterface
public interface MetricsProvider {
  /** Takes nothing of any node. */
  MetricsProvider NONE = node -> Metrics.NONE;

  /** Where the numbers of a node go. Asked for whenever the node is started. */
  Metrics of(NodeId node);
}
