package org.ecstore.replication.copy;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import org.ecstore.core.lane.Lane;
import org.ecstore.core.port.Engine.ScanSpec;
import org.ecstore.core.port.EngineResult;
import org.ecstore.id.NodeId;
import org.ecstore.id.Position;
import org.ecstore.key.Bytes;
import org.ecstore.replication.message.ReplicationMessage.CopyChunk;
import org.ecstore.replication.message.ReplicationMessage.CopyFetch;
import org.ecstore.replication.message.ReplicationMessage.CopyRefused;
import org.ecstore.replication.message.ReplicationMessage.MiddleReply;
import org.ecstore.replication.message.ReplicationMessage.MiddleRequest;

/**
 * Sends this node's copies to nodes that build their own. The stamp of a transfer is the closed
 * position read before the first engine snapshot (rule 10); while a transfer lasts its stamp is
 * pinned, so that neither versions nor ledger records above it go away.
 */
public class CopySource {
  private static final int CHUNK_RECORDS = 10_000;
  private static final int CHUNK_BYTES = 1 << 20;

  private record Pin(Position stamp, long untilNanos) {}

  private final Lane lane;
  private final CopyTable copies;
  private final long pinNanos;
  private final Map<Long, Pin> pins = new TreeMap<>();

  public CopySource(Lane lane, CopyTable copies, long pinNanos) {
    this.lane = lane;
    this.copies = copies;
    this.pinNanos = pinNanos;
  }

  /** Answers one fetch. */
  public void fetch(NodeId from, CopyFetch fetch) {
    Optional<Copy> found = copies.find(fetch.range(), fetch.epoch());
    if (found.isEmpty() || !found.get().live()) {
      lane.send(from, new CopyRefused(fetch.call(), "no serving copy of " + fetch.range()));
      return;
    }
    Copy copy = found.get();
    Position stamp = fetch.stamp().orElseGet(() -> copies.closed(copy));
    if (copy.base().isAfter(stamp) || stamp.isAfter(copies.closed(copy))) {
      lane.send(from, new CopyRefused(fetch.call(), "the copy does not answer at the stamp"));
      return;
    }
    if (!copy.keys().contains(fetch.rest())) {
      lane.send(from, new CopyRefused(fetch.call(), "not all of it is in " + fetch.range()));
      return;
    }
    pins.put(fetch.transfer(), new Pin(stamp, lane.nanos() + pinNanos));
    lane.engine(
        token ->
            lane.ports()
                .engine()
                .scan(
                    token,
                    new ScanSpec(fetch.rest(), stamp, false, CHUNK_RECORDS, CHUNK_BYTES, false)),
        result -> {
          if (result instanceof EngineResult.Rows rows
              && isStillHere(copy)
              && copy.base().isAtOrBelow(stamp)) {
            lane.send(from, new CopyChunk(fetch.call(), stamp, rows.rows(), rows.complete()));
          } else if (!(result instanceof EngineResult.Overloaded)) {
            // Of an overloaded engine nothing is said: who hears nothing asks again.
            lane.send(from, new CopyRefused(fetch.call(), "the copy went away"));
          }
        });
  }

  /**
   * Rule 17: bounds are checked again after the engine snapshot. A copy's never change: what was
   * split, merged or moved meanwhile is another copy.
   */
  protected boolean isStillHere(Copy copy) {
    return copies.isCurrent(copy);
  }

  /** A transfer is over. */
  public void done(long transfer) {
    pins.remove(transfer);
  }

  /**
   * Names a key that halves a copy.
   *
   * @param byLoad what halves its load, if that is asked for and known
   */
  public void middle(NodeId from, MiddleRequest request, Function<Copy, Optional<Bytes>> byLoad) {
    Optional<Copy> found = copies.find(request.range(), request.epoch());
    if (found.isEmpty() || !found.get().serving()) {
      lane.send(from, new CopyRefused(request.call(), "no serving copy of " + request.range()));
      return;
    }
    Optional<Bytes> known = request.byLoad() ? byLoad.apply(found.get()) : Optional.empty();
    if (known.isPresent()) {
      lane.send(from, new MiddleReply(request.call(), known));
      return;
    }
    lane.engine(
        token -> lane.ports().engine().middle(token, found.get().keys()),
        result ->
            lane.send(
                from,
                result instanceof EngineResult.Middle middle
                    ? new MiddleReply(request.call(), middle.key())
                    : new CopyRefused(request.call(), "the engine does not answer")));
  }

  /** The lowest stamp that a transfer still needs. */
  public Optional<Position> leastPin() {
    long now = lane.nanos();
    pins.values().removeIf(pin -> pin.untilNanos() - now <= 0);
    return pins.values().stream().map(Pin::stamp).min(Position::compareTo);
  }
}
