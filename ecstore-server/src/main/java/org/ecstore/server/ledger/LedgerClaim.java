package org.ecstore.server.ledger;

import org.ecstore.id.Position;

/**
 * What a part of the store has from a ledger, so that the ledger must be found to reach as far.
 *
 * @param through the last position
 * @param by whose it is, for the message, as in {@code the engine in DIRECTORY}
 */
public record LedgerClaim(Position through, String by) {
  /** Nothing is had from it yet. */
  public static final LedgerClaim NONE = new LedgerClaim(Position.ZERO, "nothing");

  /** The one that reaches farther. */
  public LedgerClaim or(LedgerClaim other) {
    return other.through().isAfter(through) ? other : this;
  }
}
