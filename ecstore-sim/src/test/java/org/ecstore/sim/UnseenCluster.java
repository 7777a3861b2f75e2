package org.ecstore.sim;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.ecstore.core.port.Coordination.Member;
import org.ecstore.id.NodeId;
import org.ecstore.model.AdminRequest;
import org.ecstore.txn.qos.control.ControlledCluster;
import org.ecstore.txn.steward.decision.Decision;

/**
 * A cluster whose map is not known for a while, as when a change of it takes long; what was known
 * of copies is.
 */
class UnseenCluster implements ControlledCluster {
  private final ControlledCluster seen;
  private final BooleanSupplier isUnseen;

  UnseenCluster(ControlledCluster seen, BooleanSupplier isUnseen) {
    this.seen = seen;
    this.isUnseen = isUnseen;
  }

  @Override
  public boolean isKnown() {
    return !isUnseen.getAsBoolean() && seen.isKnown();
  }

  @Override
  public boolean hasAnything(NodeId node) {
    return !isKnown() || seen.hasAnything(node);
  }

  @Override
  public List<Member> members() {
    return seen.members();
  }

  @Override
  public int places() {
    return seen.places();
  }

  @Override
  public Set<NodeId> absent() {
    return isKnown() ? seen.absent() : Set.of();
  }

  @Override
  public OptionalInt held(NodeId node) {
    return isKnown() ? seen.held(node) : OptionalInt.empty();
  }

  @Override
  public boolean wantsToLeave(NodeId node) {
    return seen.wantsToLeave(node);
  }

  @Override
  public void turnAway(Set<NodeId> nodes) {
    seen.turnAway(nodes);
  }

  @Override
  public boolean isServing(NodeId node) {
    return seen.isServing(node);
  }

  @Override
  public boolean isWhole() {
    return seen.isWhole();
  }

  @Override
  public int copies() {
    return seen.copies();
  }

  @Override
  public Decision ask(AdminRequest.OfRanges request, long id) {
    return seen.ask(request, id);
  }

  @Override
  public Optional<NodeId> last() {
    return seen.last();
  }
}
