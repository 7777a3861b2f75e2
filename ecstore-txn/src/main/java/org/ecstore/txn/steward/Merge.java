package org.ecstore.txn.steward;

import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.ecstore.core.map.RangeDescriptor;
import org.ecstore.core.overlay.BatonTree;
import org.ecstore.core.overlay.ClusterState;
import org.ecstore.id.Epoch;
import org.ecstore.id.NodeId;
import org.ecstore.id.Position;
import org.ecstore.id.RangeId;
import org.ecstore.key.KeyRange;
import org.ecstore.key.KeyText;
import org.ecstore.txn.steward.decision.Decision;

/**
 * Two adjacent ranges on the same nodes become one (rule 17). A copy of it is closed where the less
 * closed of its two parts is, and its base is the greater of theirs.
 *
 * @param source the left one
 */
record Merge(
    RangeDescriptor source,
    RangeDescriptor right,
    RangeId movedId,
    Decision.Cause cause,
    String why)
    implements MovePlan {
  /**
   * What keeps two ranges, in key order, from being merged; absent if nothing does, but perhaps
   * that their secondaries are elsewhere.
   */
  static Optional<String> obstacle(
      Steward steward, ClusterState state, RangeDescriptor left, RangeDescriptor right) {
    if (!left.keys().end().equals(Optional.of(right.keys().start()))) {
      return Optional.of("they are not adjacent");
    }
    if (!state.ownerOf(left).equals(state.ownerOf(right))) {
      return Optional.of(
          "they belong to two nodes of the tree, %s and %s"
              .formatted(state.ownerOf(left), state.ownerOf(right)));
    }
    if (!state.homeOf(left).equals(state.homeOf(right))) {
      return Optional.of(
          "they have to be served by two nodes, %s and %s"
              .formatted(state.homeOf(left), state.homeOf(right)));
    }
    if (!left.primary().equals(right.primary())) {
      return Optional.of(
          "they are served by two nodes, %s and %s".formatted(left.primary(), right.primary()));
    }
    return steward.nodes().isServedLive(left) && steward.nodes().isServedLive(right)
        ? Optional.empty()
        : Optional.of("their primary is not there");
  }

  /** A copy of one of two ranges that is not known to be whole yet. */
  static Optional<String> unreported(Steward steward, RangeDescriptor left, RangeDescriptor right) {
    for (RangeDescriptor part : List.of(left, right)) {
      for (NodeId holder : holders(part)) {
        if (steward.nodes().reported(part, holder).isEmpty()) {
          return Optional.of(holder + " has not reported a whole copy of range " + part.id());
        }
      }
    }
    return Optional.empty();
  }

  /** The nodes with copies. */
  static TreeSet<NodeId> holders(RangeDescriptor range) {
    TreeSet<NodeId> holders = new TreeSet<>(range.secondaries());
    holders.add(range.primary());
    return holders;
  }

  @Override
  public NodeId target() {
    return source.primary();
  }

  @Override
  public long incarnation() {
    return source.primaryIncarnation();
  }

  @Override
  public Part part() {
    return new Part.Keys(KeyRange.between(source.keys().start(), right.keys().end()));
  }

  @Override
  public List<RangeDescriptor> retired() {
    return List.of(source, right);
  }

  @Override
  public Optional<BatonTree> treeAfter(BatonTree tree, KeyRange keys) {
    boolean sameHome = tree.ownerOf(keys.start()).keys().contains(keys);
    return sameHome ? Optional.of(tree) : Optional.empty();
  }

  @Override
  public RangeDescriptor moved(KeyRange keys, Epoch epoch, Predicate<NodeId> there) {
    return new RangeDescriptor(
        movedId, keys, epoch, source.primary(), source.primaryIncarnation(), source.secondaries());
  }

  @Override
  public String purpose() {
    return "merge ranges " + source.id() + " and " + right.id();
  }

  @Override
  public String effect(KeyRange keys, Position stamp) {
    return "they are %s, %s".formatted(movedId, KeyText.brief(keys));
  }
}
