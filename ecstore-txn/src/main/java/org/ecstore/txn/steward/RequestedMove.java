package org.ecstore.txn.steward;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.ecstore.core.map.RangeDescriptor;
import org.ecstore.core.overlay.ClusterState;
import org.ecstore.id.NodeId;
import org.ecstore.id.RangeId;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyText;
import org.ecstore.model.AdminRequest;
import org.ecstore.replication.placement.CopyChange;
import org.ecstore.replication.placement.CopyChange.Candidate;
import org.ecstore.txn.steward.decision.Decision.Cause;
import org.ecstore.txn.steward.member.ClusterNodes;

/** Turns what an operator wants into a move, as the state is now, or says why it cannot be. */
final class RequestedMove {
  /** What comes of a request. */
  sealed interface Answer {
    /** It cannot be. */
    record Refused(String why) implements Answer {}

    /** This does it. */
    record Granted(MovePlan plan) implements Answer {}

    /** This brings it nearer; then it has to be looked at again. */
    record First(MovePlan plan) implements Answer {}

    /** It cannot be told yet. */
    record Later(String why) implements Answer {}

    /** There is nothing more to do. */
    record Nothing(String why) implements Answer {}

    /** The node is to leave, at its own pace. */
    record Draining(NodeId node) implements Answer {}
  }

  private final Steward steward;
  private final ClusterNodes nodes;
  private final ClusterState state;

  RequestedMove(Steward steward, ClusterState state) {
    this.steward = steward;
    this.nodes = steward.nodes();
    this.state = state;
  }

  Answer answer(AdminRequest.OfRanges adminRequest) {
    return switch (adminRequest) {
      case AdminRequest.Split(var range, var at) -> split(range, at);
      case AdminRequest.Merge(var one, var other) -> merge(one, other);
      case AdminRequest.Move(var range, var to, var from) -> move(range, to, from);
      case AdminRequest.Drain(var node) -> drain(node);
      case AdminRequest.Rebalance _ -> steward.rebalance().adminRequested(state);
    };
  }

  private static Answer refused(String why) {
    return new Answer.Refused(why);
  }

  private static Answer unknown(RangeId id) {
    return refused(
        "there is no range %s: a range that is split, merged or moved gets another id"
            .formatted(id));
  }

  private Answer split(RangeId id, Optional<Bytes> at) {
    Optional<RangeDescriptor> found = state.ranges().range(id);
    if (found.isEmpty()) {
      return unknown(id);
    }
    RangeDescriptor range = found.get();
    if (at.isPresent() && !CutKey.splits(range.keys(), at.get())) {
      return refused(
          "key %s does not split range %s, which goes %s: give a key after its first and before its end"
              .formatted(KeyText.brief(at.get()), id, KeyText.brief(range.keys())));
    }
    if (!nodes.isServedLive(range)) {
      return refused(
          "range %s is not served: its primary %s is not there, or its store is stuck"
              .formatted(id, range.primary()));
    }
    return new Answer.Granted(Split.at(range, at, state.nextRangeId(), Cause.OPERATOR));
  }

  private Answer merge(RangeId one, RangeId other) {
    Optional<RangeDescriptor> first = state.ranges().range(one);
    Optional<RangeDescriptor> second = state.ranges().range(other);
    if (first.isEmpty() || second.isEmpty()) {
      return unknown(first.isEmpty() ? one : other);
    }
    boolean inOrder = first.get().keys().start().compareTo(second.get().keys().start()) < 0;
    RangeDescriptor left = inOrder ? first.get() : second.get();
    RangeDescriptor right = inOrder ? second.get() : first.get();
    Optional<String> obstacle = Merge.obstacle(steward, state, left, right);
    if (obstacle.isPresent()) {
      return refused(
          "ranges %s and %s cannot be merged: %s%s"
              .formatted(one, other, obstacle.get(), advice(left, right)));
    }
    Optional<String> unreported = Merge.unreported(steward, left, right);
    if (unreported.isPresent()) {
      // A copy that was just moved, by this very request perhaps, is reported before long.
      return new Answer.Later(unreported.get());
    }
    if (!Merge.holders(left).equals(Merge.holders(right))) {
      return together(left, right);
    }
    return new Answer.Granted(new Merge(left, right, reserved(), Cause.OPERATOR, ""));
  }

