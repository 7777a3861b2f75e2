package org.ecstore.txn.steward;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import org.ecstore.core.map.RangeDescriptor;
import org.ecstore.core.overlay.BatonTree;
import org.ecstore.core.overlay.ClusterState;
import org.ecstore.core.overlay.PrimaryPreferences;
import org.ecstore.id.Epoch;
import org.ecstore.id.NodeId;
import org.ecstore.id.Position;
import org.ecstore.id.RangeId;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.key.KeyText;
import org.ecstore.txn.steward.decision.Decision;

/**
 * What a move is to do (rule 17): which keys of a range go to which node, and what the map, the
 * tree and the primary preferences are then. It has no state of its own: {@link MoveRun} carries it
 * out.
 */
sealed interface MovePlan
    permits ChangePrimary, Join, Leave, Merge, Rejoin, Relocate, Replicate, Shift, Split {
  /** Which keys of the source move. */
  sealed interface Part {
    /** These. */
    record Keys(KeyRange keys) implements Part {}

    /**
     * Those on one side of a key that is not known yet.
     *
     * @param byLoad where the load is halved, if the primary has looked that closely; else where
     *     the data is
     * @param side of that key
     */
    record Cut(boolean byLoad, Function<Bytes, KeyRange> side) implements Part {}
  }

  /** The node that is to have the keys, or to have them still. */
  NodeId target();

  /** The incarnation of that node which the move is for. */
  long incarnation();

  /** The range whose primary the keys are copied from. */
  RangeDescriptor source();

  /** The first of two range ids that this move may place, of the keys that move. */
  RangeId movedId();

  /** The second one, of what the source keeps. */
  default RangeId keptId() {
    return new RangeId(movedId().value() + 1);
  }

  /** Which keys move. */
  default Part part() {
    return new Part.Keys(source().keys());
  }

  /** What has to be done, in words. */
  String purpose();

  /** On whose request. */
  Decision.Cause cause();

  /** Why, with figures. */
  default String why() {
    return "";
  }

  /** What the change retires. */
  default List<RangeDescriptor> retired() {
    return List.of(source());
  }

  /** The tree once the keys have moved; absent if it has changed so that they must not. */
  Optional<BatonTree> treeAfter(BatonTree tree, KeyRange keys);

  /** What the source keeps of its range, if anything. */
  default Optional<KeyRange> kept(KeyRange keys) {
    return Optional.empty();
  }

  /** The primary preferences once the keys have moved. */
  default PrimaryPreferences preferencesAfter(ClusterState state, KeyRange keys) {
    return state.preferences();
  }

  /**
   * The descriptor of the keys that move: the target is primary, those that held copies stay.
   *
   * @param there whether a node is there
   */
  default RangeDescriptor moved(KeyRange keys, Epoch epoch, Predicate<NodeId> there) {
    List<NodeId> secondaries = new ArrayList<>(source().secondaries());
    // Where the target had a copy already, who was primary keeps one in its stead; if it leaves,
    // until another node has one (rule 19).
    if (secondaries.remove(target()) && there.test(source().primary())) {
      secondaries.add(source().primary());
    }
    return new RangeDescriptor(movedId(), keys, epoch, target(), incarnation(), secondaries);
  }

  /** The change is recorded. */
  default void done(Steward steward) {}

  /** For people: what the change does to the keys, and which ids they have from now on. */
  default String effect(KeyRange keys, Position stamp) {
    String from = stamp.equals(Position.ZERO) ? ", which has a copy" : ", copied at " + stamp;
    String rest = kept(keys).isPresent() ? ", the rest is " + keptId() : "";
    return "%s, %s, to %s%s%s".formatted(movedId(), KeyText.brief(keys), target(), from, rest);
  }
}
