package org.ecstore.txn.steward;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.ecstore.core.map.MapChange;
import org.ecstore.core.map.RangeDescriptor;
import org.ecstore.core.overlay.BatonTree;
import org.ecstore.core.overlay.ClusterState;
import org.ecstore.core.runtime.NodeContext;
import org.ecstore.id.Epoch;
import org.ecstore.id.MapVersion;
import org.ecstore.id.NodeId;
import org.ecstore.id.Position;
import org.ecstore.id.RangeId;
import org.ecstore.key.KeyRange;
import org.ecstore.txn.message.TxnMessage.BuildReply;
import org.ecstore.txn.message.TxnMessage.BuildRequest;
import org.ecstore.txn.steward.decision.Reason;
import org.ecstore.txn.steward.member.ClusterNodes;

/**
 * A range, or a part of one, on its way to another node (rule 17): that node builds a copy at a
 * stamp, the stamp is pinned, and one change of the map retires the range and places the copy,
 * which replays the ledger from its stamp through that change; where its store may forget what it
 * has the stamp stays pinned until then (decision 0106). If a node of it goes, or the range or the
 * tree changes meanwhile, the move ends and nothing has happened; what was built is dropped by its
 * holder, since its id is never placed.
 */
final class MoveRun {
  private final Steward steward;
  private final ClusterNodes nodes;
  private final MovePlan plan;
  private final long decision;
  private final long adminRequest;
  private final long term;
  private final long untilNanos;

  /**
   * A plan that is about to be carried out.
   *
   * @param decision that the move carries out
   * @param adminRequest the id of the request that is done with it; 0 if there is none
   */
  MoveRun(Steward steward, MovePlan plan, long decision, long adminRequest) {
    this.steward = steward;
    this.nodes = steward.nodes();
    this.plan = plan;
    this.decision = decision;
    this.adminRequest = adminRequest;
    this.term = steward.term();
    this.untilNanos = steward.context().nanos() + steward.settings().buildTimeoutNanos();
  }

  /** What the steward wants by itself, or on the way to something else: a decision of its own. */
  static MoveRun decided(Steward steward, MovePlan plan) {
    List<RangeId> ranges = plan.retired().stream().map(RangeDescriptor::id).toList();
    long decision =
        steward
            .decided()
            .open(steward.context().nanos(), plan.cause(), ranges, plan.purpose(), plan.why());
    return new MoveRun(steward, plan, decision, 0);
  }

  MovePlan plan() {
    return plan;
  }

  long decision() {
    return decision;
  }

  Steward steward() {
    return steward;
  }

  NodeContext context() {
    return steward.context();
  }

  boolean isCurrent() {
    return steward.isCurrent(this, term);
  }

  /**
   * Whether both nodes are still there with their stores, in the incarnations that it began with.
   */
  boolean isLive() {
    return nodes.isLive(plan.target(), plan.incarnation())
        && !nodes.isStuck(plan.target())
        && nodes.isServedLive(plan.source());
  }

  /** Begins, once its range ids are reserved. */
  void start() {
    switch (plan.part()) {
      case MovePlan.Part.Keys(var keys) -> build(keys);
      case MovePlan.Part.Cut(var byLoad, var side) ->
          CutKey.find(this, byLoad, key -> build(side.apply(key)));
    }
  }

  /** A node of it has gone, or its store does nothing. */
  void lost() {
    if (!hasCopy() && nodes.isStuck(plan.target())) {
      nodes.tookNoCopy(plan.target(), plan.incarnation());
    }
    end("a node of it has gone, or its store does nothing");
  }

  private boolean hasCopy() {
    RangeDescriptor source = plan.source();
    return source.primary().equals(plan.target()) || source.secondaries().contains(plan.target());
  }

  /** The move is over; empty if it is done. */
  void end(String trouble) {
    steward.ended(this, trouble);
  }

  private void build(KeyRange keys) {
    RangeDescriptor source = plan.source();
    if (!steward.mayTakeOver(source, plan.target())) {
      end("the copy of " + plan.target() + " is not whole, or lags");
      return;
    }
    if (hasCopy()) {
      // It has a copy: the ledger has what that copy lacks, or no report would have let it go.
      place(keys, Position.ZERO);
      return;
    }
    context()
        .ask(
            plan.target(),
            call ->
                new BuildRequest(
                    call, plan.movedId(), keys, source.primary(), source.id(), source.epoch()),
            steward.settings().askTimeoutNanos(),
            answer -> {
              if (isCurrent()) {
                Optional<BuildReply> reply =
                    answer.filter(BuildReply.class::isInstance).map(BuildReply.class::cast);
                Optional<Position> stamp = reply.flatMap(BuildReply::stamp);
                if (answer.isEmpty() && isLive() && untilNanos - context().nanos() > 0) {
                  build(keys);
                } else if (stamp.isPresent() && steward.pin(plan.movedId(), stamp.get())) {
                  nodes.tookCopy(plan.target());
                  place(keys, stamp.get());
                } else if (reply.filter(BuildReply::noRoom).isPresent()) {
                  nodes.tookNoCopy(plan.target(), plan.incarnation());
                  end("the store of " + plan.target() + " had no room for the copy");
                } else if (!isLive()) {
                  lost();
                } else {
                  end("the copy for " + plan.target() + " could not be built");
                }
              }
            });
  }

