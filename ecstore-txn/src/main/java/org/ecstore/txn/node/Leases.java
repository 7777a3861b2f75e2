package org.ecstore.txn.node;

import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.ecstore.id.Position;
import org.ecstore.id.ReadPoint;

/**
 * Snapshots in use by clients of this node: while a lease lasts, its versions are kept (rule 14).
 */
final class Leases {
  /** Of one connection, of all: a stranger's cannot take all there are. */
  private static final int SHARES = 8;

  private record Lease(long connection, ReadPoint point, long untilNanos) {}

  private final long leaseNanos;
  private final int most;

  /** In the order they end: all last equally long, and a renewed one goes to the end. */
  private final Map<Long, Lease> leases = new LinkedHashMap<>();

  /** Of each connection, so that one that ends is not looked for among all. */
  private final Map<Long, Set<Long>> byConnection = new TreeMap<>();

  /** How many leases there are on each position, so that the least is known at once. */
  private final TreeMap<Position, Integer> positions = new TreeMap<>();

  private long last;

  /**
   * None yet.
   *
   * @param most so many at a time on this node, and of one connection an eighth of it
   */
  Leases(long leaseNanos, int most) {
    this.leaseNanos = leaseNanos;
    this.most = most;
  }

  /** A new lease, or absent if there are too many. */
  Optional<Long> grant(long connection, ReadPoint point, long nowNanos) {
    Set<Long> own = byConnection.getOrDefault(connection, Collections.emptySet());
    if (leases.size() >= most || own.size() >= Math.max(1, most / SHARES)) {
      return Optional.empty();
    }
    add(++last, new Lease(connection, point, nowNanos + leaseNanos));
    return Optional.of(last);
  }

  private void add(long id, Lease lease) {
    leases.put(id, lease);
    byConnection.computeIfAbsent(lease.connection(), _ -> new LinkedHashSet<>()).add(id);
    positions.merge(lease.point().position(), 1, Integer::sum);
  }

  private void remove(long id, Lease lease) {
    leases.remove(id);
    forget(id, lease);
  }

  private void forget(long id, Lease lease) {
    Set<Long> own = byConnection.get(lease.connection());
    if (own != null && own.remove(id) && own.isEmpty()) {
      byConnection.remove(lease.connection());
    }
    positions.computeIfPresent(
        lease.point().position(), (_, count) -> count == 1 ? null : count - 1);
  }

  /** Prolongs a lease of that connection; its point, or absent if it has ended. */
  Optional<ReadPoint> renew(long connection, long id, long nowNanos) {
    Lease lease = leases.get(id);
    if (lease == null || lease.connection() != connection || lease.untilNanos() - nowNanos <= 0) {
      return Optional.empty();
    }
    remove(id, lease);
    add(id, new Lease(connection, lease.point(), nowNanos + leaseNanos));
    return Optional.of(lease.point());
  }

  void end(long connection, long id) {
    Lease lease = leases.get(id);
    if (lease != null && lease.connection() == connection) {
      remove(id, lease);
    }
  }

  void endAll(long connection) {
    for (long id : List.copyOf(byConnection.getOrDefault(connection, Collections.emptySet()))) {
      end(connection, id);
    }
  }

  void expire(long nowNanos) {
    Iterator<Map.Entry<Long, Lease>> eldest = leases.entrySet().iterator();
    while (eldest.hasNext()) {
      Map.Entry<Long, Lease> next = eldest.next();
      if (next.getValue().untilNanos() - nowNanos > 0) {
        return;
      }
      long id = next.getKey();
      Lease lease = next.getValue();
      eldest.remove();
      forget(id, lease);
    }
  }

  /**
   * The oldest snapshot in use that can be read: one below the version floor keeps no version, and
   * must not hold back those of others (rule 14).
   */
  Optional<Position> least(Position floor) {
    return Optional.ofNullable(positions.ceilingKey(floor));
  }

  int millis() {
    return (int) (leaseNanos / 1_000_000);
  }
}
