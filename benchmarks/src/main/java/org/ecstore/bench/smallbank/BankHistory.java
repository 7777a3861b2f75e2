package org.ecstore.bench.smallbank;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * What all transactions did, to be judged at the end. Up to a limit each is kept; after that only
 * what money they brought in. Safe for use by several threads.
 */
final class BankHistory {
  private final long keptMax;
  private final List<Done> kept = new ArrayList<>();
  private final List<Done> unsettled = new ArrayList<>();
  private final AtomicLong committed = new AtomicLong();
  private final LongAdder delta = new LongAdder();

  /**
   * Empty.
   *
   * @param keptMax how many transactions are kept, some hundred bytes each
   */
  BankHistory(long keptMax) {
    this.keptMax = keptMax;
  }

  /** A transaction that committed, or that only read. */
  void committed(Done done) {
    delta.add(done.delta());
    if (committed.getAndIncrement() < keptMax) {
      synchronized (kept) {
        kept.add(done);
      }
    }
  }

  /** A transaction that may have committed or not. */
  void unsettled(Done done) {
    synchronized (unsettled) {
      unsettled.add(done);
    }
  }

  /** Those that are kept. */
  List<Done> kept() {
    synchronized (kept) {
      return List.copyOf(kept);
    }
  }

  /** Those of which no answer said whether they committed. */
  List<Done> unsettled() {
    synchronized (unsettled) {
      return List.copyOf(unsettled);
    }
  }

  /** How many committed or only read. */
  long count() {
    return committed.get();
  }

  /** Whether every transaction is kept. */
  boolean isWhole() {
    return count() <= keptMax;
  }

  /** What those that committed brought in. */
  long delta() {
    return delta.sum();
  }
}
