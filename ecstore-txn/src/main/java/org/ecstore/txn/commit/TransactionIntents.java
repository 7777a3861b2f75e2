package org.ecstore.txn.commit;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.ecstore.core.ledger.LedgerRecord.CoordinatorLife;
import org.ecstore.core.runtime.ParkedCalls.Parked;
import org.ecstore.id.NodeId;
import org.ecstore.id.Position;
import org.ecstore.id.ReadPoint;
import org.ecstore.id.TxnId;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.model.AbortReason;
import org.ecstore.model.Isolation;

/** The intents of one transaction on one range. */
public final class TransactionIntents {
  /** How far the transaction has come on this range. */
  enum Phase {
    /** Intents being placed, then versions checked. */
    CHECKING,
    /** Voted yes; the decision is not known. */
    VOTED,
    /** Committed; the writes are on their way into the engine. */
    APPLYING,
    /** Intents being taken away; those still there are in no transaction's way for long. */
    DROPPING_INTENTS
  }

  final TxnId txn;
  final NodeId coordinator;
  final long coordinatorIncarnation;
  final ReadPoint point;
  final Isolation isolation;
  final List<Bytes> reads;
  final List<KeyRange> intervals;
  final List<Bytes> writes;

  /** The last ones of the writes, which operations are applied to; they ascend. */
  private final List<Bytes> operations;

  /** The D this node knew when it placed the intents: a commit number will be greater (rule 10). */
  final Position noted;

  Phase phase = Phase.CHECKING;
  Optional<Position> number = Optional.empty();
  Optional<AbortReason> no = Optional.empty();
  long askAtNanos;

  /** What the transaction takes of this node's memory until the intent goes. */
  long weight;

  boolean asking;

  /** Whether the last question about it was not answered, or by no more than "not now". */
  boolean unanswered;

  /** When that was known. */
  long answeredNanos;

  /** The first so many of the writes are marked. */
  int writesPlaced;

  /** The first so many of the keys read are marked. */
  int readsPlaced;

  /** The intervals that are marked, the first ones. */
  final List<IntervalIndex.Node<TransactionIntents>> scanned = new ArrayList<>();

  /** Where the search of the last interval marked goes on for writes in it. */
  Optional<Bytes> searchFrom = Optional.empty();

  /** Reads that wait for these intents. */
  final Set<Parked<SettledWaits.Waiting>> awaitedBy = new LinkedHashSet<>();

  /**
   * Intents to place.
   *
   * @param isolation what the transaction is validated for: under snapshot isolation no other
   *     transaction may write what it writes before it is decided
   * @param writes keys that are put or deleted
   * @param operations keys that operations are applied to (rule 28)
   * @param noted the D that is known where they are placed
   */
  public TransactionIntents(
      TxnId txn,
      NodeId coordinator,
      long coordinatorIncarnation,
      ReadPoint point,
      Isolation isolation,
      List<Bytes> reads,
      List<KeyRange> intervals,
      List<Bytes> writes,
      List<Bytes> operations,
      Position noted) {
    this.txn = txn;
    this.coordinator = coordinator;
    this.coordinatorIncarnation = coordinatorIncarnation;
    this.point = point;
    this.isolation = isolation;
    this.reads = reads;
    this.intervals = intervals;
    this.writes =
        operations.isEmpty()
            ? writes
            : Stream.concat(writes.stream(), operations.stream()).toList();
    this.operations = operations;
    this.noted = noted;
  }

  /** Whose transaction it is (rule 5). */
  CoordinatorLife by() {
    return new CoordinatorLife(coordinator, coordinatorIncarnation);
  }

  /** Whether a key that is written must not be written by another before this is decided. */
  boolean guards(Bytes key) {
    return isolation == Isolation.SNAPSHOT && !operates(key);
  }

  /** Whether a key is written by an operation. */
  boolean operates(Bytes key) {
    return !operations.isEmpty() && Collections.binarySearch(operations, key) >= 0;
  }

  /** Whether every intent is placed, and no foreign one was in the way. */
  boolean isPlaced() {
    return writesPlaced == writes.size()
        && readsPlaced == reads.size()
        && scanned.size() == intervals.size()
        && searchFrom.isEmpty();
  }

  /** Whether the transaction may turn out to be numbered at or below a position. */
  boolean mayBeAtOrBelow(Position position) {
    return number.map(known -> known.isAtOrBelow(position)).orElse(position.isAfter(noted));
  }
}
