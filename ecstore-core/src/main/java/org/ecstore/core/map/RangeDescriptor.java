package org.ecstore.core.map;

import java.util.List;
import org.ecstore.id.Epoch;
import org.ecstore.id.NodeId;
import org.ecstore.id.RangeId;
import org.ecstore.key.KeyRange;

/**
 * A range and who holds it. The epoch is the version of the map change that last touched the range,
 * so it grows and is never used twice. The primary serves only in the incarnation named here (rule
 * 10). Secondaries are empty while ranges have one copy.
 */
public record RangeDescriptor(
    RangeId id,
    KeyRange keys,
    Epoch epoch,
    NodeId primary,
    long primaryIncarnation,
    List<NodeId> secondaries) {
  public RangeDescriptor {
    secondaries = List.copyOf(secondaries);
  }
}
