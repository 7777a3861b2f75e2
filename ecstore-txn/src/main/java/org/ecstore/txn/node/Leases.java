package org.ecstore.txn.node;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.ecstore.id.Position;
import org.ecstore.id.ReadPoint;

/**
 * Snapshots in use by clients of this node: while a lease lasts, its versions are kept (rule 14).
 */
final class Leases {
  private static final int LEASES_MAX = 1_000_000;

  private record Lease(long connection, ReadPoint point, long untilNanos) {}

  private final long leaseNanos;

  /** In the order they end: all last equally long, and a renewed one goes to the end. */
  private final Map<Long, Lease> leases = new LinkedHashMap<>();

  private long last;

  Leases(long leaseNanos) {
    this.leaseNanos = leaseNanos;
  }

  /** A new lease, or absent if there are too many. */
  Optional<Long> grant(long connection, ReadPoint point, long nowNanos) {
    if (leases.size() >= LEASES_MAX) {
      return Optional.empty();
    }
    leases.put(++last, new Lease(connection, point, nowNanos + leaseNanos));
    return Optional.of(last);
  }

  /** Prolongs a lease of that connection; its point, or absent if it has ended. */
  Optional<ReadPoint> renew(long connection, long id, long nowNanos) {
    Lease lease = leases.get(id);
    if (lease == null || lease.connection() != connection || lease.untilNanos() - nowNanos <= 0) {
      return Optional.empty();
    }
    leases.remove(id);
    leases.put(id, new Lease(connection, lease.point(), nowNanos + leaseNanos));
    return Optional.of(lease.point());
  }

  void end(long connection, long id) {
    Lease lease = leases.get(id);
    if (lease != null && lease.connection() == connection) {
      leases.remove(id);
    }
  }

  void endAll(long connection) {
    leases.values().removeIf(lease -> lease.connection() == connection);
  }

  void expire(long nowNanos) {
    Iterator<Lease> eldest = leases.values().iterator();
    while (eldest.hasNext() && eldest.next().untilNanos() - nowNanos <= 0) {
      eldest.remove();
    }
  }

  Optional<Position> least() {
    return leases.values().stream().map(lease -> lease.point().position()).min(Position::compareTo);
  }

  int millis() {
    return (int) (leaseNanos / 1_000_000);
  }
}
