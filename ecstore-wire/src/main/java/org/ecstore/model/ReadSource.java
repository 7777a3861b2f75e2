package org.ecstore.model;

import org.ecstore.id.NodeId;
import org.ecstore.id.Position;

/**
 * The copy that a node answers a read from, or does not.
 *
 * @param closed it can read every commit to its range at or below this, and none will be added
 * @param known up to where this node knows the ledger to be durable
 * @param load reads under way on this node, this one not counted
 */
public record ReadSource(NodeId node, CopyRole role, Position closed, Position known, int load) {
  /** How many positions of the ledger the copy is behind what its node knows to be durable. */
  public long behind() {
    return Math.max(0, known.value() - closed.value());
  }
}
