package org.ecstore.core.overlay;

import java.util.List;
import java.util.Optional;
import org.ecstore.check.Check;
import org.ecstore.core.map.MapChange;
import org.ecstore.core.map.RangeDescriptor;
import org.ecstore.core.map.RangeMap;
import org.ecstore.id.NodeId;

/**
 * What the cluster agrees on in coordination, replaced as a whole by compare-and-set (rule 15): the
 * range map, the tree of nodes, the change that made this map (to be recorded in the ledger if it
 * is not yet), the lowest range id never used, and the primary preferences of keys that are not
 * served where they belong in the tree.
 */
public record ClusterState(
    RangeMap ranges,
    BatonTree tree,
    Optional<MapChange> lastChange,
    long nextRangeId,
    PrimaryPreferences preferences) {
  /** Without primary preferences. */
  public ClusterState(
      RangeMap ranges, BatonTree tree, Optional<MapChange> lastChange, long nextRangeId) {
    this(ranges, tree, lastChange, nextRangeId, PrimaryPreferences.NONE);
  }

  /** With other ranges ids out of use, nothing else. */
  public ClusterState withNextRangeId(long unused) {
    return new ClusterState(ranges, tree, lastChange, unused, preferences);
  }

  /** With other primary preferences. */
  public ClusterState withPreferences(PrimaryPreferences others) {
    return new ClusterState(ranges, tree, lastChange, nextRangeId, others.only(tree::contains));
  }

  /**
   * The state after the next change of the map, with the tree that goes with it. Each range lies
   * within one node's interval in the tree: that node is where it belongs, and its primary but for
   * failures.
   */
  public ClusterState after(MapChange change, BatonTree newTree) {
    long unused = nextRangeId;
    for (RangeDescriptor placed : change.placed()) {
      unused = Math.max(unused, placed.id().value() + 1);
    }
    RangeMap map = ranges.apply(change);
    for (RangeDescriptor range : map.ranges()) {
      Check.that(
          newTree.ownerOf(range.keys().start()).keys().contains(range.keys()),
          "a range lies within one node's interval in the tree",
          range,
          newTree);
    }
    return new ClusterState(
        map, newTree, Optional.of(change), unused, preferences.only(newTree::contains));
  }

  /** The ranges of a node in key order. */
  public List<RangeDescriptor> rangesOf(NodeId node) {
    return ranges.ranges().stream().filter(range -> range.primary().equals(node)).toList();
  }

  /**
   * The ranges that belong to a node of the tree, also those that other nodes serve, in key order.
   */
  public List<RangeDescriptor> rangesWithin(NodeId node) {
    return ranges.overlapping(tree.place(node).keys());
  }

  /** The node of the tree that a range belongs to. */
  public NodeId ownerOf(RangeDescriptor range) {
    return tree.ownerOf(range.keys().start()).node();
  }

  /** The node that serves a range when it is there: the preferred primary, else its owner. */
  public NodeId homeOf(RangeDescriptor range) {
    return preferences.of(range.keys()).orElseGet(() -> ownerOf(range));
  }
}
