package org.ecstore.tools.cli.cluster;

import java.util.Optional;
import org.ecstore.id.RangeId;
import org.ecstore.key.Bytes;
import org.ecstore.tools.cli.cluster.RangeHoldings.Held;

/** Which copies of ranges the user wants to see: those that fit all that is given. */
record StatusFilter(Optional<RangeId> range, Optional<Long> node, Optional<Bytes> key) {
  static final StatusFilter ALL =
      new StatusFilter(Optional.empty(), Optional.empty(), Optional.empty());

  boolean isAll() {
    return equals(ALL);
  }

  boolean shows(Held one) {
    return range.map(one.range()::equals).orElse(true)
        && node.map(wanted -> wanted == one.node()).orElse(true)
        && key.map(one.keys()::contains).orElse(true);
  }
}
