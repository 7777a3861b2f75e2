package org.ecstore.txn.commit;

import org.ecstore.core.metrics.CommitEnd;
import org.ecstore.core.metrics.CommitStage;
import org.ecstore.core.metrics.Metrics;
import org.ecstore.core.metrics.NodeMetrics;
import org.ecstore.core.metrics.TaggedInstrument;
import org.ecstore.model.AbortReason;
import org.ecstore.protocol.ClientReply;

/** What a coordinator tells of its commits in numbers. */
final class CommitMetrics {
  private final TaggedInstrument<CommitEnd> ends;
  private final TaggedInstrument<CommitStage> stages;

  CommitMetrics(Metrics metrics) {
    ends = new TaggedInstrument<>(metrics, NodeMetrics.COMMITS, CommitEnd.class);
    stages = new TaggedInstrument<>(metrics, NodeMetrics.COMMIT_TIME, CommitStage.class);
  }

  /** A stage of a commit took so long. */
  void took(CommitStage stage, long nanos) {
    stages.of(stage).record(nanos);
  }

  /** A client was told how its commit ended. */
  void ended(ClientReply reply) {
    ends.of(endOf(reply)).count();
  }

  private static CommitEnd endOf(ClientReply reply) {
    return switch (reply) {
      case ClientReply.Committed _ -> CommitEnd.COMMITTED;
      case ClientReply.Aborted aborted -> endOf(aborted.reason());
      case ClientReply.Refused _ -> CommitEnd.REFUSED;
      default -> CommitEnd.UNKNOWN;
    };
  }

  private static CommitEnd endOf(AbortReason reason) {
    return switch (reason) {
      case AbortReason.Conflict _ -> CommitEnd.CONFLICT;
      case AbortReason.TooOld _ -> CommitEnd.TOO_OLD;
      case AbortReason.RangeChanged _ -> CommitEnd.RANGE_CHANGED;
      case AbortReason.SettledByAsker _ -> CommitEnd.SETTLED_BY_ASKER;
      case AbortReason.NotReachable _ -> CommitEnd.NOT_REACHABLE;
      case AbortReason.CatalogChanged _ -> CommitEnd.CATALOG_CHANGED;
      case AbortReason.NoRoom _ -> CommitEnd.REFUSED;
    };
  }
}
