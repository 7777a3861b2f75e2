package org.ecstore.txn.sequencer;

import java.util.Optional;
import org.ecstore.id.Position;

/**
 * Whether another node has written the ledger since this one was shut out of it, as far as that can
 * be known without coordination: as others say, or as this one found when it fenced unasked. That
 * one has led, and this one would take the ledger from it, again and again where it alone does not
 * reach coordination (rule 6).
 */
final class Succession {
  /** What was durable of its own when it was shut out, or its ledger failed, as the writer. */
  private Optional<Position> wrote = Optional.empty();

  /** What it had not given to any record then: what is written there is another's. */
  private Optional<Position> unused = Optional.empty();

  /** Whether it has fenced without coordination's word since that named it, or another. */
  private boolean isUnasked;

  /** Whether what it found then was another's. */
  private boolean tookFromAnother;

  /** Coordination has said who leads. */
  void leaderKnown() {
    wrote = Optional.empty();
    unused = Optional.empty();
    isUnasked = false;
    tookFromAnother = false;
  }

  /**
   * This node is the writer no more.
   *
   * @param durable up to where what it appended is durable
   * @param next what it would have given to its next record
   */
  void writerEnded(Position durable, Position next) {
    wrote = Optional.of(durable);
    unused = Optional.of(next);
  }

  /** It fences without coordination's word. */
  void fencesUnasked() {
    isUnasked = true;
  }

  /** It has fenced the ledger, which ends there. */
  void fenced(Position last) {
    tookFromAnother |= isUnasked && unused.filter(own -> own.isAtOrBelow(last)).isPresent();
  }

  /**
   * Whether another has written.
   *
   * @param othersWrote how far others are known to have written the ledger
   */
  boolean isSucceeded(Position othersWrote) {
    return tookFromAnother || wrote.filter(othersWrote::isAfter).isPresent();
  }
}
