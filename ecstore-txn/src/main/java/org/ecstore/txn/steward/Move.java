package org.ecstore.txn.steward;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.ecstore.core.map.MapChange;
import org.ecstore.core.map.RangeDescriptor;
import org.ecstore.core.overlay.BatonTree;
import org.ecstore.core.overlay.ClusterState;
import org.ecstore.core.overlay.PrimaryPreferences;
import org.ecstore.core.runtime.NodeContext;
import org.ecstore.id.Epoch;
import org.ecstore.id.MapVersion;
import org.ecstore.id.NodeId;
import org.ecstore.id.Position;
import org.ecstore.id.RangeId;
import org.ecstore.key.KeyRange;
import org.ecstore.key.KeyText;
import org.ecstore.txn.message.TxnMessage.BuildReply;
import org.ecstore.txn.message.TxnMessage.BuildRequest;
import org.ecstore.txn.steward.decision.Decision;
import org.ecstore.txn.steward.decision.Reason;

/**
 * A range, or a part of one, on its way to another node (rule 17): that node builds a copy at a
 * stamp, the stamp is pinned, and one change of the map retires the range and places the copy,
 * which replays the ledger from its stamp through that change. If a node of it goes, or the range
 * or the tree changes meanwhile, the move ends and nothing has happened; what was built is dropped
 * by its holder, since its id is never placed.
 */
abstract class Move {
  private final Steward steward;
  private final long term;
  private final NodeId target;
  private final long targetIncarnation;
  private final RangeDescriptor source;
  private final RangeId movedId;
  private final long untilNanos;
  private long decision;
  private long adminRequest;

  /**
   * A move to a node in one incarnation.
   *
   * @param reserved the first of two range ids that this move may place
   */
  Move(
      Steward steward,
      NodeId target,
      long targetIncarnation,
      RangeDescriptor source,
      long reserved) {
    this.steward = steward;
    this.term = steward.term();
    this.target = target;
    this.targetIncarnation = targetIncarnation;
    this.source = source;
    this.movedId = new RangeId(reserved);
    this.untilNanos = steward.context().nanos() + steward.settings().buildTimeoutNanos();
  }

  /** Says which keys move, by {@link #build}, now or after asking. */
  abstract void start();

  /** What is to be done, in words. */
  abstract String purpose();

  /** On whose request. */
  abstract Decision.Cause cause();

  /** Why, with figures. */
  String why() {
    return "";
  }

  /** The tree once the keys have moved; absent if it has changed so that they must not. */
  abstract Optional<BatonTree> treeAfter(BatonTree tree, KeyRange keys);

  /** What the source keeps of its range, if anything; under the second id reserved. */
  abstract Optional<KeyRange> kept(KeyRange keys);

  /** The seats once the keys have moved. */
  PrimaryPreferences seatsAfter(ClusterState state, KeyRange keys) {
    return state.preferences();
  }

  /** The change is recorded. */
  void done() {}

  /** What the change retires. */
  List<RangeDescriptor> retired() {
    return List.of(source);
  }

  /** For people: what the change does to the keys, and which ids they have from now on. */
  String effect(KeyRange keys, Position stamp) {
    String from = stamp.equals(Position.ZERO) ? ", which has a copy" : ", copied at " + stamp;
    String rest = kept(keys).isPresent() ? ", the rest is " + keptId() : "";
    return "%s, %s, to %s%s%s".formatted(movedId, KeyText.brief(keys), target, from, rest);
  }

  /** For people: what was done. */
  String outcome(KeyRange keys, Position stamp) {
    return purpose() + ": " + effect(keys, stamp);
  }

  /** The decision that this move carries out. */
  final long decision() {
    return decision;
  }

  final void decision(long number) {
    decision = number;
  }

  /** The request that is done with it has this id; 0 if there is none. */
  final void adminRequest(long id) {
    adminRequest = id;
  }

  final Steward steward() {
    return steward;
  }

  final NodeContext context() {
    return steward.context();
  }

  final NodeId target() {
    return target;
  }

  final RangeDescriptor source() {
    return source;
  }

  final RangeId movedId() {
    return movedId;
  }

  /** Of what the source keeps. */
  final RangeId keptId() {
    return new RangeId(movedId.value() + 1);
  }

  final boolean isCurrent() {
    return steward.isCurrent(this, term);
  }

  /** Whether both nodes are still there, in the incarnations that the move began with. */
  final boolean isLive() {
    return steward.isLive(target, targetIncarnation)
        && steward.isLive(source.primary(), source.primaryIncarnation());
  }

  final void end(String trouble) {
    steward.ended(this, trouble);
  }

  final void build(KeyRange keys) {
    if (source.primary().equals(target) || source.secondaries().contains(target)) {
      // It has a copy: the ledger has what that copy lacks, or no report would have let it go.
      place(keys, Position.ZERO);
      return;
    }
    context()
        .ask(
            target,
            call ->
                new BuildRequest(
                    call, movedId, keys, source.primary(), source.id(), source.epoch()),
            steward.settings().askTimeoutNanos(),
            answer -> {
              if (isCurrent()) {
                Optional<Position> stamp =
                    answer.isPresent() && answer.get() instanceof BuildReply reply
                        ? reply.stamp()
                        : Optional.empty();
                if (answer.isEmpty() && isLive() && untilNanos - context().nanos() > 0) {
                  build(keys);
                } else if (stamp.isPresent() && steward.pin(movedId, stamp.get())) {
                  place(keys, stamp.get());
                } else {
                  end("the copy for " + target + " could not be built");
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
              steward.unpin(movedId);
              end("");
              done();
            },
            () -> {
              steward.unpin(movedId);
              end("the map changed meanwhile");
            },
            decision);
  }

  /** The descriptor of the keys that move: the target is primary, those that held copies stay. */
  RangeDescriptor moved(KeyRange keys, Epoch epoch) {
    List<NodeId> secondaries = new ArrayList<>(source.secondaries());
    // Where the target had a copy already, who was primary keeps one in its stead.
    if (secondaries.remove(target) && steward.isStaying(source.primary())) {
      secondaries.add(source.primary());
    }
    return new RangeDescriptor(movedId, keys, epoch, target, targetIncarnation, secondaries);
  }

  private Optional<ClusterState> placed(ClusterState state, KeyRange keys, Position stamp) {
    boolean unchanged =
        retired().stream().allMatch(old -> state.ranges().range(old.id()).equals(Optional.of(old)))
            && state.nextRangeId() > keptId().value()
            && isLive();
    Optional<BatonTree> tree = unchanged ? treeAfter(state.tree(), keys) : Optional.empty();
    if (tree.isEmpty()) {
      return Optional.empty();
    }
    MapVersion version = state.ranges().version().next();
    Epoch epoch = new Epoch(version.value());
    RangeDescriptor moved = moved(keys, epoch);
    List<RangeDescriptor> descriptors = new ArrayList<>();
    kept(keys)
        .ifPresent(
            rest ->
                descriptors.add(
                    new RangeDescriptor(
                        keptId(),
                        rest,
                        epoch,
                        source.primary(),
                        source.primaryIncarnation(),
                        source.secondaries())));
    descriptors.add(moved);
    String because = why().isEmpty() ? "" : ", " + why();
    Reason reason = new Reason(cause(), adminRequest, outcome(keys, stamp) + because);
    List<RangeId> old = retired().stream().map(RangeDescriptor::id).toList();
    MapChange change = new MapChange(version, old, descriptors, reason.toString());
    return Optional.of(state.after(change, tree.get()).withSeats(seatsAfter(state, keys)));
  }
}
