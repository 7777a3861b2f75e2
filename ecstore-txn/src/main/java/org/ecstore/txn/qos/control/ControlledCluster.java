package org.ecstore.txn.qos.control;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.ecstore.core.port.Coordination.Member;
import org.ecstore.id.NodeId;
import org.ecstore.model.AdminRequest;
import org.ecstore.txn.steward.decision.Decision;

/** What the controller sees of the cluster, and asks of the steward. */
public interface ControlledCluster {
  /** Who is there. */
  List<Member> members();

  /** How many nodes have places. */
  int places();

  /**
   * Nodes that have places and are not there: they may come back. None while the map is unknown.
   */
  Set<NodeId> absent();

  /** Whether the map is known: it is not while it is being changed, or read again. */
  boolean isKnown();

  /**
   * Whether a node has a place, or a copy of a range, or is about to get one; true while the map is
   * not known.
   */
  boolean hasAnything(NodeId node);

  /** How many places and copies a node has; absent while the map is not known. */
  OptionalInt held(NodeId node);

  /** Whether a node has said of late that it wants to leave, or gets nothing any more. */
  boolean wantsToLeave(NodeId node);

  /** From now on these nodes get no place and no copy, and no others are kept from that. */
  void turnAway(Set<NodeId> nodes);

  /** Whether a node has a place, and serves all that belongs to it. */
  boolean isServing(NodeId node);

  /** Whether each range is served, and has all the copies that it should have. */
  boolean isWhole();

  /** K: how many copies a range should have. */
  int copies();

  /**
   * Asks the steward for something; of a request that it knows by its id, only what has come of it.
   */
  Decision ask(AdminRequest.OfRanges request, long id);

  /** The greatest number that a node has that is known; empty if none is. */
  Optional<NodeId> last();
}
