package org.ecstore.client.access;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.ecstore.client.copies.AnsweredBy;
import org.ecstore.client.error.ClosedException;
import org.ecstore.client.retry.Deadline;
import org.ecstore.id.ReadPoint;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.wire.client.Row;

/** A leased snapshot to read from, in bytes. Safe for use by several threads. */
public final class RawSnapshot implements RawReads, AutoCloseable {
  private final Backend backend;
  private final Lease lease;
  private final TimeLimit limit;
  private final Reader reader = Reader.ofAnyCopy();
  private volatile boolean closed;

  RawSnapshot(Backend backend, Lease lease, TimeLimit limit) {
    this.backend = backend;
    this.lease = lease;
    this.limit = limit;
  }

  @Override
  public ReadPoint point() {
    return lease.point();
  }

  @Override
  public Optional<AnsweredBy> lastRead() {
    return reader.last();
  }

  @Override
  public Map<Bytes, Bytes> get(Collection<Bytes> keys) {
    checkOpen();
    return values(backend.reads().get(reader, point(), keys, deadline()));
  }

  static Map<Bytes, Bytes> values(Map<Bytes, Row> rows) {
    Map<Bytes, Bytes> values = new LinkedHashMap<>();
    rows.forEach((key, row) -> values.put(key, row.value()));
    return values;
  }

  @Override
  public RawScan scan(KeyRange interval, ScanShape shape) {
    checkOpen();
    PiecewiseScan pieces = backend.reads().scan(reader, point(), interval, shape);
    ScanPages pages =
        page -> {
          checkOpen();
          return pieces.next(page, deadline());
        };
    return shape.ordered()
        ? new MergedScan(interval, shape.reverse(), new TreeMap<>(), null, pages)
        : new UnorderedScan(interval, pieces, pages);
  }

  private Deadline deadline() {
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
    backend.leases().end(lease);
  }
}
