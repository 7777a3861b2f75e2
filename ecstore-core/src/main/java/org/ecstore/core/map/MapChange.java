package org.ecstore.core.map;

import java.util.List;
import org.ecstore.id.MapVersion;
import org.ecstore.id.RangeId;

/**
 * One change of the range map: the ranges it retires and the descriptors it places, which tile the
 * same keys. A range in both lists keeps its id under a new epoch. The reason is for operators.
 */
public record MapChange(
    MapVersion version, List<RangeId> retired, List<RangeDescriptor> placed, String reason) {
  public MapChange {
    retired = List.copyOf(retired);
    placed = List.copyOf(placed);
  }
}
