package org.ecstore.txn.steward;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.ecstore.core.map.RangeDescriptor;
import org.ecstore.core.overlay.ClusterState;
import org.ecstore.core.overlay.Place;
import org.ecstore.core.port.Coordination.Member;
import org.ecstore.id.NodeId;
import org.ecstore.model.AdminRequest;
import org.ecstore.txn.qos.control.ControlledCluster;
import org.ecstore.txn.steward.decision.Decision;

/** The cluster as the steward knows it, for the controller beside it. */
final class ControlledRanges implements ControlledCluster {
  private final Steward steward;

  ControlledRanges(Steward steward) {
    this.steward = steward;
  }

  private Optional<ClusterState> state() {
    return steward.changes().state();
  }

  @Override
  public List<Member> members() {
    return steward.nodes().present();
  }

  @Override
  public int places() {
    return state().map(known -> known.tree().inOrder().size()).orElse(0);
  }

  @Override
  public Set<NodeId> absent() {
    Set<NodeId> nodes = new TreeSet<>();
    state().stream()
        .flatMap(known -> known.tree().inOrder().stream())
        .map(Place::node)
        .forEach(nodes::add);
    members().forEach(member -> nodes.remove(member.node()));
    return nodes;
  }

  @Override
  public boolean isKnown() {
    return state().isPresent();
  }

  @Override
  public boolean hasAnything(NodeId node) {
    OptionalInt held = held(node);
    return held.isEmpty() || held.getAsInt() > 0 || steward.isMovingTo(node);
  }

  @Override
  public OptionalInt held(NodeId node) {
    return state().map(known -> OptionalInt.of(held(known, node))).orElseGet(OptionalInt::empty);
  }

  private static int held(ClusterState known, NodeId node) {
    long copies =
        known.ranges().ranges().stream()
            .filter(range -> range.primary().equals(node) || range.secondaries().contains(node))
            .count();
    return Math.toIntExact(copies) + (known.tree().contains(node) ? 1 : 0);
  }

  @Override
  public boolean wantsToLeave(NodeId node) {
    return steward.nodes().wantsToLeave(node);
  }

  @Override
  public void turnAway(Set<NodeId> nodes) {
    steward.nodes().turnAway(nodes);
  }

  @Override
  public boolean isServing(NodeId node) {
    return state()
        .filter(known -> known.tree().contains(node))
        .filter(known -> known.rangesWithin(node).stream().allMatch(steward.nodes()::isServedLive))
        .isPresent();
  }

  @Override
  public boolean isWhole() {
    return state()
        .filter(
            known -> {
              CopyPlaces places = new CopyPlaces(steward, known);
              return known.ranges().ranges().stream()
                  .allMatch(range -> isWhole(range) && places.isEnough(range));
            })
        .isPresent();
  }

  private boolean isWhole(RangeDescriptor range) {
    return steward.nodes().isServedLive(range)
        && range.secondaries().stream()
            .allMatch(
                holder ->
                    steward.nodes().isStaying(holder)
                        && steward.nodes().reported(range, holder).isPresent());
  }

  @Override
  public int copies() {
    return steward.settings().copies();
  }

  @Override
  public Decision ask(AdminRequest.OfRanges request, long id) {
    return steward.adminRequest(request, id);
  }

  @Override
  public Optional<NodeId> last() {
    Stream<NodeId> placed =
        state().stream().flatMap(known -> known.tree().inOrder().stream()).map(Place::node);
    return Stream.concat(placed, members().stream().map(Member::node))
        .max(Comparator.naturalOrder());
  }
}
