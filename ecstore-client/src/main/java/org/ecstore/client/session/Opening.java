package org.ecstore.client.session;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.ecstore.client.lease.Lease;
import org.ecstore.client.read.PageRequest;
import org.ecstore.client.read.Reader;
import org.ecstore.client.read.RoutedReads;
import org.ecstore.client.read.ScanShape;
import org.ecstore.client.retry.Deadline;
import org.ecstore.client.routing.SessionToken;
import org.ecstore.id.MapVersion;
import org.ecstore.id.Position;
import org.ecstore.id.ReadPoint;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.model.ReadLevel;
import org.ecstore.model.Row;
import org.ecstore.protocol.ClientReply;
import org.jspecify.annotations.Nullable;

/**
 * The beginning of a snapshot: with the first read of it, so that a read that is all there is takes
 * one request; or before, if the application asks where it is (decision 0022). Safe for use by
 * several threads: a thread that comes second waits, and reads where the first began.
 */
final class Opening {
  private final Backend backend;
  private final Reader reader;
  private final ReadLevel level;
  private final SessionToken session;
  private final ReentrantLock beginning = new ReentrantLock();
  private volatile @Nullable Lease lease;
  private volatile boolean ended;

  Opening(Backend backend, Reader reader, ReadLevel level, SessionToken session) {
    this.backend = backend;
    this.reader = reader;
    this.level = level;
    this.session = session;
  }

  /** One that has begun. */
  static Opening of(Backend backend, Reader reader, SessionToken session, Lease lease) {
    Opening opening = new Opening(backend, reader, ReadLevel.SESSION, session);
    opening.lease = lease;
    return opening;
  }

  /** Whether it has begun. */
  boolean hasBegun() {
    return lease != null;
  }

  /** The session learns of a position that the store has. */
  void seen(Position position) {
    session.advance(new ReadPoint(position, MapVersion.ZERO), "", backend.cluster().time().nanos());
  }

  /** Whether it is at a position or above it, as far as that is known without beginning. */
  boolean isAtOrAbove(Position position) {
    Lease known = lease;
    if (known != null) {
      return position.isAtOrBelow(known.point().position());
    }
    return switch (level.kind()) {
      case LOCAL, BOUNDED -> false;
      case SESSION, STRONG -> position.isAtOrBelow(session.point().position());
    };
  }

  /** Where it is; begins it if nothing has yet. */
  ReadPoint point(Deadline deadline) {
    Lease known = lease;
    if (known != null) {
      return known.point();
    }
    beginning.lock();
    try {
      known = lease;
      return known != null
          ? known.point()
          : begun(backend.leases().begin(level, session, deadline));
    } finally {
      beginning.unlock();
    }
  }

  private ReadPoint begun(Lease made) {
    lease = made;
    if (ended) {
      backend.leases().end(made);
    }
    return made.point();
  }

  /** The rows of the keys that are there. */
  Map<Bytes, Row> get(Collection<Bytes> keys, Deadline deadline) {
    Optional<RoutedReads.Got> first =
        withFirst(() -> backend.reads().beginGet(reader, level, session, keys, deadline));
    if (first.isEmpty()) {
      return backend.reads().get(reader, point(deadline), keys, deadline);
    }
    Map<Bytes, Row> rows = first.get().rows();
    List<Bytes> left = first.get().left();
    if (!left.isEmpty()) {
      rows.putAll(backend.reads().get(reader, point(deadline), left, deadline));
    }
    return rows;
  }

  /**
   * The first page of a scan, if it is the first read of the snapshot and one request can fetch it.
   */
  Optional<ClientReply.Scanned> firstPage(
      KeyRange interval, ScanShape shape, PageRequest page, Deadline deadline) {
    return withFirst(
        () -> backend.reads().beginScan(reader, level, session, interval, shape, page, deadline));
  }

  private <T> Optional<T> withFirst(Supplier<Optional<RoutedReads.First<T>>> read) {
    if (hasBegun()) {
      return Optional.empty();
    }
    beginning.lock();
    try {
      if (hasBegun()) {
        return Optional.empty();
      }
      Optional<RoutedReads.First<T>> first = read.get();
      first.ifPresent(one -> begun(backend.leases().begun(one.address(), one.begun(), session)));
      return first.map(RoutedReads.First::read);
    } finally {
      beginning.unlock();
    }
  }

  /** It is not needed any more. */
  void end() {
    ended = true;
    Lease known = lease;
    if (known != null) {
      backend.leases().end(known);
    }
  }
}
