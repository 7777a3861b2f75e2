package org.ecstore.txn.node;

import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.ecstore.core.metrics.Instrument;
import org.ecstore.core.metrics.MetricSeries;
import org.ecstore.core.metrics.NodeMetrics;
import org.ecstore.core.metrics.TaggedInstrument;
import org.ecstore.core.port.Engine.ScanSpec;
import org.ecstore.core.runtime.NodeContext;
import org.ecstore.id.NodeId;
import org.ecstore.id.Position;
import org.ecstore.id.ReadPoint;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.model.CopyRole;
import org.ecstore.model.RefusalCode;
import org.ecstore.model.Route;
import org.ecstore.model.Row;
import org.ecstore.protocol.ClientReply;
import org.ecstore.protocol.ClientRequest;
import org.ecstore.replication.copy.Copy;
import org.ecstore.replication.copy.SplitPoints;
import org.ecstore.replication.hotspot.HotReplicaStreams;
import org.ecstore.replication.hotspot.HotReplicas;
import org.ecstore.replication.read.ReadOutcome;
import org.ecstore.replication.read.SnapshotReads;
import org.ecstore.wire.Limits;

/**
 * Answers what clients read (rules 10, 18). A primary answers once this node's D covers the
 * position. A copy that follows is asked at once: its closed position says what it knows, with a
 * sequencer or without, and if that is too little the client is told so instead of kept waiting.
 */
final class ReadHandler {
  private static final int SCAN_RECORDS_MAX = 10_000;

  /** What is found of records takes the time of the engine's readers. */
  private static final int AGGREGATE_RECORDS_MAX = 4_096;

  private static final int AGGREGATE_BYTES_MAX = 256 << 10;

  /** A scan is long that wants more after so many records, or after as many as one answer holds. */
  private static final int LONG_RECORDS = 64;

  private static final int CUT_BYTES_MAX = 16 << 10;

  private final NodeContext context;
  private final NodeSettings settings;
  private final SnapshotReads reads;
  private final ReadBarrier positions;
  private final KeyLocator locator;
  private final HotReplicas hotReplicas;
  private final SplitPoints splitPoints;
  private final Consumer<Copy> counted;
  private final TaggedInstrument<CopyRole> answered;
  private final Instrument behind;

  ReadHandler(
      NodeContext context,
      NodeSettings settings,
      SnapshotReads reads,
      ReadBarrier positions,
      KeyLocator locator,
      HotReplicas hotReplicas,
      SplitPoints splitPoints,
      Consumer<Copy> counted) {
    this.context = context;
    this.settings = settings;
    this.reads = reads;
    this.positions = positions;
    this.locator = locator;
    this.hotReplicas = hotReplicas;
    this.splitPoints = splitPoints;
    this.counted = counted;
    this.answered = new TaggedInstrument<>(context.metrics(), NodeMetrics.READS, CopyRole.class);
    this.behind = context.metrics().of(new MetricSeries(NodeMetrics.READS_BEHIND));
  }

  private long until() {
    return context.nanos() + settings.requestNanos();
  }

  private static void refuse(Consumer<ClientReply> then, RefusalCode code, String detail) {
    then.accept(new ClientReply.Refused(code, detail));
  }

  /** How far the copy that would answer a read is closed here, unless it is a primary. */
  Optional<Position> closedHere(ClientRequest.Read read) {
    Optional<Copy> copy = reads.live(read.range(), read.epoch());
    return copy.isPresent()
        ? copy.filter(Copy::following).map(Copy::closed)
        : hotReplicas.host().closed(read.range(), read.epoch());
  }

  /** Answers a read. */
  void read(ClientRequest.Read read, Consumer<ClientReply> then) {
    switch (read) {
      case ClientRequest.Get get -> get(get, then);
      case ClientRequest.Scan scan -> scan(scan, then);
    }
  }

  private void reach(
      ReadPoint point, SnapshotReads.At at, Consumer<ClientReply> then, Runnable read) {
    if (reads.follows(at.range(), at.epoch())) {
      read.run();
    } else {
      positions.reach(point, at.untilNanos(), read, then::accept);
    }
  }

  private void get(ClientRequest.Get get, Consumer<ClientReply> then) {
    SnapshotReads.At at =
        new SnapshotReads.At(get.range(), get.epoch(), get.point().position(), until());
    Consumer<ReadOutcome> answer =
        outcome -> {
          if (outcome instanceof ReadOutcome.Values values) {
            answered.of(values.source().role()).count();
            then.accept(values(values));
          } else {
            failed(then, outcome, () -> locator.routes(get.keys()));
          }
        };
    Optional<Copy> copy = reads.live(get.range(), get.epoch());
    Optional<ReadOutcome> hotReplica =
        copy.isPresent()
            ? Optional.empty()
            : hotReplicas.host().get(get.range(), get.epoch(), get.keys(), at.snapshot());
    if (hotReplica.isPresent()) {
      answer.accept(hotReplica.get());
    } else if (get.keys().isEmpty()
        || !shared(then, copy, KeyRange.spanning(get.keys()), at, get.mayRedirect())) {
      reach(get.point(), at, then, () -> reads.get(at, get.keys(), answer));
    }
  }

