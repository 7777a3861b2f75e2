package org.ecstore.replication.copy;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.ecstore.core.map.RangeDescriptor;
import org.ecstore.core.port.Coordination.Member;
import org.ecstore.core.port.Engine.VersionedWrite;
import org.ecstore.core.runtime.NodeContext;
import org.ecstore.core.runtime.RuleSeam;
import org.ecstore.id.NodeId;
import org.ecstore.id.Position;
import org.ecstore.id.RangeId;
import org.ecstore.replication.message.ReplicationMessage.StreamAck;
import org.ecstore.replication.message.ReplicationMessage.StreamUpdate;
import org.ecstore.replication.view.LedgerView;

/**
 * The primary's end of the streams to its secondaries (rule 11): for each range it serves, the
 * writes that are readable here, in order of their numbers, and how far that is all.
 *
 * <p>One update at a time is on its way to each secondary; what comes meanwhile is gathered into
 * the next. So a slow secondary holds up only itself. Writes are kept until every secondary has
 * them, within a bound: who lags further behind is told where the range is closed, and reads the
 * ledger up to there ({@link CopyFollower}).
 */
public class CopyStreams {
  /**
   * What the streams of a node may take.
   *
   * @param updateBytesMax about what is sent at a time
   * @param keptBytesMax writes of a range that are kept until every secondary has them
   * @param keptTogetherBytesMax of all ranges together: while a secondary is away every range may
   *     keep what it lacks; what waits for a secondary's engine before it takes more is bounded by
   *     it too
   */
  public record Bounds(long updateBytesMax, long keptBytesMax, long keptTogetherBytesMax) {
    /** What is used where nothing else is said. */
    public static final Bounds DEFAULT = new Bounds(1 << 20, 8 << 20, 32 << 20);
  }

  /** A secondary has every commit to a range through a position. */
  public record Acknowledged(NodeId node, Position closed) {}

  /** One secondary of one range. */
  private static final class Stream {
    final NodeId to;

    /** How far it has closed, by its own word; absent until it has said so. */
    Optional<Position> acked = Optional.empty();

    /** The newest life of its node that is known here: what an earlier one said is void. */
    long incarnation;

    boolean underWay;
    long againNanos;

    Stream(NodeId to) {
      this.to = to;
    }
  }

  /** One range. */
  private static final class Source {
    final Copy copy;
    final List<Stream> streams;
    final KeptWrites kept;

    Source(Copy copy, List<Stream> streams, KeptWrites kept) {
      this.copy = copy;
      this.streams = streams;
      this.kept = kept;
    }

    /** Whether there is more to say than a heartbeat. */
    boolean isBusy() {
      return !kept.isEmpty() || streams.stream().anyMatch(stream -> stream.acked.isEmpty());
    }
  }

  private final NodeContext context;
  private final LedgerView ledgerView;
  private final CopyTable copies;
  private final long againNanos;
  private final Bounds bounds;
  private final KeptWrites.Together together = new KeptWrites.Together();
  private final Map<RangeId, Source> sources = new TreeMap<>();

  /** Those that have something to send, or soon will: a commit of one range costs no other. */
  private final Map<RangeId, Source> busy = new TreeMap<>();

  private boolean pumping;

  /**
   * The streams of a node.
   *
   * @param againNanos after which an update that was not acknowledged is sent again
   */
  public CopyStreams(
      NodeContext context,
      LedgerView ledgerView,
      CopyTable copies,
      long againNanos,
      Bounds bounds) {
    this.context = context;
    this.ledgerView = ledgerView;
    this.copies = copies;
    this.againNanos = againNanos;
    this.bounds = bounds;
  }

  /** A copy serves from now on. */
  public void acquired(Copy copy) {
    Optional<RangeDescriptor> range = ledgerView.map().range(copy.id());
    if (range.isPresent() && !range.get().secondaries().isEmpty()) {
      List<Stream> streams = range.get().secondaries().stream().map(Stream::new).toList();
      KeptWrites kept = new KeptWrites(copies.closed(copy), together);
      Source source = new Source(copy, streams, kept);
      Source before = sources.put(copy.id(), source);
      if (before != null) {
        before.kept.end();
      }
      pumpSoon(source);
    }
  }

  /** A copy answers nothing from now on. */
  public void retired(Copy copy) {
    Source source = sources.get(copy.id());
    if (source != null && source.copy == copy) {
      sources.remove(copy.id());
      busy.remove(copy.id());
      source.kept.end();
    }
  }

  /**
   * Writes of a commit are readable here. Called before the intent that holds back the closed
   * position goes.
   */
  public void applied(Copy copy, Position number, List<VersionedWrite> writes) {
    Source source = sources.get(copy.id());
    if (source == null || source.copy != copy) {
      return;
    }
    if (source.kept.add(number, writes)) {
      makeRoom(source);
      pumpSoon(source);
    }
  }

