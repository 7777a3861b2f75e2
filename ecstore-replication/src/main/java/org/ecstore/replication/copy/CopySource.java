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
 * position read before its first engine snapshot (rule 10). While a transfer lasts its stamp is
 * pinned, so that the ledger keeps the records above it.
 *
 * <p>Nothing keeps the versions that the stamp reads (rule W7, decision 0078): folds go on, and the
 * version floor moves. A chunk is read at the stamp as long as the copy answers there. From then on
 * each is read where the copy is closed by then, and says so; the ledger brings the rows of all
 * chunks to one position at the receiver. So a transfer ends whatever the rate of updates.
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

    private static final int PARTS_MAX = 16;

    private Bounds times(double part) {
      return new Bounds((int) Math.max(1, recordsMax * part), (int) Math.max(1, bytesMax * part));
    }

    /**
     * For a node that has a part of a processor: what a processor would do at once holds its
     * clients back for that much longer (decision 0127). A sixteenth at least, as each chunk is a
     * request.
     *
     * @param processors that the node has; 1 and more change nothing
     */
    public Bounds part(double processors) {
      return times(Math.clamp(processors, 1.0 / PARTS_MAX, 1));
    }
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
    Position closed = copies.closed(copy);
    boolean isBehind = fetch.stamp().filter(stamp -> stamp.isAfter(closed)).isPresent();
    if (isBehind || copy.base().isAfter(closed)) {
      context.send(from, new CopyRefused(fetch.call(), "the copy does not answer at the stamp"));
      return;
    }
    if (!copy.keys().contains(fetch.rest())) {
      context.send(from, new CopyRefused(fetch.call(), "not all of it is in " + fetch.range()));
      return;
    }
    Position stamp = fetch.stamp().orElseGet(() -> stamp(copy));
    if (!pins.pin(from, fetch.transfer(), stamp, context.nanos())) {
      context.send(from, new CopyRefused(fetch.call(), "too many copies are being fetched"));
      return;
    }
    read(from, fetch, copy, stamp, bounds);
  }

  private void read(NodeId from, CopyFetch fetch, Copy copy, Position stamp, Bounds most) {
    Position at = answers(copy, stamp) ? stamp : stamp(copy);
    ScanSpec spec =
        new ScanSpec(fetch.rest(), at, false, most.recordsMax(), most.bytesMax(), false);
    context.engine(
        token -> context.ports().engine().scan(token, spec),
        result -> {
          if (result instanceof EngineResult.Rows rows && isStillHere(copy)) {
            context.send(from, new CopyChunk(fetch.call(), at, rows.rows(), rows.complete()));
          } else if (result instanceof EngineResult.TooOld && isStillHere(copy)) {
            overtaken(from, fetch, copy, stamp, most);
          } else if (!(result instanceof EngineResult.Overloaded)) {
            // Of an overloaded engine nothing is said: the receiver hears nothing and asks again.
            context.send(from, new CopyRefused(fetch.call(), "the copy went away"));
          }
        });
  }

  /**
   * A round of folds has begun after the read and has come to this copy before it ended: half as
   * many rows take half as long. An engine in which one row takes longer than a round is
   * overloaded.
   */
  private void overtaken(NodeId from, CopyFetch fetch, Copy copy, Position stamp, Bounds most) {
    if (most.recordsMax() > 1) {
      read(from, fetch, copy, stamp, most.times(0.5));
    }
  }

  /** Rule 10: what is read is all there, and none is added: a copy is read where it is closed. */
  @RuleSeam(10)
  protected Position stamp(Copy copy) {
    return copies.closed(copy);
  }

  /** Rule W7: whether a transfer goes on at its stamp, for versions as of there are not folded. */
  @RuleSeam(10)
  protected boolean answers(Copy copy, Position stamp) {
    return copy.base().isAtOrBelow(stamp);
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