  /** Counts a read, and sends it on to a hot-spot replica where that is better (rule 26). */
  private boolean shared(
      Consumer<ClientReply> then,
      Optional<Copy> copy,
      KeyRange span,
      SnapshotReads.At at,
      boolean mayRedirect) {
    if (copy.isEmpty()) {
      return false;
    }
    Optional<HotReplicaStreams.View> other =
        mayRedirect ? hotReplicas.redirect(copy.get(), span, at.snapshot()) : Optional.empty();
    if (other.isEmpty()) {
      hotReplicas.read(copy.get(), span);
      counted.accept(copy.get());
      return false;
    }
    NodeId node = other.get().node();
    then.accept(new ClientReply.Redirect(node, locator.address(node), other.get().keys()));
    return true;
  }

  /** A copy in memory answers for all keys: as many go into one answer as of one on disk. */
  private static ClientReply values(ReadOutcome.Values values) {
    List<Optional<Row>> rows = values.rows();
    long bytes = 0;
    for (int i = 0; i < rows.size(); i++) {
      bytes += rows.get(i).map(row -> row.key().length() + row.value().length()).orElse(0);
      if (bytes >= Limits.GET_BYTES_MAX) {
        return new ClientReply.Values(rows.subList(0, i + 1), values.source());
      }
    }
    return new ClientReply.Values(rows, values.source());
  }

  private void scan(ClientRequest.Scan scan, Consumer<ClientReply> then) {
    SnapshotReads.At at =
        new SnapshotReads.At(scan.range(), scan.epoch(), scan.point().position(), until());
    ScanSpec spec =
        new ScanSpec(
            scan.interval(),
            scan.point().position(),
            scan.reverse(),
            Math.max(1, Math.min(scan.recordsMax(), recordsMax(scan))),
            scan.aggregate().isPresent() ? AGGREGATE_BYTES_MAX : Limits.SCAN_BYTES_MAX,
            scan.keysOnly(),
            scan.aggregate());
    Optional<Copy> copy = reads.live(scan.range(), scan.epoch());
    Consumer<ReadOutcome> answer =
        outcome -> {
          if (outcome instanceof ReadOutcome.Rows rows
              && (rows.complete() || rows.last().isPresent())) {
            answered.of(rows.source().role()).count();
            then.accept(
                new ClientReply.Scanned(
                    rows.rows(),
                    covered(scan, rows),
                    rows.source(),
                    splitKeys(scan, copy, rows),
                    rows.aggregatedThrough().isPresent()));
          } else {
            failed(then, outcome, () -> locator.routes(scan.interval()));
          }
        };
    Optional<ReadOutcome> hotReplica =
        copy.isPresent()
            ? Optional.empty()
            : hotReplicas.host().scan(scan.range(), scan.epoch(), spec);
    if (hotReplica.isPresent()) {
      answer.accept(hotReplica.get());
    } else if (!shared(then, copy, scan.interval(), at, scan.mayRedirect())) {
      reach(scan.point(), at, then, () -> reads.scan(at, spec, answer));
    }
  }

  private static int recordsMax(ClientRequest.Scan scan) {
    return scan.aggregate().isPresent() ? AGGREGATE_RECORDS_MAX : SCAN_RECORDS_MAX;
  }

  /** The part of the interval that the rows are all of. */
  private static KeyRange covered(ClientRequest.Scan scan, ReadOutcome.Rows rows) {
    if (rows.complete()) {
      return scan.interval();
    }
    Bytes last = rows.last().orElseThrow();
    return scan.reverse()
        ? KeyRange.between(last, scan.interval().end())
        : KeyRange.of(scan.interval().start(), last.successor());
  }

  /**
   * Where what is left of a long scan may be cut, as far as it is known here yet. Keys that divide
   * the data, and not the bounds of a histogram's buckets: these are narrow where much is read, and
   * leave the rest, which is most of a long scan, in one.
   */
  private List<Bytes> splitKeys(
      ClientRequest.Scan scan, Optional<Copy> copy, ReadOutcome.Rows rows) {
    boolean isFull = rows.rows().size() < scan.recordsMax();
    if (rows.complete() || copy.isEmpty() || !(isFull || rows.rows().size() >= LONG_RECORDS)) {
      return List.of();
    }
    List<Bytes> splitKeys =
        splitPoints.of(copy.get()).map(SplitPoints.Keys::splitKeys).orElse(List.of());
    long bytes = splitKeys.stream().mapToLong(Bytes::length).sum();
    KeyRange covered = covered(scan, rows);
    boolean divide =
        splitKeys.stream().anyMatch(cut -> scan.interval().contains(cut) && !covered.contains(cut));
    return divide && bytes <= CUT_BYTES_MAX ? splitKeys : List.of();
  }

  private void failed(
      Consumer<ClientReply> then, ReadOutcome outcome, Supplier<List<Route>> routes) {
    switch (outcome) {
      case ReadOutcome.Elsewhere elsewhere -> then.accept(new ClientReply.WrongRange(routes.get()));
      case ReadOutcome.Behind(var source) -> {
        behind.count();
        then.accept(new ClientReply.Behind(source));
      }
      case ReadOutcome.TooOld(var base) ->
          refuse(
              then,
              RefusalCode.SNAPSHOT_TOO_OLD,
              "the range answers from position " + base.value() + " on");
      case ReadOutcome.NotNow(var detail) -> refuse(then, RefusalCode.UNAVAILABLE, detail);
      case ReadOutcome.Overloaded(var detail) -> refuse(then, RefusalCode.OVERLOADED, detail);
      case ReadOutcome.Values values ->
          refuse(then, RefusalCode.BAD_REQUEST, "not the answer to this request");
      case ReadOutcome.Rows rows ->
          refuse(then, RefusalCode.BAD_REQUEST, "not the answer to this request");
    }
  }
}
