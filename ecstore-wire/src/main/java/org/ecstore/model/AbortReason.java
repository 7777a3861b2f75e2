package org.ecstore.model;

import java.util.Optional;
import org.ecstore.id.Position;
import org.ecstore.id.RangeId;
import org.ecstore.id.TxnId;
import org.ecstore.key.KeyRange;

/** Why a transaction did not commit. Every one may be tried again under a new id. */
public sealed interface AbortReason {
  /**
   * Another transaction got there first (rule 3): it holds an intent on the keys ({@code other}),
   * or has committed a version of them above the snapshot ({@code version}).
   */
  record Conflict(RangeId range, KeyRange keys, Optional<TxnId> other, Optional<Position> version)
      implements AbortReason {}

  /** The snapshot is below what the range can still validate or below the outcome floor. */
  record TooOld(Position base) implements AbortReason {}

  /** The range has changed hands since the vote (rule 4). */
  record RangeChanged(RangeId range) implements AbortReason {}

  /** An asker in doubt settled it as aborted before it was submitted (rule 5). */
  record SettledByAsker() implements AbortReason {}

  /** A participant could not be reached, or is not serving yet; nothing was submitted. */
  record NotReachable(String detail) implements AbortReason {}

  /**
   * The catalog has changed since the transaction was begun (rule 27).
   *
   * @param version that the next try names
   */
  record CatalogChanged(long version) implements AbortReason {}

  /**
   * A participant has no memory for it; nothing was submitted. Told between nodes only: a client
   * hears of it as a refusal.
   *
   * @param ever whether it has when less is under way
   */
  record NoRoom(String detail, boolean ever) implements AbortReason {}
}
