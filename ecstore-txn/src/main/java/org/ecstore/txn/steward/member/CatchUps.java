package org.ecstore.txn.steward.member;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiFunction;
import org.ecstore.core.map.RangeDescriptor;
import org.ecstore.core.map.RangeMap;
import org.ecstore.id.NodeId;
import org.ecstore.id.Position;
import org.ecstore.id.RangeId;
import org.ecstore.key.KeyRange;

/**
 * Copies that were placed on members whose stores may forget, and that have not read on to where
 * they were placed (rule 7, decision 0106). Such a copy says nothing of what the ledger is kept
 * for: so that it is not lost as soon as it is placed, the stamp it was built at is kept for it
 * meanwhile.
 */
public final class CatchUps {
  /**
   * One copy.
   *
   * @param through the ledger was durable up to there when the copy was placed; absent while it is
   *     not known whether it is
   */
  private record CatchUp(NodeId node, KeyRange keys, Optional<Position> through, long sinceNanos) {
    CatchUp placedAt(Position durable) {
      return through.isPresent() ? this : new CatchUp(node, keys, Optional.of(durable), sinceNanos);
    }

    /** By keys: the range may have been split, merged or placed anew since. */
    boolean isOver(RangeMap map, BiFunction<RangeDescriptor, NodeId, Optional<Position>> reported) {
      return map.overlapping(keys).stream()
          .filter(range -> range.primary().equals(node) || range.secondaries().contains(node))
          .allMatch(
              range ->
                  through.isPresent()
                      && reported
                          .apply(range, node)
                          .filter(through.get()::isAtOrBelow)
                          .isPresent());
    }
  }

  private final Map<RangeId, CatchUp> underWay = new TreeMap<>();

  /** Another node has led meanwhile: nothing is kept any more. */
  public void clear() {
    underWay.clear();
  }

  /**
   * A copy was placed, or may have been.
   *
   * @param range under whose id its stamp is kept
   * @param through as far as the ledger is durable; absent if it is not known whether the copy was
   *     placed: by the next map that is known it is, or never will be
   */
  public void add(
      RangeId range, NodeId node, KeyRange keys, Optional<Position> through, long nanos) {
    underWay.put(range, new CatchUp(node, keys, through, nanos));
  }

  /**
   * The ids under which nothing need be kept any more, once each: the node has said that its copy
   * is closed where it was placed, or beyond; holds none of these keys any more; or has had its
   * time.
   *
   * @param map the newest there is, all of it recorded
   * @param durable as far as the ledger is durable
   * @param reported how far a node's copy of a range is closed, if it has said so
   */
  public List<RangeId> takeDone(
      RangeMap map,
      Position durable,
      BiFunction<RangeDescriptor, NodeId, Optional<Position>> reported,
      long nowNanos,
      long timeoutNanos) {
    if (underWay.isEmpty()) {
      return List.of();
    }
    underWay.replaceAll((_, one) -> one.placedAt(durable));
    List<RangeId> over =
        underWay.entrySet().stream()
            .filter(
                each ->
                    nowNanos - each.getValue().sinceNanos() >= timeoutNanos
                        || each.getValue().isOver(map, reported))
            .map(Map.Entry::getKey)
            .toList();
    over.forEach(underWay::remove);
    return over;
  }
}
