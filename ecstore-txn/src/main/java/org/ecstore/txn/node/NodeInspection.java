package org.ecstore.txn.node;

import java.util.List;
import org.ecstore.id.Epoch;
import org.ecstore.id.Position;
import org.ecstore.id.RangeId;
import org.ecstore.id.ReadPoint;
import org.ecstore.key.KeyRange;
import org.ecstore.replication.copy.Copy;

/** A node's state as checkers and operators see it. */
public record NodeInspection(
    boolean ready,
    long incarnation,
    ReadPoint adopted,
    boolean sequencing,
    List<CopyView> copies,
    int marked,
    int parked,
    int committing,
    long writesWaiting) {
  /** One copy. */
  public record CopyView(
      RangeId id,
      Epoch epoch,
      KeyRange keys,
      Copy.State state,
      Position base,
      Position closed,
      Position durableClosed) {}
}
