package org.ecstore.txn.node;

import org.ecstore.core.port.CoordinationResult;
import org.ecstore.core.runtime.NodeContext;

/**
 * Keeps a node that was drained from leading: its process runs on, and others are there to be
 * sequencer and steward. Who leads is a hint (rule 6), so this makes nothing unsafe; and where no
 * other node is there the node leads all the same.
 */
final class StandingBack {
  /** So long one leads that had to, before it looks whether others are there again. */
  private static final long AGAIN_NANOS = 60_000_000_000L;

  private final NodeContext context;
  private boolean asking;
  private boolean done;
  private long againNanos;

  StandingBack(NodeContext context) {
    this.context = context;
  }

  /**
   * Called every {@link NodeSettings#askNanos}.
   *
   * @param drained whether this node has nothing, by command
   * @param leads whether it is said to lead
   * @param alone whether it is the only member
   */
  void tend(boolean drained, boolean leads, boolean alone) {
    if (!drained) {
      done = false;
      return;
    }
    boolean enough = done && (!leads || againNanos - context.nanos() > 0);
    if (asking || alone || enough) {
      return;
    }
    asking = true;
    context.coordination(
        token -> context.ports().coordination().standBack(token),
        result -> {
          asking = false;
          if (result instanceof CoordinationResult.Leader) {
            done = true;
            againNanos = context.nanos() + AGAIN_NANOS;
          }
        });
  }
}
