package org.ecstore.txn.sequencer;

import org.ecstore.id.Position;
import org.ecstore.txn.sequencer.Sequencer.State;

/**
 * What the parts of a sequencer share: where it is in its life, what it knows of the ledger, and
 * what it appends with. Each field says who writes it.
 */
final class SequencerState {
  /** Written by the take-over; by a failed append, which ends the term. */
  private State state = State.IDLE;

  /**
   * Counts the attempts to lead and their ends: what was begun in an earlier term finds another one
   * and does nothing.
   */
  private long term;

  /**
   * The fold over the records: of the standby's tail or the replay until {@link State#ACTIVE}, with
   * what is in flight from then on. Forgotten with the term.
   */
  private LedgerState memory = new LedgerState(new Position(1));

  /** Of this term; one that takes nothing before the first. */
  private Appender appender;

  /** Of this term. */
  private final RefusedSubmissions refused = new RefusedSubmissions();

  /** Where the newest checkpoint begins that is known to be durable; never falls. */
  private Position newestCheckpoint = Position.ZERO;

  SequencerState(Appender none) {
    this.appender = none;
  }

  State state() {
    return state;
  }

  void enter(State next) {
    state = next;
  }

  boolean active() {
    return state == State.ACTIVE;
  }

  /** The term under way. */
  long term() {
    return term;
  }

  /** Ends what the term under way has begun, and begins another one. */
  long nextTerm() {
    refused.clear();
    return ++term;
  }

  LedgerState memory() {
    return memory;
  }

  /** Forgets all that was read, and reads on from a position. */
  void forget(Position first) {
    memory = new LedgerState(first);
  }

  Appender appender() {
    return appender;
  }

  void appender(Appender next) {
    appender = next;
  }

  RefusedSubmissions refused() {
    return refused;
  }

  Position newestCheckpoint() {
    return newestCheckpoint;
  }

  void checkpointAt(Position first) {
    newestCheckpoint = Position.max(newestCheckpoint, first);
  }
}
