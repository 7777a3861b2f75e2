package org.ecstore.txn.node;

import java.util.Optional;
import org.ecstore.core.port.Coordination.MemberInfo;
import org.ecstore.core.port.CoordinationResult;
import org.ecstore.core.port.EngineResult;
import org.ecstore.core.port.LedgerResult;
import org.ecstore.core.port.WrongPartsException;
import org.ecstore.core.runtime.NodeContext;
import org.ecstore.id.Position;
import org.ecstore.id.ReadPoint;
import org.ecstore.replication.copy.Holdings;
import org.ecstore.txn.sequencer.Sequencer;

/**
 * How a node starts: it announces itself, which gives its incarnation, reads what its engine has
 * noted, and finds that in the ledger. From then on it is ready to take part.
 */
final class NodeStart {
  private final NodeContext context;
  private final NodeSettings settings;
  private final NodeWiring wired;
  private final Runnable begun;
  private boolean recovered;
  private boolean ready;
  private boolean leading;

  /**
   * Of a node that has not been started.
   *
   * @param begun runs once, when it is ready
   */
  NodeStart(NodeWiring wired, NodeSettings settings, Runnable begun) {
    this.context = wired.context;
    this.settings = settings;
    this.wired = wired;
    this.begun = begun;
  }

  /** Whether the node takes part. */
  boolean isReady() {
    return ready;
  }

  /** Whether the node is said to lead: then it finds out about the ledger by its fence. */
  void leads(boolean now) {
    leading = now;
    if (leading && recovered) {
      begin();
    }
  }

  void announce() {
    context.coordination(
        token ->
            context
                .ports()
                .coordination()
                .join(
                    token,
                    context.self(),
                    new MemberInfo(settings.address(), settings.host(), settings.traits())),
        result -> {
          if (result instanceof CoordinationResult.Joined joined) {
            context.incarnation(joined.incarnation());
            recover();
          } else {
            context.after(settings.askNanos(), this::announce);
          }
        });
  }

  private void recover() {
    context.engine(
        token -> context.ports().engine().metadata(token),
        result -> {
          if (result instanceof EngineResult.Metadata metadata) {
            recovered(metadata);
          } else {
            context.after(settings.askNanos(), this::recover);
          }
        });
  }

  private void recovered(EngineResult.Metadata metadata) {
    Holdings held = Holdings.of(metadata.metadata());
    if (held.incarnation() >= context.incarnation()) {
      throw new WrongPartsException(
          ("coordination is older than the engine of %s: it gives incarnation %d, which the engine"
                  + " was used in before (it has had %d). Nothing was served. Restore coordination"
                  + " together with the engine; or take the engine's directory away, to be filled from"
                  + " the other copies")
              .formatted(context.self(), context.incarnation(), held.incarnation()));
    }
    wired.copies.load(metadata.metadata());
    wired.writer.load(held);
    wired.sequencer.mustReach(held.through());
    // What a killed process had written is there, but perhaps not on the disk yet: notes are
    // promises to others only once they are.
    wired.writer.sync(
        () -> {
          recovered = true;
          findInLedger(held.through());
        });
  }

  /**
   * The engine got what it holds from the ledger: what is not found there any more was lost, or the
   * ledger is another one. A ledger on bookies does not say at once how far it reaches, so the
   * sequencer is asked, which can tell only after an append begun then (rule 9). The node that
   * leads finds out by its fence.
   */
  private void findInLedger(Position through) {
    if (ready || leading || through.equals(Position.ZERO)) {
      begin();
      return;
    }
    context.ledger(
        token -> context.ports().ledger().read(token, through, 1),
        result -> {
          boolean found =
              result instanceof LedgerResult.Trimmed
                  || (result instanceof LedgerResult.Entries(var entries, var end)
                      && (!entries.isEmpty() || through.isAtOrBelow(end)));
          if (found) {
            begin();
          } else {
            wired.sequencerLink.strong(point -> foundOut(through, point));
          }
        });
  }

  private void foundOut(Position through, Optional<ReadPoint> durable) {
    if (ready || durable.isEmpty()) {
      context.after(settings.askNanos(), () -> findInLedger(through));
    } else if (through.isAtOrBelow(durable.get().position())) {
      begin();
    } else {
      throw Sequencer.ledgerTooShort(context.self(), through, durable.get().position());
    }
  }

  private void begin() {
    if (!ready) {
      ready = true;
      begun.run();
    }
  }
}
