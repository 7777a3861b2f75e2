package org.ecstore.txn.commit;

import java.util.List;
import java.util.Optional;
import org.ecstore.id.NodeId;
import org.ecstore.id.Position;
import org.ecstore.id.ReadPoint;
import org.ecstore.id.TxnId;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.wire.client.AbortReason;
import org.ecstore.wire.client.Isolation;

/** The marks of one transaction on one range. */
public final class Marked {
  /** How far the transaction has come on this range. */
  enum Phase {
    /** Marks placed, versions being checked. */
    CHECKING,
    /** Voted yes; the decision is not known. */
    VOTED,
    /** Committed; the writes are on their way into the engine. */
    APPLYING
  }

  final TxnId txn;
  final NodeId coordinator;
  final long coordinatorIncarnation;
  final ReadPoint point;
  final Isolation isolation;
  final List<Bytes> reads;
  final List<KeyRange> intervals;
  final List<Bytes> writes;

  /** The D this node knew when it placed the marks: a commit number will be greater (rule 10). */
  final Position noted;

  Phase phase = Phase.CHECKING;
  Optional<Position> number = Optional.empty();
  Optional<AbortReason> no = Optional.empty();
  long askAtNanos;
  boolean asking;

  /**
   * Marks to place.
   *
   * @param isolation what the transaction is validated for: under snapshot isolation nobody else
   *     may write what it writes before it is decided
   * @param noted the D that is known where they are placed
   */
  public Marked(
      TxnId txn,
      NodeId coordinator,
      long coordinatorIncarnation,
      ReadPoint point,
      Isolation isolation,
      List<Bytes> reads,
      List<KeyRange> intervals,
      List<Bytes> writes,
      Position noted) {
    this.txn = txn;
    this.coordinator = coordinator;
    this.coordinatorIncarnation = coordinatorIncarnation;
    this.point = point;
    this.isolation = isolation;
    this.reads = reads;
    this.intervals = intervals;
    this.writes = writes;
    this.noted = noted;
  }

  /** Whether the transaction may turn out to be numbered at or below a position. */
  boolean mayBeAtOrBelow(Position position) {
    return number.map(known -> known.isAtOrBelow(position)).orElse(position.isAfter(noted));
  }
}
