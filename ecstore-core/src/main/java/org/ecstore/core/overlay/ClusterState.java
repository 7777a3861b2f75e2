package org.ecstore.core.overlay;

import java.util.Optional;
import org.ecstore.core.map.MapChange;
import org.ecstore.core.map.RangeDescriptor;
import org.ecstore.core.map.RangeMap;

/**
 * What the cluster agrees on in coordination, replaced as a whole by compare-and-set (rule 15): the
 * range map, the tree of nodes, the change that made this map (to be recorded in the ledger if it
 * is not yet), and the lowest range id never used.
 */
public record ClusterState(
    RangeMap ranges, BatonTree tree, Optional<MapChange> lastChange, long nextRangeId) {
  /** The state after the next change of the map, with the tree that goes with it. */
  public ClusterState after(MapChange change, BatonTree newTree) {
    long unused = nextRangeId;
    for (RangeDescriptor placed : change.placed()) {
      unused = Math.max(unused, placed.id().value() + 1);
    }
    return new ClusterState(ranges.apply(change), newTree, Optional.of(change), unused);
  }
}
