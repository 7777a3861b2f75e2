package org.ecstore.server.fault;

import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.ecstore.core.port.Event;
import org.ecstore.core.port.Ledger;
import org.ecstore.core.port.LedgerResult;
import org.ecstore.id.NodeId;
import org.ecstore.id.Position;
import org.ecstore.server.ledger.LedgerExtent;
import org.ecstore.server.ledger.LedgerService;

/**
 * A ledger that nodes which are apart do not reach: their calls fail after a while, and nothing is
 * written. What was begun before is answered.
 */
public final class FaultyLedger implements LedgerService {
  private static final String OUT_OF_REACH = "the ledger is out of reach";

  private final LedgerService inner;
  private final ClusterFaults faults;

  /** One that is closed with this. */
  public FaultyLedger(LedgerService inner, ClusterFaults faults) {
    this.inner = inner;
    this.faults = faults;
  }

  @Override
  public Ledger handle(NodeId node, Consumer<Event> sink) {
    return new Way(node, sink);
  }

  @Override
  public Optional<LedgerExtent> extent() {
    return inner.extent();
  }

  @Override
  public void close() throws IOException {
    inner.close();
  }

  /** That of one node. */
  private final class Way implements Ledger {
    private final NodeId self;
    private final Consumer<Event> sink;
    private final Ledger reached;

    /** Appends that have reached the ledger and have no answer: they complete in order. */
    private final AtomicInteger underWay = new AtomicInteger();

    /**
     * An append did not reach it: none behind it may before the next fence. The event loop's own.
     */
    private boolean broken;

    Way(NodeId self, Consumer<Event> sink) {
      this.self = self;
      this.sink = sink;
      this.reached = inner.handle(self, this::done);
    }

    private void done(Event event) {
      if (event instanceof Event.LedgerDone(_, var result) && isOfAppend(result)) {
        underWay.decrementAndGet();
      }
      sink.accept(event);
    }

    private static boolean isOfAppend(LedgerResult result) {
      return result instanceof LedgerResult.Appended
          || result instanceof LedgerResult.AppendUnknown
          || result instanceof LedgerResult.Rejected;
    }

    private void failLater(long token) {
      faults.after(
          ClusterFaults.CALL,
          () -> sink.accept(new Event.LedgerDone(token, new LedgerResult.Failed(OUT_OF_REACH))));
    }

    @Override
    public void fence(long token) {
      broken = false;
      if (faults.isApart(self)) {
        failLater(token);
      } else {
        reached.fence(token);
      }
    }

    @Override
    public void cancel(long token) {
      reached.cancel(token);
    }

    @Override
    public void append(long token, LedgerEntry entry) {
      broken |= faults.isApart(self);
      if (broken) {
        loseLater(token);
      } else {
        underWay.incrementAndGet();
        reached.append(token, entry);
      }
    }

    private void loseLater(long token) {
      faults.after(
          ClusterFaults.CALL,
          () -> {
            if (underWay.get() > 0) {
              loseLater(token);
            } else {
              sink.accept(
                  new Event.LedgerDone(token, new LedgerResult.AppendUnknown(OUT_OF_REACH)));
            }
          });
    }

    @Override
    public boolean isLost() {
      return reached.isLost();
    }

    @Override
    public void read(long token, Position from, int bytesMax) {
      if (faults.isApart(self)) {
        failLater(token);
      } else {
        reached.read(token, from, bytesMax);
      }
    }

    @Override
    public void trim(long token, Position below) {
      if (faults.isApart(self)) {
        failLater(token);
      } else {
        reached.trim(token, below);
      }
    }
  }
}
