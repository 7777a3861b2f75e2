package org.ecstore.replication.copy;

import java.util.Optional;
import java.util.function.Function;
import org.ecstore.core.port.Engine.ScanSpec;
import org.ecstore.core.port.EngineResult;
import org.ecstore.core.runtime.NodeContext;
import org.ecstore.core.runtime.RuleSeam;
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
  /**
   * What is sent at a time.
   *
   * @param recordsMax rows
   * @param bytesMax about their bytes
   */
  public record Bounds(int recordsMax, int bytesMax) {
    /** What is used where nothing else is said. */
    public static final Bounds DEFAULT = new Bounds(10_000, 1 << 20);
  }

  private final NodeContext context;
  private final CopyTable copies;
  private final TransferPins pins;
  private final Bounds bounds;

  /**
   * The source of a node's copies.
   *
   * @param pinNanos how long a transfer that is not heard of keeps its stamp
   */
  public CopySource(NodeContext context, CopyTable copies, long pinNanos, Bounds bounds) {
    this.context = context;
    this.copies = copies;
    this.pins = new TransferPins(pinNanos);
    this.bounds = bounds;
  }

  /** Answers one fetch. */
  public void fetch(NodeId from, CopyFetch fetch) {
    Optional<Copy> found = copies.find(fetch.range(), fetch.epoch());
    if (found.isEmpty() || !found.get().live()) {
      context.send(from, new CopyRefused(fetch.call(), "no serving copy of " + fetch.range()));
      return;
    }
    Copy copy = found.get();
    Position stamp = stamp(copy, fetch);
    if (copy.base().isAfter(stamp) || stamp.isAfter(copies.closed(copy))) {
      context.send(from, new CopyRefused(fetch.call(), "the copy does not answer at the stamp"));
      return;
    }
    if (!copy.keys().contains(fetch.rest())) {
      context.send(from, new CopyRefused(fetch.call(), "not all of it is in " + fetch.range()));
      return;
    }
    if (!pins.pin(from, fetch.transfer(), stamp, context.nanos())) {
      context.send(from, new CopyRefused(fetch.call(), "too many copies are being fetched"));
      return;
    }
    context.engine(
        token ->
            context
                .ports()
                .engine()
                .scan(
                    token,
                    new ScanSpec(
                        fetch.rest(), stamp, false, bounds.recordsMax(), bounds.bytesMax(), false)),
        result -> {
          if (result instanceof EngineResult.Rows rows
              && isStillHere(copy)
              && copy.base().isAtOrBelow(stamp)) {
            context.send(from, new CopyChunk(fetch.call(), stamp, rows.rows(), rows.complete()));
          } else if (!(result instanceof EngineResult.Overloaded)) {
            // Of an overloaded engine nothing is said: who hears nothing asks again.
            context.send(from, new CopyRefused(fetch.call(), "the copy went away"));
          }
        });
  }

  /** Rule 10: all of a transfer is read at the stamp that its first fetch was given. */
  @RuleSeam(10)
  protected Position stamp(Copy copy, CopyFetch fetch) {
    return fetch.stamp().orElseGet(() -> copies.closed(copy));
  }

  /**
   * Rule 17: bounds are checked again after the engine snapshot. A copy's never change: what was
   * split, merged or moved meanwhile is another copy.
   */
  @RuleSeam(17)
  protected boolean isStillHere(Copy copy) {
    return copies.isCurrent(copy);
  }

  /** A transfer to a node is over. */
  public void done(NodeId receiver, long transfer) {
    pins.done(receiver, transfer);
  }

  /**
   * Names a key that halves a copy.
   *
   * @param byLoad what halves its load, if that is asked for and known
   */
  public void middle(NodeId from, MiddleRequest request, Function<Copy, Optional<Bytes>> byLoad) {
    Optional<Copy> found = copies.find(request.range(), request.epoch());
    if (found.isEmpty() || !found.get().serving()) {
      context.send(from, new CopyRefused(request.call(), "no serving copy of " + request.range()));
      return;
    }
    Optional<Bytes> known = request.byLoad() ? byLoad.apply(found.get()) : Optional.empty();
    if (known.isPresent()) {
      context.send(from, new MiddleReply(request.call(), known));
      return;
    }
    context.engine(
        token -> context.ports().engine().middle(token, found.get().keys()),
        result ->
            context.send(
                from,
                result instanceof EngineResult.Middle middle
                    ? new MiddleReply(request.call(), middle.key())
                    : new CopyRefused(request.call(), "the engine does not answer")));
  }

  /** The lowest stamp that a transfer still needs. */
  public Optional<Position> leastPin() {
    return pins.least(context.nanos());
  }
}
