package org.ecstore.replication.copy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.ecstore.core.port.Engine.VersionedWrite;
import org.ecstore.core.runtime.NodeContext;
import org.ecstore.core.runtime.RuleSeam;
import org.ecstore.id.NodeId;
import org.ecstore.id.Position;
import org.ecstore.id.RangeId;
import org.ecstore.replication.message.ReplicationMessage.StreamAck;
import org.ecstore.replication.message.ReplicationMessage.StreamUpdate;

/**
 * The secondary's end of a stream (rule 11). An update counts if it goes on from this copy's closed
 * position or from below it; then the copy is closed where the update ends, once its writes are
 * readable. After a gap the copy reads what it misses from the ledger by itself and says when it is
 * there: the primary has no work with who lags behind. After a restart it does so at once, all
 * copies of its node together: by itself each stream would say so at another moment, and each copy
 * read by itself what all of them need.
 */
public class CopyFollower {
  private static final int EARLY_MAX = 1_000;

  private final NodeContext context;
  private final CopyTable copies;
  private final EngineWriter writer;
  private final long waitingBytesMax;
  private long waitingBytes;
  private final List<Listener> listeners = new ArrayList<>();

  /** The newest update of each range that came before the map which makes it a copy's here. */
  private final Map<RangeId, Early> early = new TreeMap<>();

  private record Early(NodeId primary, StreamUpdate update) {}

  /** Told what streams make readable in a following copy. */
  public interface Listener {
    /** Writes are readable; the copy is closed at or above them right after. */
    void followed(Copy copy, List<VersionedWrite> writes);
  }

  /**
   * The secondary's ends of the streams to a node.
   *
   * @param waitingBytesMax no update with writes is taken while more of them waits for the engine,
   *     in bytes; what the engine has to write beside them does not count, or a node that is busy
   *     with ranges of its own would follow none
   */
  public CopyFollower(
      NodeContext context, CopyTable copies, EngineWriter writer, long waitingBytesMax) {
    this.context = context;
    this.copies = copies;
    this.writer = writer;
    this.waitingBytesMax = waitingBytesMax;
  }

  /** Adds a listener, before the first update. */
  public void listen(Listener listener) {
    listeners.add(listener);
  }

  /**
   * Takes an update. One for a copy that is not here is dropped: it comes again. The first one of
   * an epoch may well come before the map, which its node asks the primary for: it waits for that,
   * or the copy would lag until it is said again, and in memory be lost each time by then.
   */
  public void update(NodeId primary, StreamUpdate update) {
    if (copies.isAhead(update.epoch())) {
      if (update.writes().isEmpty() && early.size() < EARLY_MAX) {
        early.put(update.range(), new Early(primary, update));
      }
      return;
    }
    Optional<Copy> found = copies.find(update.range(), update.epoch()).filter(Copy::following);
    if (found.isEmpty() || copies.isCatchingUp(found.get())) {
      return;
    }
    Copy copy = found.get();
    if (isContiguous(copy, update)) {
      take(primary, copy, update);
    } else {
      copies.catchUp(copy, update.previous(), () -> ack(primary, copy));
    }
  }

  /** Copies are held against another map: what came before it is taken now. */
  public void mapChanged() {
    for (CopyTable.Returned back : copies.takeReturned()) {
      copies.catchUp(back.copy(), back.through(), () -> ack(back.primary(), back.copy()));
    }
    List<Early> waiting = List.copyOf(early.values());
    early.clear();
    waiting.forEach(one -> update(one.primary(), one.update()));
  }

  /**
   * What the engine has not written yet comes again and again: it is taken once, or a slow engine
   * would have ever more to write. What is taken is acknowledged when it is readable.
   */
  private void take(NodeId primary, Copy copy, StreamUpdate update) {
    boolean isWaiting = copy.streamed().isAfter(copy.closed());
    boolean isTaken = isWaiting && update.closed().isAtOrBelow(copy.streamed());
    if (isTaken || (!update.writes().isEmpty() && !hasRoom(copy))) {
      return;
    }
    Position taken = Position.max(copy.closed(), copy.streamed());
    List<VersionedWrite> fresh =
        update.writes().stream().filter(write -> write.version().isAfter(taken)).toList();
    copy.streamed(update.closed());
    long bytes = fresh.stream().mapToLong(VersionedWrite::bytes).sum();
    waitingBytes += bytes;
    apply(
        fresh,
        () -> {
          waitingBytes -= bytes;
          closed(primary, copy, update, fresh);
        });
  }

  private boolean hasRoom(Copy copy) {
    boolean isFull = context.ports().engine().fill() > 1 && copy.isWhole();
    return waitingBytes <= waitingBytesMax && !copy.room().waits(isFull, copies.folds());
  }

  /** Rule 11: the copy is closed there only when the writes are readable. */
  @RuleSeam(11)
  protected void apply(List<VersionedWrite> writes, Runnable close) {
    writer.apply(writes, List.of(), close);
  }

  /** Rule 11: whether nothing is missing between what is here and what comes. */
  @RuleSeam(11)
  protected boolean isContiguous(Copy copy, StreamUpdate update) {
    return update.previous().isAtOrBelow(copy.closed());
  }

  private void closed(NodeId primary, Copy copy, StreamUpdate update, List<VersionedWrite> fresh) {
    if (copies.isCurrent(copy)) {
      listeners.forEach(listener -> listener.followed(copy, fresh));
      copy.close(update.closed());
      ack(primary, copy);
    }
  }

  private void ack(NodeId primary, Copy copy) {
    if (copies.isCurrent(copy)) {
      context.send(primary, new StreamAck(copy.id(), copy.epoch(), copy.closed()));
    }
  }
}
