package org.ecstore.txn.steward;

import java.util.List;
import org.ecstore.core.map.RangeDescriptor;
import org.ecstore.id.NodeId;
import org.ecstore.txn.steward.decision.Decision;

/**
 * The first half of rule 21's other way: a light leaf gives its ranges to a neighbour, one by one,
 * and goes out of the tree. It stays a member, has no place, asks for one, and gets it beside the
 * node that has too much ({@link Join}). If the steward dies in between, it joins anywhere.
 */
final class Rejoin extends Leave {
  private final NodeId light;
  private final NodeId loaded;
  private final String why;

  Rejoin(
      Steward steward,
      NodeId light,
      NodeId loaded,
      Heir heir,
      List<RangeDescriptor> own,
      long reserved,
      String why) {
    super(steward, light, 0, heir, own, reserved);
    this.light = light;
    this.loaded = loaded;
    this.why = why;
  }

  /** The next range when the steward tends to things again: at once. */
  @Override
  void done() {}

  @Override
  Decision.Cause cause() {
    return Decision.Cause.SIZE;
  }

  @Override
  String why() {
    return why;
  }

  @Override
  String purpose() {
    return light + " leaves its place, to join beside " + loaded;
  }
}
