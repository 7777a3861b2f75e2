package org.ecstore.txn.message;

import java.util.Optional;
import org.ecstore.id.Position;
import org.ecstore.id.RangeId;

/**
 * What the sequencer says of a transaction. All but {@link NotNow} rest on a durable record, and of
 * these {@link NotNow#USED_ELSEWHERE}.
 */
public sealed interface Outcome {
  /** Decided by the commit record at this position: the commit number. */
  record Committed(Position number) implements Outcome {}

  /** Decided by an abort record; the range whose epoch had changed, if that was the reason. */
  record Aborted(Optional<RangeId> changed) implements Outcome {}

  /**
   * Decided by an abort record: it names another version of the catalog than the newest (rule 27).
   *
   * @param version the newest
   */
  record CatalogChanged(long version) implements Outcome {}

  /**
   * The snapshot is below the outcome floor F and no outcome is kept. If it was committed, then by
   * a number below F; it will not be committed any more (rule 7).
   */
  record Expired(Position floor) implements Outcome {}

  /** No sequencer here, or it takes nothing at present: nothing is known. */
  record NotNow(String detail) implements Outcome {
    /** No answer has come. */
    public static final NotNow NO_ANSWER = new NotNow("no sequencer answers");

    /** The node that was asked does not lead. */
    public static final NotNow NOT_LEADING = new NotNow("no sequencer here");

    /**
     * The id was committed by another coordinator, which is durable: what this one has submitted is
     * not committed, and will not be (decision 0118). In this form, as a node of a release that
     * does not know it submits again, until the time of its client is over, and says then that
     * nothing is known.
     */
    public static final NotNow USED_ELSEWHERE =
        new NotNow("another coordinator has committed under this transaction id");

    /** Whether a sequencer said so: it is there, and has its reason. */
    public boolean isOfSequencer() {
      return !equals(NO_ANSWER) && !equals(NOT_LEADING);
    }
  }
}
