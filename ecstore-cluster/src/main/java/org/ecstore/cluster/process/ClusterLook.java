package org.ecstore.cluster.process;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.ecstore.protocol.ClientReply.StatusReport;

/**
 * How a cluster of processes is at one moment.
 *
 * @param map the newest that a node has that answers; absent if none has one
 */
public record ClusterLook(List<NodeStatus> nodes, Optional<StatusReport> map) {
  public ClusterLook {
    nodes = List.copyOf(nodes);
  }

  /**
   * How many copies the range has that has most, by the map; 1 without one. Nodes do not say how
   * many there should be.
   */
  public int copiesMost() {
    return map.stream()
        .flatMap(report -> report.holders().stream())
        .mapToInt(holders -> 1 + holders.secondaries().size())
        .max()
        .orElse(1);
  }

  /** The node that is the sequencer, if one says so; of two, the one that knows more. */
  public Optional<Integer> sequencer() {
    return nodes.stream()
        .filter(NodeStatus::sequencing)
        .max(
            Comparator.comparing(
                each -> each.seen().map(seen -> seen.point().position().value()).orElse(0L)))
        .map(NodeStatus::node);
  }
}
