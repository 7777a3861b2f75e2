package org.ecstore.replication.view;

import org.ecstore.core.port.LedgerResult;
import org.ecstore.core.runtime.NodeContext;
import org.ecstore.id.Position;

/**
 * How far the ledger goes by what the ledger itself has said on this node. What other nodes say of
 * D is believed up to a number of positions beyond; the ledger is asked about what is further
 * (decision 0035). So no message, however it came in, takes a node far from where the ledger is.
 */
final class LedgerEvidence {
  /** What is asked about fits into any adapter's arithmetic. */
  private static final long ASKED_MAX = 1L << 62;

  private final NodeContext context;
  private final long unprovenMax;
  private final long askAgainNanos;
  private Position end = Position.ZERO;
  private boolean asking;

  LedgerEvidence(NodeContext context, long unprovenMax, long askAgainNanos) {
    this.context = context;
    this.unprovenMax = unprovenMax;
    this.askAgainNanos = askAgainNanos;
  }

  /** The ledger has this position. */
  void proven(Position position) {
    end = Position.max(end, position);
  }

  /** Whether the ledger has a position, by what it has said. */
  boolean has(Position position) {
    return position.isAtOrBelow(end);
  }

  /** Whether a position may be believed without asking. */
  boolean allows(Position position) {
    return ahead(position) <= unprovenMax;
  }

  /** Whether it is time to ask, so that no position to come has to wait. */
  boolean isOld(Position adopted) {
    return ahead(adopted) > unprovenMax / 2;
  }

  private long ahead(Position position) {
    return position.value() - end.value();
  }

  /** Asks the ledger, once at a time, and runs an action when it goes further than was known. */
  void ask(Position claimed, Runnable grown) {
    if (asking) {
      return;
    }
    asking = true;
    Position from = new Position(Math.min(claimed.value(), ASKED_MAX));
    context.ledger(
        token -> context.ports().ledger().read(token, from, 1),
        result -> {
          Position before = end;
          take(result);
          if (end.isAfter(before)) {
            asking = false;
            grown.run();
          } else {
            // Whatever was claimed is not there: what claims it again is not worth a read each.
            context.after(askAgainNanos, () -> asking = false);
          }
        });
  }

  private void take(LedgerResult result) {
    switch (result) {
      case LedgerResult.Entries(var entries, var last) -> {
        proven(last);
        if (!entries.isEmpty()) {
          proven(entries.getLast().last());
        }
      }
      // What is gone was there.
      case LedgerResult.Trimmed(var first) -> proven(new Position(first.value() - 1));
      case LedgerResult.Fenced _,
          LedgerResult.Appended _,
          LedgerResult.AppendUnknown _,
          LedgerResult.Rejected _,
          LedgerResult.TrimDone _,
          LedgerResult.Failed _ -> {}
    }
  }
}
