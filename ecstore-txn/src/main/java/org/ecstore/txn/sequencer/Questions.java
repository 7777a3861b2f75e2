package org.ecstore.txn.sequencer;

/**
 * How many questions for outcomes may make a record: each of an id without one does (rule 5), and
 * whoever makes ids up would fill the ledger with them, and the memory of outcomes, until no commit
 * is taken any more. A bucket that fills at a steady rate; who finds it empty asks again.
 */
final class Questions {
  static final int BURST = 20_000;
  static final long PER_SECOND = 2_000;

  private static final long NANOS_EACH = 1_000_000_000L / PER_SECOND;

  /** When the bucket will be full, as if time had been saved up to then. */
  private long fullAtNanos;

  private boolean used;

  /** Whether one more may be made, which then counts. */
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
