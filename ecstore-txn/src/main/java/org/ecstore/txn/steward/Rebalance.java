package org.ecstore.txn.steward;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.ecstore.core.map.RangeDescriptor;
import org.ecstore.core.overlay.ClusterState;
import org.ecstore.core.overlay.JoinPlan;
import org.ecstore.core.overlay.Place;
import org.ecstore.id.NodeId;
import org.ecstore.id.RangeId;
import org.ecstore.key.Bytes;
import org.ecstore.protocol.ClientReply.Balance;
import org.ecstore.protocol.ClientReply.BalanceShare;
import org.ecstore.protocol.ClientReply.BalanceStep;
import org.ecstore.txn.balance.Balancer;
import org.ecstore.txn.balance.ClusterLoads;
import org.ecstore.txn.balance.NodeShare;
import org.ecstore.txn.balance.Proposal;
import org.ecstore.txn.balance.RebalanceSettings;
import org.ecstore.txn.message.TxnMessage.CopyLoad;
import org.ecstore.txn.steward.decision.Decision.Cause;
import org.ecstore.txn.steward.member.ClusterNodes;

/**
 * Turns what would balance the cluster into moves, one at a time (rule 21): by itself once a
 * period, or on an operator's request one after the other until nothing is left.
 */
final class Rebalance {
  private final Steward steward;
  private final ClusterNodes nodes;
  private final RebalanceSettings settings;
  private final ClusterLoads loads = new ClusterLoads();
  private final Balancer balancer;

  /** Leaves that give up their places, and beside whom they are to join. */
  private final Map<NodeId, Beside> rejoining = new TreeMap<>();

  private long nextNanos;

  private record Beside(NodeId loaded, long incarnation, String why, long untilNanos) {}

  Rebalance(Steward steward, RebalanceSettings settings) {
    this.steward = steward;
    this.nodes = steward.nodes();
    this.settings = settings;
    this.balancer = new Balancer(settings);
  }

  void clear() {
    loads.clear();
    balancer.clear();
    rejoining.clear();
    nextNanos = 0;
  }

  void take(NodeId from, List<CopyLoad> told) {
    loads.take(from, told);
  }

  void cannotSplit(RangeId range) {
    balancer.cannotSplit(range);
  }

  private final class Seen implements Balancer.Cluster {
    @Override
    public boolean isStaying(NodeId node) {
      return nodes.isStaying(node) && nodes.mayServe(node) && !rejoining.containsKey(node);
    }

    @Override
    public boolean isServed(RangeDescriptor range) {
      return nodes.isServedLive(range);
    }

    @Override
    public boolean isWhole(RangeDescriptor range, NodeId holder) {
      return steward.isClose(range, holder);
    }

    @Override
    public List<Bytes> splitHints() {
      return steward.settings().splitHints();
    }
  }

  private List<Proposal> proposals(ClusterState state, Balancer.Aim aim) {
    loads.keepOnly(range -> state.ranges().range(range).isPresent());
    return balancer.proposals(state, loads, new Seen(), aim, steward.context().nanos());
  }

  /** What has to be done next, without being told to. */
  Optional<MovePlan> next(ClusterState state) {
    Optional<MovePlan> begun = goesOn(state);
    long now = steward.context().nanos();
    if (begun.isPresent() || !settings.automatic() || nextNanos - now > 0) {
      return begun;
    }
    nextNanos = now + settings.periodNanos();
    return first(state, Balancer.Aim.ENOUGH);
  }

  private Optional<MovePlan> first(ClusterState state, Balancer.Aim aim) {
    return proposals(state, aim).stream().flatMap(one -> move(state, one).stream()).findFirst();
  }

  /** What comes next of what an operator wants. */
  RequestedMove.Answer adminRequested(ClusterState state) {
    Optional<MovePlan> move = goesOn(state).or(() -> first(state, Balancer.Aim.EVEN));
    if (move.isPresent()) {
      return new RequestedMove.Answer.First(move.get());
    }
    Optional<RangeDescriptor> unknown =
        state.ranges().ranges().stream()
            .filter(range -> loads.ofPrimary(range).isEmpty())
            .findFirst();
    if (unknown.isPresent()) {
      return new RequestedMove.Answer.Later(
          "%s has not said what range %s holds"
              .formatted(unknown.get().primary(), unknown.get().id()));
    }
    return rejoining.isEmpty()
        ? new RequestedMove.Answer.Nothing("nothing more can be gained")
        : new RequestedMove.Answer.Later("%s has not joined anew".formatted(rejoining.keySet()));
  }

