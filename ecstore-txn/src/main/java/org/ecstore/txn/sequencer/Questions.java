package org.ecstore.txn.sequencer;

import org.ecstore.txn.message.TxnMessage.Asker;

/**
 * How many questions for outcomes may make a record: each of an id without one does (rule 5), and a
 * client that makes ids up would fill the ledger with them, and the memory of outcomes, until no
 * commit is taken any more. An asker that is refused asks again.
 *
 * <p>Clients and participants have a bucket each: clients that make ids up must not keep
 * participants from settling the marks that stand in the way of everybody else.
 */
final class Questions {
  static final int BURST = 20_000;
  static final long PER_SECOND = 2_000;

  private final Bucket ofClients = new Bucket();
  private final Bucket ofParticipants = new Bucket();

  /** Whether one more may be made, which then counts. */
  boolean admits(Asker asker, long nowNanos) {
    return switch (asker) {
      case CLIENT -> ofClients.admits(nowNanos);
      case PARTICIPANT -> ofParticipants.admits(nowNanos);
    };
  }

  /** Holds a burst and fills at a steady rate. */
  private static final class Bucket {
    private static final long NANOS_EACH = 1_000_000_000L / PER_SECOND;

    /** When the bucket will be full, as if time had been saved up to then. */
    private long fullAtNanos;

    private boolean used;

    boolean admits(long nowNanos) {
      if (!used || fullAtNanos - nowNanos < 0) {
        used = true;
        fullAtNanos = nowNanos;
      }
      if (fullAtNanos - nowNanos > (BURST - 1) * NANOS_EACH) {
        return false;
      }
      fullAtNanos += NANOS_EACH;
      return true;
    }
  }
}
