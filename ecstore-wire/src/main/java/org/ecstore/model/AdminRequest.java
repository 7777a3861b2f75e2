package org.ecstore.model;

import java.util.Optional;
import org.ecstore.id.NodeId;
import org.ecstore.id.RangeId;
import org.ecstore.key.Bytes;

/** What an operator wants of the steward. */
public sealed interface AdminRequest {
  /**
   * A range is to become two.
   *
   * @param at the first key of the upper one; where its data is halved if absent
   */
  record Split(RangeId range, Optional<Bytes> at) implements AdminRequest {}

  /** Two adjacent ranges are to become one; they may be named in any order. */
  record Merge(RangeId one, RangeId other) implements AdminRequest {}

  /**
   * A copy of a range is to go to another node.
   *
   * @param from whose secondary copy; the primary's if absent
   */
  record Move(RangeId range, NodeId to, Optional<NodeId> from) implements AdminRequest {}

  /** All copies are to go off a node, and it out of the tree. */
  record Drain(NodeId node) implements AdminRequest {}

  /** Split, shift, move and merge ranges until nothing can be gained any more. */
  record Rebalance() implements AdminRequest {}
}