  /** Who lacks what is forgotten goes on from the ledger. */
  private void makeRoom(Source source) {
    source.kept.forgetUntil(bounds.keptBytesMax());
    if (together.bytes() > bounds.keptTogetherBytesMax()) {
      together.forgetUntil(
          bounds.keptTogetherBytesMax(), sources.values().stream().map(one -> one.kept).toList());
    }
  }

  private void pumpSoon(Source source) {
    busy.put(source.copy.id(), source);
    if (!pumping) {
      pumping = true;
      context.atFlush(
          () -> {
            pumping = false;
            busy.values().removeIf(one -> !one.isBusy());
            busy.values().forEach(one -> pump(one, false));
          });
    }
  }

  /** Says how far idle ranges are closed, and sends again what was lost. Called each tick. */
  public void heartbeat() {
    sources.values().forEach(source -> pump(source, true));
  }

  /** The same for one range. */
  public void heartbeat(Copy copy) {
    Source source = sources.get(copy.id());
    if (source != null && source.copy == copy) {
      pump(source, true);
    }
  }

  private void pump(Source source, boolean idle) {
    Position closed = closed(source.copy);
    for (Stream stream : source.streams) {
      if (!stream.underWay || stream.againNanos - context.nanos() <= 0) {
        StreamUpdate update = next(source, stream, closed);
        boolean says = !stream.acked.equals(Optional.of(update.closed()));
        if (says && (idle || stream.acked.isEmpty() || !update.writes().isEmpty())) {
          stream.underWay = true;
          stream.againNanos = context.nanos() + againNanos;
          context.send(stream.to, update);
        }
      }
    }
  }

  /** Rule 11: how far every write to the range is readable here, and none will be added. */
  @RuleSeam(11)
  protected Position closed(Copy copy) {
    return copies.closed(copy);
  }

  private StreamUpdate next(Source source, Stream stream, Position closed) {
    Copy copy = source.copy;
    Position previous = stream.acked.orElse(Position.ZERO);
    boolean known = stream.acked.isPresent();
    if (!known || isMissing(source.kept.from(), previous) || closed.isAtOrBelow(previous)) {
      return new StreamUpdate(copy.id(), copy.epoch(), closed, closed, List.of());
    }
    KeptWrites.Part part = source.kept.between(previous, closed, bounds.updateBytesMax());
    return new StreamUpdate(copy.id(), copy.epoch(), previous, part.through(), part.writes());
  }

  /** Whether a secondary lacks writes that are not kept any more. */
  @RuleSeam(11)
  protected boolean isMissing(Position from, Position acked) {
    return from.isAfter(acked);
  }

  /**
   * Who is there. A node that was started anew may have lost what it had: each secondary on it is
   * asked again how far it has closed, though nothing is committed that it would have to be told.
   */
  public void members(List<Member> members) {
    for (Source source : sources.values()) {
      for (Stream stream : source.streams) {
        for (Member member : members) {
          if (member.node().equals(stream.to) && member.incarnation() > stream.incarnation) {
            stream.incarnation = member.incarnation();
            stream.acked = Optional.empty();
            stream.underWay = false;
            pumpSoon(source);
          }
        }
      }
    }
  }

  /**
   * A secondary says how far it has closed; less than before if it has lost something.
   *
   * @param incarnation of its node as it said so
   */
  public void acknowledged(NodeId secondary, long incarnation, StreamAck ack) {
    Source source = sources.get(ack.range());
    if (source == null || !source.copy.epoch().equals(ack.epoch())) {
      return;
    }
    for (Stream stream : source.streams) {
      if (stream.to.equals(secondary) && incarnation >= stream.incarnation) {
        stream.incarnation = incarnation;
        stream.acked = Optional.of(ack.closed());
        stream.underWay = false;
      }
    }
    forget(source);
    pumpSoon(source);
  }

  /** How far each secondary of a copy that is served here has closed, by its own word. */
  public List<Acknowledged> acknowledged(Copy copy) {
    Source source = sources.get(copy.id());
    if (source == null || source.copy != copy) {
      return List.of();
    }
    return source.streams.stream()
        .filter(stream -> stream.acked.isPresent())
        .map(stream -> new Acknowledged(stream.to, stream.acked.orElseThrow()))
        .toList();
  }

  /** Drops what every secondary has. */
  private void forget(Source source) {
    source.streams.stream()
        .map(stream -> stream.acked.orElse(Position.ZERO))
        .min(Position::compareTo)
        .ifPresent(source.kept::forgetThrough);
  }
}
