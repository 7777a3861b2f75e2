package org.ecstore.txn.steward;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.ecstore.core.map.RangeDescriptor;
import org.ecstore.core.overlay.BatonTree;
import org.ecstore.core.overlay.ClusterState;
import org.ecstore.core.overlay.Place;
import org.ecstore.core.overlay.Side;
import org.ecstore.id.NodeId;
import org.ecstore.id.RangeId;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.txn.steward.decision.Decision;

/**
 * A safe departure, one range at a time (ecStore §5.4): the outermost range of the node that leaves
 * goes to the adjacent on that side, and with the last one the node goes out of the tree. Between
 * two of them everything is as it should be, so a departure may be broken off or taken up again at
 * any point.
 *
 * <p>BATON's own departure has the keys of an inner node moved twice: a replacement gives its own
 * to its parent and takes those of the node that leaves. Here the adjacent takes them, and places
 * in the tree, which cost nothing to move, are shifted along the key order.
 *
 * @param leaverIncarnation in which it wants to leave; 0 if it does not, and is gone, or may keep
 *     no place
 */
record Leave(
    NodeId leaver,
    long leaverIncarnation,
    Heir heir,
    RangeDescriptor source,
    RangeId movedId,
    String why)
    implements MovePlan {
  /** Who may take over from a node, and on which side of it. */
  record Heir(NodeId node, long incarnation, Side side) {}

  /**
   * The outermost of the ranges that belong to a node goes to its heir.
   *
   * @param own in key order; served by the node itself, or by another in its stead
   * @param why for people; empty where that goes without saying
   */
  static Leave of(
      NodeId leaver,
      long leaverIncarnation,
      Heir heir,
      List<RangeDescriptor> own,
      long reserved,
      String why) {
    return new Leave(
        leaver, leaverIncarnation, heir, outermost(own, heir.side()), new RangeId(reserved), why);
  }

  private static RangeDescriptor outermost(List<RangeDescriptor> own, Side side) {
    return side == Side.LEFT ? own.getFirst() : own.getLast();
  }

  /**
   * The adjacent that is there, stays, may serve, persists, had room for what it was given last,
   * and has the fewest ranges; the parent, whom BATON's leaves give their keys to, if they have
   * equally many. One whose copy of the next range is not whole, or lags, is none until it is:
   * nothing would serve that range meanwhile. Nor is one that may keep no place itself: it leaves
   * first.
   */
  static Optional<Heir> heir(Steward steward, ClusterState state, NodeId leaver) {
    Optional<NodeId> parent = state.tree().links(leaver).parent().map(Place::node);
    List<RangeDescriptor> own = state.rangesWithin(leaver);
    return Stream.of(Side.values())
        .flatMap(
            side ->
                state.tree().adjacent(leaver, side).stream()
                    .map(Place::node)
                    .filter(node -> !steward.nodes().wantsToLeave(node))
                    .filter(node -> !steward.nodes().isStuck(node))
                    .filter(steward::mayHavePlace)
                    .flatMap(
                        node ->
                            steward.nodes().liveIncarnation(node).stream()
                                .map(incarnation -> new Heir(node, incarnation, side))))
        .min(
            Comparator.comparing((Heir heir) -> !steward.nodes().mayServe(heir.node()))
                .thenComparing(heir -> !steward.nodes().engine(heir.node()).persists())
                .thenComparing(heir -> !isReady(steward, own, heir))
                .thenComparing(heir -> steward.isPutOff(heir.node()))
                .thenComparingInt(heir -> state.rangesOf(heir.node()).size())
                .thenComparing(heir -> !parent.equals(Optional.of(heir.node()))))
        .filter(heir -> isReady(steward, own, heir));
  }

  private static boolean isReady(Steward steward, List<RangeDescriptor> own, Heir heir) {
    return steward.mayTakeOver(outermost(own, heir.side()), heir.node());
  }

  @Override
  public NodeId target() {
    return heir.node();
  }

  @Override
  public long incarnation() {
    return heir.incarnation();
  }

  @Override
  public Optional<BatonTree> treeAfter(BatonTree tree, KeyRange keys) {
    if (!tree.contains(leaver)) {
      return Optional.empty();
    }
    boolean adjacent =
        tree.adjacent(leaver, heir.side()).map(Place::node).equals(Optional.of(target()));
    if (!adjacent) {
      return Optional.empty();
    }
    KeyRange of = tree.place(leaver).keys();
    if (of.equals(keys)) {
      return Optional.of(tree.leaveTo(leaver, target()).tree());
    }
    boolean outermost =
        heir.side() == Side.LEFT ? of.start().equals(keys.start()) : of.end().equals(keys.end());
    if (!outermost) {
      return Optional.empty();
    }
    Bytes boundary = heir.side() == Side.LEFT ? keys.end().orElseThrow() : keys.start();
    return Optional.of(tree.shiftBoundary(leaver, target(), boundary).tree());
  }

  /** On to the next range at once. */
  @Override
  public void done(Steward steward) {
    steward.leaveWanted(leaver, leaverIncarnation);
  }

  @Override
  public Decision.Cause cause() {
    return Decision.Cause.MEMBERSHIP;
  }

  @Override
  public String purpose() {
    return leaver + " leaves";
  }
}
