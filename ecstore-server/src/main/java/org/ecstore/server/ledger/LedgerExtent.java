package org.ecstore.server.ledger;

import java.nio.file.Path;
import org.ecstore.id.Position;
import org.ecstore.server.parts.MixedPartsException;

/**
 * Where a ledger begins and ends.
 *
 * @param trimmed what is at or below is gone
 * @param last the last durable position, zero if there never was one
 */
public record LedgerExtent(Position trimmed, Position last) {
  /**
   * Checks that it reaches as far as any engine has it. A torn tail may be the trace of a crash,
   * and then no node was told of it; whatever an engine has was durable here before.
   *
   * @throws MixedPartsException if it does not
   */
  public void checkReaches(Path directory, LedgerClaim claim) throws MixedPartsException {
    if (claim.through().isAfter(last)) {
      throw new MixedPartsException(
          ("the ledger in %s ends at position %d, but %s holds records up to position %d:"
                  + " the ledger is older, or was cut")
              .formatted(directory, last.value(), claim.by(), claim.through().value()),
          "if what the ledger lacks may be lost for ever, take away each engine's directory that"
              + " holds more, to be filled from the ledger");
    }
  }
}
