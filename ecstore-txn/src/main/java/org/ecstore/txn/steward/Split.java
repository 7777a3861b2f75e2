package org.ecstore.txn.steward;

import java.util.Optional;
import java.util.function.Predicate;
import org.ecstore.core.map.RangeDescriptor;
import org.ecstore.core.overlay.BatonTree;
import org.ecstore.id.Epoch;
import org.ecstore.id.NodeId;
import org.ecstore.id.Position;
import org.ecstore.id.RangeId;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.key.KeyText;
import org.ecstore.txn.steward.decision.Decision;

/**
 * One range becomes two on the same nodes (rule 17): one change retires it and places both, each
 * copy of them inherits its parent's base and closed position, and votes on the retired id die. No
 * data moves.
 *
 * @param at the first key of the upper part, inside the range; absent if that has to be found out
 * @param byLoad where the load is halved, if it has to be found out; else where the data is
 */
record Split(
    RangeDescriptor source,
    Optional<Bytes> at,
    boolean byLoad,
    RangeId movedId,
    Decision.Cause cause,
    String why)
    implements MovePlan {
  /** A split at a key inside the range; where the data is halved if there is none. */
  static Split at(RangeDescriptor source, Optional<Bytes> at, long reserved, Decision.Cause cause) {
    return new Split(source, at, false, new RangeId(reserved), cause, "");
  }

  /** A split where the data is halved, or the load. */
  static Split halving(
      RangeDescriptor source, boolean byLoad, long reserved, Decision.Cause cause, String why) {
    return new Split(source, Optional.empty(), byLoad, new RangeId(reserved), cause, why);
  }

  @Override
  public NodeId target() {
    return source.primary();
  }

  @Override
  public long incarnation() {
    return source.primaryIncarnation();
  }

  @Override
  public Part part() {
    return at.isPresent() ? new Part.Keys(upper(at.get())) : new Part.Cut(byLoad, this::upper);
  }

  private KeyRange upper(Bytes key) {
    return KeyRange.between(key, source.keys().end());
  }

  @Override
  public Optional<BatonTree> treeAfter(BatonTree tree, KeyRange keys) {
    return Optional.of(tree);
  }

  @Override
  public Optional<KeyRange> kept(KeyRange keys) {
    return Optional.of(KeyRange.of(source.keys().start(), keys.start()));
  }

  @Override
  public RangeDescriptor moved(KeyRange keys, Epoch epoch, Predicate<NodeId> there) {
    return new RangeDescriptor(
        movedId, keys, epoch, source.primary(), source.primaryIncarnation(), source.secondaries());
  }

  @Override
  public String purpose() {
    return "split range " + source.id();
  }

  @Override
  public String effect(KeyRange keys, Position stamp) {
    return "%s is below %s, %s from it on"
        .formatted(keptId(), KeyText.brief(keys.start()), movedId);
  }
}
