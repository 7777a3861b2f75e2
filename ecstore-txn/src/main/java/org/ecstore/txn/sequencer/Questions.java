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
  /** A client asks for an outcome without a record only where its commit was lost on the way. */
  static final Rate OF_CLIENTS = new Rate(5_000, 500);

  /** A participant asks for each mark whose coordinator is gone. */
  static final Rate OF_PARTICIPANTS = new Rate(20_000, 2_000);

  private final Bucket ofClients = new Bucket(OF_CLIENTS);
  private final Bucket ofParticipants = new Bucket(OF_PARTICIPANTS);

  /** So many at once after a while without, and so many a second. */
  record Rate(int burst, long perSecond) {
    private long nanosEach() {
      return 1_000_000_000L / perSecond;
    }
  }

  /** Whether one more may be made, which then counts. */
  boolean admits(Asker asker, long nowNanos) {
    return switch (asker) {
      case CLIENT -> ofClients.admits(nowNanos);
      case PARTICIPANT -> ofParticipants.admits(nowNanos);
    };
  }

  /** Holds a burst and fills at a steady rate. */
  private static final class Bucket {
    private final Rate rate;

    /** When the bucket will be full, as if time had been saved up to then. */
    private long fullAtNanos;

    private boolean used;

    Bucket(Rate rate) {
      this.rate = rate;
    }

    boolean admits(long nowNanos) {
      if (!used || fullAtNanos - nowNanos < 0) {
        used = true;
        fullAtNanos = nowNanos;
      }
      if (fullAtNanos - nowNanos > (rate.burst() - 1) * rate.nanosEach()) {
        return false;
      }
      fullAtNanos += rate.nanosEach();
      return true;
    }
  }
}
