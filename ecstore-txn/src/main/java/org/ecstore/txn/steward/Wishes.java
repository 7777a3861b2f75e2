package org.ecstore.txn.steward;

import java.util.Optional;
import org.ecstore.core.map.RangeDescriptor;
import org.ecstore.core.overlay.ClusterState;
import org.ecstore.id.RangeId;
import org.ecstore.key.Bytes;
import org.ecstore.wire.client.ClusterWish;

/** Turns what an operator wants into a move, or says why it cannot be. */
final class Wishes {
  /** What comes of a wish. */
  sealed interface Answer {
    /** It cannot be, or not now. */
    record Refused(String why) implements Answer {}

    /** This is to be done. */
    record Granted(Move move) implements Answer {}
  }

  private static final String OPERATOR = "operator";

  private final Steward steward;
  private final ClusterState state;

  Wishes(Steward steward, ClusterState state) {
    this.steward = steward;
    this.state = state;
  }

  Answer answer(ClusterWish wish) {
    return switch (wish) {
      case ClusterWish.Split split -> split(split.range(), split.at());
      case ClusterWish.Merge merge -> merge(merge.one(), merge.other());
    };
  }

  private Answer split(RangeId id, Optional<Bytes> at) {
    Optional<RangeDescriptor> range = state.ranges().range(id);
    if (range.isEmpty()) {
      return unknown(id);
    }
    if (at.isPresent() && !CutKey.splits(range.get().keys(), at.get())) {
      return new Answer.Refused(
          "key " + at.get() + " does not split range " + id + ", which is " + range.get().keys());
    }
    if (!steward.isServedLive(range.get())) {
      return new Answer.Refused("range " + id + " is not served: " + range.get().primary());
    }
    return new Answer.Granted(new Split(steward, range.get(), at, state.nextRangeId(), OPERATOR));
  }

  private Answer merge(RangeId one, RangeId other) {
    Optional<RangeDescriptor> first = state.ranges().range(one);
    Optional<RangeDescriptor> second = state.ranges().range(other);
    if (first.isEmpty() || second.isEmpty()) {
      return unknown(first.isEmpty() ? one : other);
    }
    boolean inOrder = first.get().keys().start().compareTo(second.get().keys().start()) < 0;
    RangeDescriptor left = inOrder ? first.get() : second.get();
    RangeDescriptor right = inOrder ? second.get() : first.get();
    Optional<String> obstacle = Merge.obstacle(steward, state, left, right);
    return obstacle.isPresent()
        ? new Answer.Refused(
            "ranges %s and %s cannot be merged: %s".formatted(one, other, obstacle.get()))
        : new Answer.Granted(new Merge(steward, left, right, state.nextRangeId(), OPERATOR));
  }

  private static Answer unknown(RangeId id) {
    return new Answer.Refused("there is no range " + id);
  }
}