  /** Of two ranges that are adjacent, and not one node's: which command makes them so. */
  private String advice(RangeDescriptor left, RangeDescriptor right) {
    boolean adjacent = left.keys().end().equals(Optional.of(right.keys().start()));
    boolean oneOwner = state.ownerOf(left).equals(state.ownerOf(right));
    boolean together =
        oneOwner
            && state.homeOf(left).equals(state.homeOf(right))
            && left.primary().equals(right.primary());
    if (!adjacent || together) {
      return "";
    }
    NodeId toLeft = oneOwner ? state.homeOf(left) : state.ownerOf(left);
    NodeId toRight = oneOwner ? state.homeOf(right) : state.ownerOf(right);
    return moveFirst(right, toLeft, oneOwner)
        .or(() -> moveFirst(left, toRight, oneOwner))
        .orElse(
            oneOwner
                ? ": wait until both are served where they belong"
                : ": neither can go to the other's node now, for a node keeps the last range that"
                    + " belongs to it; split one of them, or drain its node");
  }

  private Optional<String> moveFirst(RangeDescriptor range, NodeId to, boolean oneOwner) {
    return move(range.id(), to, Optional.empty()) instanceof Answer.Granted(MovePlan plan)
            && (oneOwner || plan instanceof Shift)
        ? Optional.of(
            ": first \"cluster move %s %d\", then merge the other with what %s has become"
                .formatted(range.id(), to.value(), range.id()))
        : Optional.empty();
  }

  /** A copy of the right range goes to where the left one has one. */
  private Answer together(RangeDescriptor left, RangeDescriptor right) {
    List<NodeId> missing = new ArrayList<>(left.secondaries());
    missing.removeAll(right.secondaries());
    List<NodeId> surplus = new ArrayList<>(right.secondaries());
    surplus.removeAll(left.secondaries());
    if (missing.isEmpty() || surplus.isEmpty()) {
      return refused(
          "range %s has %d copies and range %s has %d: wait until both have all"
              .formatted(
                  left.id(),
                  left.secondaries().size() + 1,
                  right.id(),
                  right.secondaries().size() + 1));
    }
    Optional<NodeId> away =
        missing.stream().filter(node -> nodes.liveIncarnation(node).isEmpty()).findFirst();
    if (away.isPresent()) {
      return refused("%s is not there".formatted(away.get()));
    }
    CopyPlaces places = new CopyPlaces(steward, state);
    Optional<Exchange> best =
        surplus.stream()
            .flatMap(from -> missing.stream().map(to -> new Exchange(from, to)))
            .filter(one -> !isWorse(places, right, one))
            .min(Comparator.comparing(one -> places.shortfall(one.after(right))));
    if (best.isEmpty()) {
      return refused(
          ("whichever copy of range %s goes first to where range %s has one, two are on one host"
                  + " then, or fewer persist")
              .formatted(right.id(), left.id()));
    }
    NodeId to = best.get().to();
    return new Answer.First(
        new Relocate(
            best.get().from(),
            to,
            nodes.liveIncarnation(to).orElseThrow(),
            right,
            reserved(),
            places.isOutside(to),
            Cause.OPERATOR,
            "to be merged with range " + left.id()));
  }

  /** A secondary that goes from a node to another. */
  private record Exchange(NodeId from, NodeId to) {
    List<NodeId> after(RangeDescriptor range) {
      List<NodeId> after = others(range, from);
      after.add(to);
      return after;
    }
  }

  /** Whether more copies than before are on one host, or fewer persist. */
  private boolean isWorse(CopyPlaces places, RangeDescriptor range, Exchange one) {
    List<NodeId> now = others(range, one.from());
    now.add(one.from());
    List<NodeId> then = one.after(range);
    return hosts(then) < hosts(now)
        || places.shortfall(then).persisting() > places.shortfall(now).persisting();
  }

  private long hosts(List<NodeId> some) {
    return some.stream().map(nodes::host).distinct().count();
  }

