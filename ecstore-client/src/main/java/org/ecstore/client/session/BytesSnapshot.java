package org.ecstore.client.session;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.ecstore.aggregate.Folding;
import org.ecstore.client.copies.AnsweredBy;
import org.ecstore.client.error.ClosedException;
import org.ecstore.client.observe.OperationKind;
import org.ecstore.client.observing.Observing;
import org.ecstore.client.read.Reader;
import org.ecstore.client.read.ScanShape;
import org.ecstore.client.read.SubScans;
import org.ecstore.client.retry.Deadline;
import org.ecstore.client.routing.TimeLimit;
import org.ecstore.client.scan.AggregateScan;
import org.ecstore.client.scan.BytesScan;
import org.ecstore.client.scan.MergedScan;
import org.ecstore.client.scan.ScanPages;
import org.ecstore.client.scan.UnorderedScan;
import org.ecstore.id.Position;
import org.ecstore.id.ReadPoint;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.model.Row;

/** A snapshot to read from, in bytes. Safe for use by several threads. */
public final class BytesSnapshot implements BytesReads, AutoCloseable {
  private final Backend backend;
  private final Opening opening;
  private final Reader reader;
  private final TimeLimit limit;
  private volatile boolean closed;

  BytesSnapshot(Backend backend, Opening opening, Reader reader, TimeLimit limit) {
    this.backend = backend;
    this.opening = opening;
    this.reader = reader;
    this.limit = limit;
  }

  @Override
  public ReadPoint point() {
    return opening.point(deadline());
  }

  @Override
  public Optional<AnsweredBy> lastRead() {
    return reader.last();
  }

  @Override
  public Map<Bytes, Bytes> get(Collection<Bytes> keys) {
    checkOpen();
    return keys.isEmpty()
        ? Map.of()
        : Observing.operation(
            backend.observer(),
            OperationKind.GET,
            keys.iterator().next(),
            () -> values(opening.get(keys, deadline())));
  }

  @Override
  public Map<Bytes, Bytes> peek(Collection<Bytes> keys) {
    return get(keys);
  }

  @Override
  public void seen(Position position) {
    opening.seen(position);
  }

  @Override
  public boolean isAtOrAbove(Position position) {
    return opening.isAtOrAbove(position);
  }

  static Map<Bytes, Bytes> values(Map<Bytes, Row> rows) {
    Map<Bytes, Bytes> values = new LinkedHashMap<>();
    rows.forEach((key, row) -> values.put(key, row.value()));
    return values;
  }

  @Override
  public BytesScan scan(KeyRange interval, ScanShape shape) {
    checkOpen();
    if (shape.ordered()) {
      ScanPages pages =
          new FirstPage(
              opening, interval, shape, this::deadlineOfPage, rest -> pieces(rest, shape));
      return new MergedScan(
          interval, shape.reverse(), new TreeMap<>(), null, observed(interval, pages));
    }
    SubScans pieces = pieces(interval, shape);
    return new UnorderedScan(
        interval, pieces, observed(interval, page -> pieces.next(page, deadlineOfPage())));
  }

  @Override
  public void aggregate(KeyRange interval, Folding folding, Runnable room) {
    checkOpen();
    SubScans pieces = pieces(interval, ScanShape.of(folding.aggregate()));
    new AggregateScan(
            interval, pieces, observed(interval, page -> pieces.next(page, deadlineOfPage())))
        .addTo(folding, room);
  }

  private ScanPages observed(KeyRange interval, ScanPages pages) {
    return page ->
        Observing.operation(
            backend.observer(), OperationKind.SCAN, interval.start(), () -> pages.next(page));
  }

  private SubScans pieces(KeyRange interval, ScanShape shape) {
    return backend.reads().scan(reader, point(), interval, shape);
  }

  private Deadline deadlineOfPage() {
    checkOpen();
    return deadline();
  }

  @Override
  public Deadline deadline() {
    return limit.deadline(backend.cluster().time().nanos());
  }

  private void checkOpen() {
    backend.cluster().checkOpen();
    if (closed) {
      throw new ClosedException("the snapshot is closed", null);
    }
  }

  @Override
  public void close() {
    closed = true;
    opening.end();
  }
}
