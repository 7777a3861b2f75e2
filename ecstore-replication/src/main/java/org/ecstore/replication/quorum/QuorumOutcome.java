package org.ecstore.replication.quorum;

import java.util.Map;
import java.util.Optional;
import org.ecstore.id.NodeId;
import org.ecstore.id.Position;
import org.ecstore.model.Row;

/** What became of a quorum read. */
public sealed interface QuorumOutcome {
  /**
   * The key as of a position.
   *
   * @param closedBy the copies that answered, each with the position where it was closed
   * @param writtenBack whether copies were brought up to this before it was returned
   * @param confirmed whether these were the range's copies at some moment since the read began, as
   *     far as that must be confirmed; otherwise a newer version may be on others
   */
  record Found(
      Optional<Row> row,
      Position at,
      Map<NodeId, Position> closedBy,
      boolean writtenBack,
      boolean confirmed)
      implements QuorumOutcome {
    Found unconfirmed() {
      return new Found(row, at, closedBy, writtenBack, false);
    }
  }

  /** The range has too few copies, or those that there are did not answer in time. */
  record NotNow(String detail) implements QuorumOutcome {}
}
