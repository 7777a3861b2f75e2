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
 * is not yet), and the lowest range id never used.
 */
public record ClusterState(
    RangeMap ranges, BatonTree tree, Optional<MapChange> lastChange, long nextRangeId) {
  /**
   * The state after the next change of the map, with the tree that goes with it: a node's interval
   * in the tree is what its ranges cover together.
   */
  public ClusterState after(MapChange change, BatonTree newTree) {
    long unused = nextRangeId;
    for (RangeDescriptor placed : change.placed()) {
      unused = Math.max(unused, placed.id().value() + 1);
    }
    RangeMap map = ranges.apply(change);
    for (RangeDescriptor range : map.ranges()) {
      // Both tile all keys: if each range lies within its primary's interval, they are the same.
      Check.that(
          newTree.place(range.primary()).keys().contains(range.keys()),
          "a range lies within its primary's interval in the tree",
          range,
          newTree);
    }
    return new ClusterState(map, newTree, Optional.of(change), unused);
  }

  /** The ranges of a node in key order. */
  public List<RangeDescriptor> rangesOf(NodeId node) {
    return ranges.ranges().stream().filter(range -> range.primary().equals(node)).toList();
  }
}
