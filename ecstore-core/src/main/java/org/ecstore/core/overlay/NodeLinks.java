package org.ecstore.core.overlay;

import java.util.List;
import java.util.Optional;
import org.ecstore.id.NodeId;
import org.ecstore.key.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * What one node of the tree knows: itself, its parent, children and adjacents, and its routing
 * tables (same level at distance 1, 2, 4, ..., nearest first, free places left out), each with
 * position and keys. Enough to route to any key in the whole tree.
 *
 * <p>Routing is BATON's: the farthest table entry not past the key, else the child on that side,
 * else the adjacent. The published algorithm is silent on free places within a table, which only
 * leaves have. If it steps over one, the jump no longer halves the way that is left, and the next
 * leaf may have another gap: up to 36 hops were measured among 10,000 nodes, where 1.44 log2 N + 2
 * is 21. So:
 *
 * <ol>
 *   <li>an adjacent that owns the key is asked at once;
 *   <li>if the first entry that could be not past the key is free, the request goes up to the
 *       parent, which has a child and therefore no gaps;
 *   <li>a node that is asked by a table neighbour at distance d knows that less than d places are
 *       left, and one that is asked by its parent that less than 2 are: gaps farther off do not
 *       matter.
 * </ol>
 *
 * <p>It ends: a jump at distance d leaves less than d; a step to a child is followed by at most one
 * jump, of distance 1, and otherwise by steps down (where the place beside a child asked by its
 * parent is free, no key is between that child's adjacent and the parent's neighbour); a step up is
 * to a level with fewer gaps. In trees grown and shrunk at random the longest route is about as
 * long as the tree is high. Rule 20.
 */
public record NodeLinks(
    Place self,
    Optional<Place> parent,
    Optional<Place> leftChild,
    Optional<Place> rightChild,
    Optional<Place> leftAdjacent,
    Optional<Place> rightAdjacent,
    List<Place> leftTable,
    List<Place> rightTable) {
  public NodeLinks {
    leftTable = List.copyOf(leftTable);
    rightTable = List.copyOf(rightTable);
  }

  /**
   * The link to follow to come nearer to the owner of a key, for a request that starts here; absent
   * if the key is this node's own.
   */
  public Optional<Place> firstHop(Bytes key) {
    return next(key, Long.MAX_VALUE);
  }

  /**
   * As {@link #firstHop}, for a request that another node passed on to this one. Without its name
   * the request may be sent back to where it came from, and go to and fro for ever.
   */
  public Optional<Place> nextHop(Bytes key, NodeId sender) {
    return next(key, distanceLimit(sender));
  }

  private Optional<Place> next(Bytes key, long distanceLimit) {
    if (self.keys().contains(key)) {
      return Optional.empty();
    }
    Side side = self.keys().isBelowEnd(key) ? Side.LEFT : Side.RIGHT;
    Optional<Place> adjacent = side == Side.LEFT ? leftAdjacent : rightAdjacent;
    if (adjacent.isPresent() && adjacent.get().keys().contains(key)) {
      return adjacent;
    }
    return beside(key, side, distanceLimit)
        .or(() -> side == Side.LEFT ? leftChild : rightChild)
        .or(() -> adjacent);
  }

  /** The farthest table entry not past the key; the parent where a gap leaves it open. */
  private Optional<Place> beside(Bytes key, Side side, long distanceLimit) {
    TreePosition position = self.position();
    List<Place> table = side == Side.LEFT ? leftTable : rightTable;
    int unseen = table.size();
    for (long distance = 1L << position.level(); distance >= 1; distance /= 2) {
      Optional<TreePosition> beside = position.beside(side, distance);
      if (beside.isEmpty()) {
        continue;
      }
      @Nullable Place entry = unseen == 0 ? null : table.get(unseen - 1);
      if (entry != null && !entry.position().equals(beside.get())) {
        entry = null;
      }
      if (entry != null) {
        unseen--;
      }
      if (distance >= distanceLimit) {
        continue;
      }
      if (entry == null) {
        return parent;
      }
      if (!isPast(entry, key, side)) {
        return Optional.of(entry);
      }
    }
    return Optional.empty();
  }

  private static boolean isPast(Place entry, Bytes key, Side side) {
    return side == Side.RIGHT
        ? entry.keys().start().compareTo(key) > 0
        : !entry.keys().isBelowEnd(key);
  }

  private long distanceLimit(NodeId sender) {
    if (parent.isPresent() && parent.get().node().equals(sender)) {
      return 2;
    }
    for (List<Place> table : List.of(leftTable, rightTable)) {
      for (Place entry : table) {
        if (entry.node().equals(sender)) {
          return Math.abs(entry.position().number() - self.position().number());
        }
      }
    }
    return Long.MAX_VALUE;
  }
}
