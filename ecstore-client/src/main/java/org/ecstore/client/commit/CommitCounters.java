package org.ecstore.client.commit;

import java.util.concurrent.atomic.LongAdder;

/** Counts what transactions came to. Safe for use by several threads. */
public final class CommitCounters {
  private final LongAdder committed = new LongAdder();
  private final LongAdder aborted = new LongAdder();
  private final LongAdder retried = new LongAdder();
  private final LongAdder settled = new LongAdder();
  private final LongAdder unknown = new LongAdder();

  /** Work is run again. */
  public void retried() {
    retried.increment();
  }

  /** A reply was missing, and the outcome was found out. */
  void settled() {
    settled.increment();
  }

  void committed(boolean asked) {
    committed.increment();
    if (asked) {
      settled();
    }
  }

  void aborted(boolean asked) {
    aborted.increment();
    if (asked) {
      settled();
    }
  }

  void unknown() {
    unknown.increment();
  }

  /** Commits that are durable. */
  public long committedCount() {
    return committed.sum();
  }

  /** Commits that did nothing. */
  public long abortedCount() {
    return aborted.sum();
  }

  /** Times that work was run again. */
  public long retriedCount() {
    return retried.sum();
  }

  /** Commits whose outcome was found out by asking. */
  public long settledCount() {
    return settled.sum();
  }

  /** Commits whose outcome was not found out. */
  public long unknownCount() {
    return unknown.sum();
  }
}