  private void place(KeyRange keys, Position stamp) {
    steward
        .changes()
        .change(
            state -> placed(state, keys, stamp),
            () -> {
              if (!stamp.equals(Position.ZERO)) {
                steward.placed(plan, keys);
              }
              end("");
              plan.done(steward);
            },
            () -> {
              // It may be recorded all the same: what follows sees by the map whether it is.
              if (stamp.equals(Position.ZERO)) {
                steward.unpin(plan.movedId());
              } else {
                steward.perhapsPlaced(plan, keys);
              }
              end("the map changed meanwhile");
            },
            decision);
  }

  private Optional<ClusterState> placed(ClusterState state, KeyRange keys, Position stamp) {
    Optional<BatonTree> tree =
        isUnchanged(state) ? plan.treeAfter(state.tree(), keys) : Optional.empty();
    if (tree.isEmpty()) {
      return Optional.empty();
    }
    MapVersion version = state.ranges().version().next();
    List<RangeId> old = plan.retired().stream().map(RangeDescriptor::id).toList();
    MapChange change =
        new MapChange(
            version,
            old,
            descriptors(keys, new Epoch(version.value())),
            new Reason(plan.cause(), adminRequest, outcome(keys, stamp)).toString());
    return Optional.of(
        state.after(change, tree.get()).withPreferences(plan.preferencesAfter(state, keys)));
  }

  private boolean isUnchanged(ClusterState state) {
    return plan.retired().stream()
            .allMatch(old -> state.ranges().range(old.id()).equals(Optional.of(old)))
        && state.nextRangeId() > plan.keptId().value()
        && isLive();
  }

  /** What the source keeps, if anything, and what moves. */
  private List<RangeDescriptor> descriptors(KeyRange keys, Epoch epoch) {
    RangeDescriptor source = plan.source();
    List<RangeDescriptor> descriptors = new ArrayList<>();
    plan.kept(keys)
        .ifPresent(
            rest ->
                descriptors.add(
                    new RangeDescriptor(
                        plan.keptId(),
                        rest,
                        epoch,
                        source.primary(),
                        source.primaryIncarnation(),
                        source.secondaries())));
    descriptors.add(
        withTheLastThatPersists(
            withHostsApart(
                plan.moved(keys, epoch, node -> nodes.liveIncarnation(node).isPresent()))));
    return descriptors;
  }

  /**
   * Two copies on one host fail together (rule 22). Where the target comes beside a secondary, who
   * was primary keeps its copy in that one's stead, as long as it is there: else a single host
   * might have all that persists, until copies are made elsewhere. Which of them there shall be,
   * {@link CopyPlaces} says then.
   */
  private RangeDescriptor withHostsApart(RangeDescriptor moved) {
    NodeId before = plan.source().primary();
    String host = nodes.host(moved.primary());
    if (before.equals(moved.primary())
        || moved.secondaries().contains(before)
        || host.equals(nodes.host(before))) {
      return moved;
    }
    boolean persists = nodes.engine(before).persists();
    Optional<NodeId> beside =
        moved.secondaries().stream()
            .filter(node -> host.equals(nodes.host(node)))
            .filter(node -> persists || !nodes.engine(node).persists())
            .findFirst();
    if (beside.isEmpty()) {
      return moved;
    }
    List<NodeId> secondaries = new ArrayList<>(moved.secondaries());
    secondaries.replaceAll(node -> node.equals(beside.get()) ? before : node);
    return with(moved, secondaries);
  }

  private static RangeDescriptor with(RangeDescriptor moved, List<NodeId> secondaries) {
    return new RangeDescriptor(
        moved.id(),
        moved.keys(),
        moved.epoch(),
        moved.primary(),
        moved.primaryIncarnation(),
        secondaries);
  }

  /**
   * Who was primary stays a secondary if no other that is there to stay keeps the keys (rule 23):
   * the ledger may be trimmed by what it has. It goes as any surplus copy once another has them.
   */
  private RangeDescriptor withTheLastThatPersists(RangeDescriptor moved) {
    NodeId before = plan.source().primary();
    boolean stays =
        before.equals(moved.primary())
            || moved.secondaries().contains(before)
            || !nodes.engine(before).persists()
            || keeps(plan.target())
            || moved.secondaries().stream().anyMatch(node -> keeps(node) && hasReported(node));
    if (stays) {
      return moved;
    }
    List<NodeId> secondaries = new ArrayList<>(moved.secondaries());
    secondaries.add(before);
    return with(moved, secondaries);
  }

  private boolean keeps(NodeId node) {
    return nodes.isStaying(node) && nodes.engine(node).persists();
  }

  private boolean hasReported(NodeId secondary) {
    return nodes.reported(plan.source(), secondary).isPresent();
  }

  /** For people: what is done, and why. */
  private String outcome(KeyRange keys, Position stamp) {
    String because = plan.why().isEmpty() ? "" : ", " + plan.why();
    return plan.purpose() + ": " + plan.effect(keys, stamp) + because;
  }
}
