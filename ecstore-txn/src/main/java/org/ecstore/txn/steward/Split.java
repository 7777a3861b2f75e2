package org.ecstore.txn.steward;

import java.util.Optional;
import org.ecstore.core.map.RangeDescriptor;
import org.ecstore.core.overlay.BatonTree;
import org.ecstore.id.Epoch;
import org.ecstore.id.Position;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.key.KeyText;
import org.ecstore.txn.steward.decision.Decision;

/**
 * One range becomes two on the same nodes (rule 17): one change retires it and places both, each
 * copy of them inherits its parent's base and closed position, and votes on the retired id die. No
 * data moves.
 */
final class Split extends Move {
  private final Optional<Bytes> at;
  private final boolean byLoad;
  private final Decision.Cause cause;
  private final String why;

  /**
   * A split.
   *
   * @param at the first key of the upper part, inside the range; by the data if absent
   */
  Split(
      Steward steward,
      RangeDescriptor source,
      Optional<Bytes> at,
      long reserved,
      Decision.Cause cause,
      String why) {
    super(steward, source.primary(), source.primaryIncarnation(), source, reserved);
    this.at = at;
    this.byLoad = false;
    this.cause = cause;
    this.why = why;
  }

  /** A split where the data is halved, or the load. */
  Split(
      Steward steward,
      RangeDescriptor source,
      boolean byLoad,
      long reserved,
      Decision.Cause cause,
      String why) {
    super(steward, source.primary(), source.primaryIncarnation(), source, reserved);
    this.at = Optional.empty();
    this.byLoad = byLoad;
    this.cause = cause;
    this.why = why;
  }

  @Override
  void start() {
    if (at.isPresent()) {
      build(upper(at.get()));
    } else {
      CutKey.find(this, byLoad, key -> build(upper(key)));
    }
  }

  private KeyRange upper(Bytes key) {
    return KeyRange.between(key, source().keys().end());
  }

  @Override
  Optional<BatonTree> treeAfter(BatonTree tree, KeyRange keys) {
    return Optional.of(tree);
  }

  @Override
  Optional<KeyRange> kept(KeyRange keys) {
    return Optional.of(KeyRange.of(source().keys().start(), keys.start()));
  }

  @Override
  RangeDescriptor moved(KeyRange keys, Epoch epoch) {
    return new RangeDescriptor(
        movedId(),
        keys,
        epoch,
        source().primary(),
        source().primaryIncarnation(),
        source().secondaries());
  }

  @Override
  Decision.Cause cause() {
    return cause;
  }

  @Override
  String why() {
    return why;
  }

  @Override
  String purpose() {
    return "split range " + source().id();
  }

  @Override
  String effect(KeyRange keys, Position stamp) {
    return "%s is below %s, %s from it on"
        .formatted(keptId(), KeyText.brief(keys.start()), movedId());
  }
}
