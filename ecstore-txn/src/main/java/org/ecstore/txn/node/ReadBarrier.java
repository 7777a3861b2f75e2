package org.ecstore.txn.node;

import java.util.function.Consumer;
import org.ecstore.core.runtime.NodeContext;
import org.ecstore.id.ReadPoint;
import org.ecstore.model.RefusalCode;
import org.ecstore.protocol.ClientReply;
import org.ecstore.replication.view.LedgerView;
import org.ecstore.txn.sequencer.SequencerLink;

/**
 * Positions that come from clients: believed only when this node's D covers them; where it does not
 * yet, the sequencer is asked, once for all who wait (rule 9).
 */
public final class ReadBarrier {
  /** What a client is told whose position did not come. */
  static final ClientReply.Refused NOT_REACHED =
      new ClientReply.Refused(
          RefusalCode.UNAVAILABLE, "this node has not reached the position yet");

  private static final ClientReply.Refused TOO_MANY =
      new ClientReply.Refused(
          // What is waited for is another node: those who try again until it is there are right to.
          RefusalCode.UNAVAILABLE, "too many requests wait for positions on this node");

  private static final int WAITING_MAX = 5_000;
  private static final long BREATH_NANOS = 1_000_000L;
  private static final long PAUSE_NANOS = 10_000_000L;

  private final NodeContext context;
  private final LedgerView ledgerView;
  private final SequencerLink sequencer;
  private long untilNanos;
  private boolean asking;
  private int waiting;

  /** Those of a node. */
  public ReadBarrier(NodeContext context, LedgerView ledgerView, SequencerLink sequencer) {
    this.context = context;
    this.ledgerView = ledgerView;
    this.sequencer = sequencer;
  }

  /**
   * Runs {@code ready} once D covers the point; refuses if it does not until the deadline, or at
   * once if too many wait.
   */
  public void reach(
      ReadPoint point, long until, Runnable ready, Consumer<ClientReply.Refused> refused) {
    if (ledgerView.covers(point)) {
      ready.run();
      return;
    }
    if (waiting >= WAITING_MAX) {
      refused.accept(TOO_MANY);
      return;
    }
    waiting++;
    ledgerView.await(
        point, until, () -> ended(ready), () -> ended(() -> refused.accept(NOT_REACHED)));
    if (waiting == 1 || until - untilNanos > 0) {
      untilNanos = until;
    }
    if (!asking) {
      asking = true;
      confirm();
    }
  }

  private void ended(Runnable then) {
    waiting--;
    then.run();
  }

  /**
   * One question at a time, for the position after D: if that is durable the reply's pair brings D
   * as far as the sequencer's. So a position that no record will ever reach does not hide those
   * that exist.
   */
  private void confirm() {
    sequencer.confirm(
        ledgerView.adopted().position().next(),
        granted -> {
          if (waiting > 0 && untilNanos - context.nanos() > 0) {
            context.after(granted.isPresent() ? BREATH_NANOS : PAUSE_NANOS, this::confirm);
          } else {
            asking = false;
          }
        });
  }
}
