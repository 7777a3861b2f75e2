package org.ecstore.bench.elastic;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.ecstore.id.NodeId;
import org.ecstore.id.RangeId;
import org.ecstore.key.KeyRange;
import org.ecstore.model.CopyState;

/**
 * A cluster at one moment, as its nodes and its steward tell it.
 *
 * @param running nodes whose processes are there
 * @param silent those of them that do not serve, or do not answer
 * @param ranges of the newest map that a node has; empty if no node has one
 * @param copies that each node says it has; of a node that does not answer there is no entry
 * @param shares what each node of the tree has, in key order; absent if no steward answers
 * @param busy what the steward is at; absent if it is at nothing
 * @param processes of the nodes that are running
 */
record ClusterSight(
    Set<NodeId> running,
    Set<NodeId> silent,
    List<HeldRange> ranges,
    Map<NodeId, List<HeldCopy>> copies,
    Optional<List<Share>> shares,
    Optional<String> busy,
    Set<Long> processes) {
  ClusterSight {
    running = Set.copyOf(running);
    silent = Set.copyOf(silent);
    ranges = List.copyOf(ranges);
    copies = Map.copyOf(copies);
    shares = shares.map(List::copyOf);
    processes = Set.copyOf(processes);
  }

  /**
   * A range by the map.
   *
   * @param home the node that it belongs to
   */
  record HeldRange(
      RangeId range, KeyRange keys, NodeId home, NodeId primary, List<NodeId> secondaries) {
    HeldRange {
      secondaries = List.copyOf(secondaries);
    }
  }

  /** A copy that a node says it has. */
  record HeldCopy(RangeId range, KeyRange keys, CopyState state) {}

  /**
   * What a node has by the tree.
   *
   * @param bytes that its ranges hold; absent while that is not known of all
   */
  record Share(NodeId node, long ranges, Optional<Long> bytes) {}

  /** Whether a node says that a copy is being made on it. */
  boolean isMoving() {
    return CopyState.beingMade(copies.values().stream().flatMap(List::stream).map(HeldCopy::state))
        > 0;
  }

  /** Whether a node has a range or a copy by the map or the tree, or says that it has one. */
  boolean hasAny(NodeId node) {
    return ranges.stream()
            .anyMatch(
                range ->
                    range.home().equals(node)
                        || range.primary().equals(node)
                        || range.secondaries().contains(node))
        || shares.stream().flatMap(List::stream).anyMatch(share -> share.node().equals(node))
        || !copies.getOrDefault(node, List.of()).isEmpty();
  }
}
