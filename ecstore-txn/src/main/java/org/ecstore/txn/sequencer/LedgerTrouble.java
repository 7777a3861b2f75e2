package org.ecstore.txn.sequencer;

import java.util.OptionalLong;
import org.ecstore.id.Position;

/**
 * For how long a node that leads has tried in vain to write the ledger, and for how long it does so
 * before another is to try. It may be the only one that does not reach it, and none would depose
 * it: it lives, and answers what it is asked. Who leads is a hint (rule 6).
 *
 * <p>Where no node can write each has its turn, and a longer one each time, so that the lead goes
 * round ever more slowly. A turn is short again once the ledger was seen to grow since the last
 * one: others can write it. Decision 0114.
 */
final class LedgerTrouble {
  /** Twice what a fence takes at most before it fails, by the settings of a ledger on bookies. */
  static final long FIRST_NANOS = 30_000_000_000L;

  /** To 8 minutes. */
  static final int DOUBLINGS_MAX = 4;

  /** What counts at most of one try: its process may have stood still, or its clock jumped. */
  static final long TRY_NANOS_MAX = 20_000_000_000L;

  /**
   * What counts at most of a time as the writer in which nothing was durable: it read the ledger,
   * or had nothing to append.
   */
  static final long WRITER_NANOS_MAX = 10_000_000_000L;

  /** For so long a ledger that is fenced is read in vain, before it is fenced anew. */
  static final long UNREAD_NANOS = 20_000_000_000L;

  /** Since the last append that was durable, as far as it was counted. */
  private long triedNanos;

  /** Since when its try was not counted; absent while it does not try, or is the writer. */
  private OptionalLong triesSinceNanos = OptionalLong.empty();

  /** Since when it is the writer without an append that is durable. */
  private OptionalLong writerSinceNanos = OptionalLong.empty();

  private int doublings;

  /** How far the ledger was known to reach when another was to try. */
  private Position reached = Position.ZERO;

  /**
   * It fences, or is to fence again; goes on with what was begun.
   *
   * @param known how far the ledger is known to reach
   */
  void tries(long nowNanos, Position known) {
    if (triesSinceNanos.isPresent()) {
      return;
    }
    if (triedNanos == 0 && writerSinceNanos.isEmpty() && known.isAfter(reached)) {
      doublings = 0;
    }
    if (writerSinceNanos.isPresent()) {
      triedNanos += Math.min(WRITER_NANOS_MAX, nowNanos - writerSinceNanos.getAsLong());
    }
    writerSinceNanos = OptionalLong.empty();
    triesSinceNanos = OptionalLong.of(nowNanos);
  }

  /** The ledger is fenced. Whether it takes appends is not known yet. */
  void isWriter(long nowNanos) {
    count(nowNanos);
    triesSinceNanos = OptionalLong.empty();
    writerSinceNanos = OptionalLong.of(nowNanos);
  }

  /** An append is durable. */
  void writes() {
    ends();
    doublings = 0;
  }

  /** Another leads. */
  void ends() {
    triedNanos = 0;
    triesSinceNanos = OptionalLong.empty();
    writerSinceNanos = OptionalLong.empty();
  }

  /** For how long it has tried in vain. Asked after each try. */
  long triedNanos(long nowNanos) {
    count(nowNanos);
    return triedNanos;
  }

  private void count(long nowNanos) {
    if (triesSinceNanos.isPresent()) {
      triedNanos += Math.min(TRY_NANOS_MAX, nowNanos - triesSinceNanos.getAsLong());
      triesSinceNanos = OptionalLong.of(nowNanos);
    }
  }

  /** For how long it tries. */
  long patienceNanos() {
    return FIRST_NANOS << doublings;
  }

  /**
   * It has stood back; where it leads all the same its next turn begins.
   *
   * @param known how far the ledger is known to reach
   */
  void stoodBack(long nowNanos, Position known) {
    triedNanos = 0;
    if (triesSinceNanos.isPresent()) {
      triesSinceNanos = OptionalLong.of(nowNanos);
    }
    doublings = Math.min(DOUBLINGS_MAX, doublings + 1);
    reached = known;
  }
}
