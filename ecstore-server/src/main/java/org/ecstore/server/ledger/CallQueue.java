package org.ecstore.server.ledger;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.ecstore.check.Check;

/**
 * Calls on their way to a thread, in order, with a weight each. The weight is held until the thread
 * gives it back; what does not fit is for the caller to refuse.
 */
final class CallQueue<C> {
  /** Refused calls weigh nothing, but have a place here until it is their turn to be answered. */
  private static final int CALLS_MAX = 1 << 20;

  private final long weightMax;
  private final ArrayDeque<C> calls = new ArrayDeque<>();
  private long weight;
  private boolean closed;

  CallQueue(long weightMax) {
    this.weightMax = weightMax;
  }

  /** What became of an offer. */
  enum Offer {
    TAKEN,
    FULL,
    CLOSED
  }

  /** Takes a call unless it is too heavy for what is held already; alone, any call fits. */
  synchronized Offer offer(C call, long callWeight) {
    if (closed) {
      return Offer.CLOSED;
    }
    Check.that(calls.size() < CALLS_MAX, "callers wait for results");
    if (callWeight > 0 && weight > 0 && callWeight > weightMax - weight) {
      return Offer.FULL;
    }
    weight += callWeight;
    calls.add(call);
    notifyAll();
    return Offer.TAKEN;
  }

  /** Gives back the weight of calls that are done. */
  synchronized void release(long callWeight) {
    weight -= callWeight;
  }

  /** Waits for calls and takes all there are; empty once the queue is closed and drained. */
  synchronized List<C> takeAll() {
    while (calls.isEmpty() && !closed) {
      try {
        wait();
      } catch (InterruptedException e) {
        // Would close the files under the thread's hands; no code does that.
        throw new Check.Failed("a thread of the ledger was interrupted");
      }
    }
    List<C> taken = new ArrayList<>(calls);
    calls.clear();
    return taken;
  }

  /** Takes no more calls. */
  synchronized void close() {
    closed = true;
    notifyAll();
  }
}
