package org.ecstore.client;

import java.util.List;
import java.util.Optional;
import org.ecstore.id.Position;
import org.ecstore.protocol.ClientReply.AnsweringCopy;

/**
 * What a quorum of copies answered (rule 13).
 *
 * @param value absent if the key has none
 * @param version the commit number of the value
 * @param at the key is this as of this position, where the newest of the copies that answered was
 *     closed
 * @param known the position that the coordinating node knew to be durable: {@link #behind} it
 * @param copies those that answered, and where each was closed
 * @param writtenBack whether copies were first brought up to this version, so that no later read
 *     returns an older one
 * @param mayBeStale whether a newer version may be on other copies: W + R is too small for a read
 *     to meet every write; or no sequencer confirmed in time, for some seconds at most, that these
 *     copies are still the key's
 */
public record QuorumRead<V>(
    Optional<V> value,
    Optional<Position> version,
    Position at,
    Position known,
    List<AnsweringCopy> copies,
    boolean writtenBack,
    boolean mayBeStale) {
  public QuorumRead {
    copies = List.copyOf(copies);
  }

  /** How many records of the ledger the answer may lack, at most, that were known to be there. */
  public long behind() {
    return Math.max(0, known.value() - at.value());
  }
}
