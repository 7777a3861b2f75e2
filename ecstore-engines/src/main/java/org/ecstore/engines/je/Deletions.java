package org.ecstore.engines.je;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Tells a reader whether versions may have been deleted while it looked: counts the beginnings and
 * the ends of the changes that delete, so that it is odd while one is under way. One thread at a
 * time deletes; any may ask.
 */
final class Deletions {
  private final AtomicLong beginningsAndEnds = new AtomicLong();

  /** A moment to ask about later. */
  long now() {
    return beginningsAndEnds.get();
  }

  /** Whether nothing was deleted, or brought back by an abort, from that moment until now. */
  boolean noneSince(long moment) {
    return (moment & 1) == 0 && beginningsAndEnds.get() == moment;
  }

  /** Runs a change that deletes, from its first deletion to the end of its transaction. */
  void during(Runnable change) {
    beginningsAndEnds.incrementAndGet();
    try {
      change.run();
    } finally {
      beginningsAndEnds.incrementAndGet();
    }
  }
}
