package org.ecstore.replication.copy;

import java.util.function.Predicate;
import org.ecstore.core.runtime.NodeContext;
import org.ecstore.core.runtime.ParkedCalls;

/** Requests that wait for a copy to serve. */
public final class ServingWaits {
  private static final int WAITING_MAX = 10_000;

  private final NodeContext context;
  private final ParkedCalls<Copy> waiting = new ParkedCalls<>(WAITING_MAX);

  ServingWaits(NodeContext context) {
    this.context = context;
  }

  /**
   * Waits for a copy that does not serve yet.
   *
   * @param changed runs when the copy starts to serve or is retired
   * @param late runs after the deadline, or at once if too many wait
   */
  public void await(Copy copy, long untilNanos, Runnable changed, Runnable late) {
    waiting.park(copy, untilNanos, changed, late);
  }

  /** A copy serves, or is retired: it is not one of the node's any more. */
  void wake(Predicate<Copy> isCurrent) {
    waiting.wake(copy -> copy.serving() || !isCurrent.test(copy));
  }

  /** Ends what has waited too long. Called from time to time. */
  public void expire() {
    waiting.expire(context.nanos());
  }

  /** How many wait. */
  public int size() {
    return waiting.size();
  }
}