  private Answer move(RangeId id, NodeId to, Optional<NodeId> from) {
    Optional<RangeDescriptor> found = state.ranges().range(id);
    if (found.isEmpty()) {
      return unknown(id);
    }
    RangeDescriptor range = found.get();
    Optional<Long> incarnation = nodes.liveIncarnation(to);
    CopyPlaces places = new CopyPlaces(steward, state);
    if (from.isEmpty() && !nodes.mayServe(to)) {
      return refused(
          "%s does not serve ranges: its engine \"%s\" holds secondary copies only"
              .formatted(to, nodes.engine(to).kind()));
    }
    if (!state.tree().contains(to) && !places.isOutside(to)) {
      return refused("%s is not in the tree of nodes".formatted(to));
    }
    if (incarnation.isEmpty() || nodes.wantsToLeave(to)) {
      return refused(to + (incarnation.isEmpty() ? " is not there" : " is about to leave"));
    }
    if (nodes.isStuck(to)) {
      return refused("the store of %s does nothing of what it is told".formatted(to));
    }
    if (!nodes.isServedLive(range)) {
      return refused(
          "range %s is not served: its primary %s is not there, or its store is stuck"
              .formatted(id, range.primary()));
    }
    NodeId leaves = from.orElse(range.primary());
    boolean isSecondary = range.secondaries().contains(to);
    if (range.primary().equals(to)) {
      return refused("range %s is served by %s already".formatted(id, to));
    }
    if (from.isPresent() && !range.secondaries().contains(leaves)) {
      return refused("%s has no secondary copy of range %s".formatted(leaves, id));
    }
    if (from.isPresent() && isSecondary) {
      return refused(
          "%s has a copy of range %s: there would be one less, %d of %d"
              .formatted(to, id, range.secondaries().size(), steward.settings().copies()));
    }
    if (isSecondary && nodes.reported(range, to).isEmpty()) {
      return refused("%s has not reported a whole copy of range %s".formatted(to, id));
    }
    if (!steward.mayTakeOver(range, to)) {
      return new Answer.Later("the copy of range %s on %s lags".formatted(id, to));
    }
    Optional<NodeId> neighbour =
        isSecondary
            ? Optional.empty()
            : others(range, leaves).stream()
                .filter(other -> nodes.host(other).equals(nodes.host(to)))
                .findFirst();
    if (neighbour.isPresent()) {
      return refused(
          "%s is on the host of %s, which has a copy of range %s"
              .formatted(to, neighbour.get(), id));
    }
    List<NodeId> now = others(range, leaves);
    now.addFirst(leaves);
    List<NodeId> then = others(range, leaves);
    then.add(to);
    if (!isSecondary && places.shortfall(then).compareTo(places.shortfall(now)) > 0) {
      return refused("range %s would lack %s (rule 23)".formatted(id, places.shortfall(then)));
    }
    Optional<Shift> shift =
        from.isPresent()
            ? Optional.empty()
            : Shift.of(state, range, to, incarnation.get(), Cause.OPERATOR, "");
    return new Answer.Granted(
        shift.isPresent()
            ? shift.get()
            : new Relocate(
                leaves,
                to,
                incarnation.get(),
                range,
                reserved(),
                places.isOutside(to),
                Cause.OPERATOR,
                ""));
  }

  private RangeId reserved() {
    return new RangeId(state.nextRangeId());
  }

  private static List<NodeId> others(RangeDescriptor range, NodeId leaves) {
    List<NodeId> others = new ArrayList<>(range.secondaries());
    others.add(range.primary());
    others.remove(leaves);
    return others;
  }

  /** What the best copies on some nodes would lack that they do not with one more (rule 23). */
  private Optional<String> less(NodeId node, List<NodeId> others) {
    List<Candidate> without = others.stream().map(this::candidate).toList();
    List<Candidate> with = new ArrayList<>(without);
    with.add(candidate(node));
    return CopyChange.of(steward.needs(), List.of(), false, without)
        .shortfall()
        .worseInKeeping(CopyChange.of(steward.needs(), List.of(), false, with).shortfall());
  }

  private Candidate candidate(NodeId node) {
    return new Candidate(node, nodes.host(node), nodes.engine(node));
  }

  private Answer drain(NodeId node) {
    boolean isMember = nodes.liveIncarnation(node).isPresent();
    if (!isMember && !state.tree().contains(node)) {
      return refused("there is no node %s".formatted(node));
    }
    List<NodeId> others =
        nodes.members().stream()
            .filter(other -> !other.equals(node) && nodes.isStaying(other))
            .toList();
    if (others.isEmpty()) {
      return refused("no other node is there that stays");
    }
    int copies = steward.settings().copies();
    long hosts = hosts(others);
    if (hosts < copies) {
      return refused(
          "without %s there are %d hosts for the %d copies of each range: add a node first"
              .formatted(node, hosts, copies));
    }
    Optional<String> lack = nodes.lackWithout(node, others);
    if (lack.isPresent()) {
      return refused(
          "without %s no node is there that has %s: add one first".formatted(node, lack.get()));
    }
    Optional<String> fewer = steward.settings().relaxed() ? Optional.empty() : less(node, others);
    if (fewer.isPresent()) {
      return refused(
          "without %s copies of each range would lack: %s; add a node first"
              .formatted(node, fewer.get()));
    }
    if (!isMember) {
      Optional<RangeDescriptor> only =
          state.ranges().ranges().stream()
              .filter(range -> range.primary().equals(node))
              .findFirst();
      if (only.isPresent()) {
        return refused(
            "%s is not there, and no other node serves range %s: it would be lost"
                .formatted(node, only.get().id()));
      }
    }
    return new Answer.Draining(node);
  }
}