  private Optional<MovePlan> move(ClusterState state, Proposal proposal) {
    Cause cause = proposal.byLoad() ? Cause.LOAD : Cause.SIZE;
    long reserved = state.nextRangeId();
    String why = proposal.why();
    return switch (proposal) {
      case Proposal.Split(var range, var byLoad, _) ->
          Optional.of(Split.halving(range, byLoad, reserved, cause, why));
      case Proposal.Merge(var left, var right, _) ->
          Merge.obstacle(steward, state, left, right)
                  .or(() -> Merge.unreported(steward, left, right))
                  .isPresent()
              ? Optional.empty()
              : Optional.of(new Merge(left, right, new RangeId(reserved), cause, why));
      case Proposal.Shift(var range, _, var to, _) ->
          nodes
              .liveIncarnation(to)
              .filter(_ -> steward.mayTakeOver(range, to))
              .flatMap(incarnation -> Shift.of(state, range, to, incarnation, cause, why));
      case Proposal.ChangePrimary(var range, var to, _) ->
          nodes
              .liveIncarnation(to)
              .map(
                  incarnation ->
                      new Relocate(
                          range.primary(),
                          to,
                          incarnation,
                          range,
                          new RangeId(reserved),
                          false,
                          cause,
                          why));
      case Proposal.Rejoin(var light, var loaded, _) ->
          nodes
              .liveIncarnation(light)
              .flatMap(
                  incarnation -> {
                    long until = steward.context().nanos() + steward.settings().buildTimeoutNanos();
                    rejoining.put(light, new Beside(loaded, incarnation, why, until));
                    return leave(state, light);
                  });
    };
  }

  // --- leaves that join elsewhere

  /** A node that has begun to give up its place goes on. */
  private Optional<MovePlan> goesOn(ClusterState state) {
    long now = steward.context().nanos();
    rejoining
        .entrySet()
        .removeIf(
            each ->
                !nodes.isLive(each.getKey(), each.getValue().incarnation())
                    || nodes.wantsToLeave(each.getKey())
                    || !state.tree().contains(each.getValue().loaded())
                    || each.getValue().untilNanos() - now <= 0);
    for (NodeId light : rejoining.keySet()) {
      Optional<MovePlan> move = leave(state, light);
      if (move.isPresent()) {
        return move;
      }
    }
    return Optional.empty();
  }

  private Optional<MovePlan> leave(ClusterState state, NodeId light) {
    Beside beside = rejoining.get(light);
    if (beside == null || !state.tree().contains(light)) {
      return Optional.empty();
    }
    List<RangeDescriptor> own = state.rangesWithin(light);
    return own.stream().allMatch(nodes::isServedLive)
        ? Leave.heir(steward, state, light)
            .map(
                heir ->
                    new Rejoin(
                        Leave.of(light, 0, heir, own, state.nextRangeId(), ""),
                        beside.loaded(),
                        beside.why()))
        : Optional.empty();
  }

  /** Where a node without a place joins, if it has given one up for that (rule 21). */
  Optional<Join> joins(ClusterState state, NodeId newcomer, long incarnation) {
    Beside beside = rejoining.remove(newcomer);
    if (beside == null || !state.tree().contains(beside.loaded())) {
      return Optional.empty();
    }
    return beside(state, newcomer, beside.loaded(), incarnation);
  }

  /**
   * Where a node joins if its parent in BATON has but one key to give: next to the node that has
   * most ranges. Else it would wait for a place until that parent has more (rule 20).
   */
  Optional<Join> joinsWhereKeysAre(ClusterState state, NodeId newcomer, long incarnation) {
    return state.tree().inOrder().stream()
        .map(Place::node)
        .filter(node -> canGive(state.rangesWithin(node)))
        .sorted(Comparator.comparingInt(node -> -state.rangesWithin(node).size()))
        .flatMap(node -> beside(state, newcomer, node, incarnation).stream())
        .findFirst();
  }

  /** Whether a newcomer can be given one of these ranges of a node, or a part of the only one. */
  boolean canGive(List<RangeDescriptor> ranges) {
    return ranges.size() > 1 || balancer.maySplit(ranges.getFirst().id());
  }

  private Optional<Join> beside(
      ClusterState state, NodeId newcomer, NodeId loaded, long incarnation) {
    List<RangeDescriptor> parents = state.rangesWithin(loaded);
    JoinPlan plan = new JoinPlan(newcomer, loaded, state.tree().sideToEnter(loaded), 0);
    return parents.stream().allMatch(nodes::isServedLive)
        ? Optional.of(Join.of(plan, true, incarnation, parents, state.nextRangeId()))
        : Optional.empty();
  }

  // --- for people

  Balance explain(ClusterState state) {
    return new Balance(
        steward.context().self(),
        settings.automatic(),
        balancer.shares(state, loads).stream().map(Rebalance::line).toList(),
        steps(state));
  }

  /** What an operator's request would do, each thing once. */
  private List<BalanceStep> steps(ClusterState state) {
    Map<String, BalanceStep> steps = new LinkedHashMap<>();
    for (Proposal one : proposals(state, Balancer.Aim.EVEN)) {
      steps.putIfAbsent(one.what(), new BalanceStep(one.what(), one.why()));
    }
    return List.copyOf(steps.values());
  }

  private static BalanceShare line(NodeShare share) {
    return new BalanceShare(
        share.node(),
        share.ranges(),
        share.bytes(),
        Math.round(share.reads()),
        Math.round(share.updates()));
  }
}
