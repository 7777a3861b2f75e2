package org.ecstore.wire.client;

import java.util.Optional;
import org.ecstore.id.RangeId;
import org.ecstore.key.Bytes;

/** What an operator wants of the steward. */
public sealed interface ClusterWish {
  /**
   * A range is to become two.
   *
   * @param at the first key of the upper one; where its data is halved if absent
   */
  record Split(RangeId range, Optional<Bytes> at) implements ClusterWish {}

  /** Two adjacent ranges are to become one; their order is of no matter. */
  record Merge(RangeId one, RangeId other) implements ClusterWish {}
}
