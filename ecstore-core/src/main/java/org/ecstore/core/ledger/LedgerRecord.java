package org.ecstore.core.ledger;

import java.util.List;
import java.util.Optional;
import org.ecstore.core.map.MapChange;
import org.ecstore.core.map.RangeMap;
import org.ecstore.id.Epoch;
import org.ecstore.id.MapVersion;
import org.ecstore.id.NodeId;
import org.ecstore.id.Position;
import org.ecstore.id.RangeId;
import org.ecstore.id.TxnId;
import org.ecstore.model.Isolation;
import org.ecstore.model.KeyWrite;

/**
 * A logical record of the commit ledger. Long ones are stored as a run of parts at consecutive
 * positions; the position of a logical record is that of its last part (rule 1).
 */
public sealed interface LedgerRecord {
  /** Nothing; appended so that an append begins after a request arrived (rule 9, STRONG). */
  record NoOp() implements LedgerRecord {}

  /**
   * A decision to commit (rule 1).
   *
   * @param catalogVersion of the catalog, which begins with this commit; 0 if it leaves the catalog
   *     as it is (rule 27)
   */
  record Commit(
      TxnId txn,
      NodeId coordinator,
      long coordinatorIncarnation,
      Position snapshot,
      MapVersion mapVersion,
      Isolation isolation,
      List<RangeVote> votes,
      List<KeyWrite> writes,
      long catalogVersion)
      implements LedgerRecord {
    public Commit {
      votes = List.copyOf(votes);
      writes = List.copyOf(writes);
    }

    /** Whose commit it is. */
    public CoordinatorLife by() {
      return new CoordinatorLife(coordinator, coordinatorIncarnation);
    }

    /** One that leaves the catalog as it is. */
    public Commit(
        TxnId txn,
        NodeId coordinator,
        long coordinatorIncarnation,
        Position snapshot,
        MapVersion mapVersion,
        Isolation isolation,
        List<RangeVote> votes,
        List<KeyWrite> writes) {
      this(
          txn,
          coordinator,
          coordinatorIncarnation,
          snapshot,
          mapVersion,
          isolation,
          votes,
          writes,
          0);
    }
  }

  /** The epoch under which a participant range voted. */
  record RangeVote(RangeId range, Epoch epoch) {}

  /** A decision to abort (rule 5). */
  record Abort(TxnId txn, Position snapshot) implements LedgerRecord {}

  /** An epoch record: a change of the map, made binding (rule 15). */
  record EpochChange(MapChange change) implements LedgerRecord {}

  /** Nothing below this floor is readable any more (rule 14). */
  record VersionFloor(Position floor) implements LedgerRecord {}

  /**
   * What a replay that begins here needs of all that was before (rule 7): the map with every
   * range's epoch, the version floor, the outcome floor F, every outcome numbered at or above F,
   * and the version of the catalog (rule 27).
   */
  record Checkpoint(
      RangeMap map,
      Position versionFloor,
      Position outcomeFloor,
      List<Settled> outcomes,
      long catalogVersion)
      implements LedgerRecord {
    public Checkpoint {
      outcomes = List.copyOf(outcomes);
    }

    /** One of a store without a catalog. */
    public Checkpoint(
        RangeMap map, Position versionFloor, Position outcomeFloor, List<Settled> outcomes) {
      this(map, versionFloor, outcomeFloor, outcomes, 0);
    }
  }

  /** A node that coordinates, in one of its incarnations: an id has one (rule 5). */
  record CoordinatorLife(NodeId node, long incarnation) {
    /** A checkpoint does not say whose commits it holds. */
    public static final CoordinatorLife UNKNOWN = new CoordinatorLife(new NodeId(0), 0);
  }

  /**
   * An outcome: decided by the record at {@code number}.
   *
   * @param by whose commit it is; unknown of an abort, and of what was read in a checkpoint, which
   *     holds the rest only (decision 0118)
   */
  record Settled(TxnId txn, Position number, boolean committed, CoordinatorLife by) {
    /** One that does not say whose commit it is. */
    public Settled(TxnId txn, Position number, boolean committed) {
      this(txn, number, committed, CoordinatorLife.UNKNOWN);
    }
  }

  /** The transaction this record decides, if it decides one. */
  default Optional<TxnId> decides() {
    return switch (this) {
      case Commit commit -> Optional.of(commit.txn());
      case Abort abort -> Optional.of(abort.txn());
      case NoOp noOp -> Optional.empty();
      case EpochChange change -> Optional.empty();
      case VersionFloor floor -> Optional.empty();
      case Checkpoint checkpoint -> Optional.empty();
    };
  }
}
