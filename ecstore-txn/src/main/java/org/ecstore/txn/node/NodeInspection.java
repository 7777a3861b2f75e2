package org.ecstore.txn.node;

import java.util.List;
import org.ecstore.id.Epoch;
import org.ecstore.id.Position;
import org.ecstore.id.RangeId;
import org.ecstore.id.ReadPoint;
import org.ecstore.key.KeyRange;
import org.ecstore.replication.copy.Copy;
import org.ecstore.txn.sequencer.BatchSizes;
import org.ecstore.txn.sequencer.Sequencer;

/** A node's state as checkers and operators see it. */
public record NodeInspection(
    boolean ready,
    long incarnation,
    ReadPoint adopted,
    Sequencer.State sequencer,
    List<CopyView> copies,
    int marked,
    int parked,
    int committing,
    long writesWaiting,
    BatchSizes batches) {
  /** Whether this node is the sequencer, as far as it knows. */
  public boolean sequencing() {
    return sequencer == Sequencer.State.ACTIVE;
  }

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
