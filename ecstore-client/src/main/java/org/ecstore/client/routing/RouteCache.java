package org.ecstore.client.routing;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.ecstore.key.Bytes;
import org.ecstore.model.Route;

/**
 * The client's picture of who serves which range: perhaps old, never needed to be right. A request
 * names the range and epoch it was routed by, and a node that does not serve them says so (rule
 * 18). Routes do not overlap; of two that would, the one with the greater epoch stays, because an
 * epoch is the number of the map change that made it. Safe for use by several threads.
 */
public final class RouteCache {
  private final ReadWriteLock lock = new ReentrantReadWriteLock();
  private final NavigableMap<Bytes, Route> byStart = new TreeMap<>();

  /** The route of the range that holds a key, if known. */
  public Optional<Route> find(Bytes key) {
    lock.readLock().lock();
    try {
      Map.Entry<Bytes, Route> floor = byStart.floorEntry(key);
      return floor != null && floor.getValue().keys().contains(key)
          ? Optional.of(floor.getValue())
          : Optional.empty();
    } finally {
      lock.readLock().unlock();
    }
  }

  /** The route of the range that holds the greatest keys below an end, if known. */
  public Optional<Route> findBelow(Optional<Bytes> end) {
    lock.readLock().lock();
    try {
      Map.Entry<Bytes, Route> last =
          end.isPresent() ? byStart.lowerEntry(end.get()) : byStart.lastEntry();
      return last != null && reachesTo(last.getValue(), end)
          ? Optional.of(last.getValue())
          : Optional.empty();
    } finally {
      lock.readLock().unlock();
    }
  }

  private static boolean reachesTo(Route route, Optional<Bytes> end) {
    Optional<Bytes> routeEnd = route.keys().end();
    return routeEnd.isEmpty() || (end.isPresent() && routeEnd.get().compareTo(end.get()) >= 0);
  }

  /** Takes in a route unless a newer one overlaps it. */
  public void learn(Route route) {
    lock.writeLock().lock();
    try {
      List<Route> overlapping = overlapping(route);
      for (Route known : overlapping) {
        if (known.epoch().isAfter(route.epoch())) {
          return;
        }
      }
      for (Route known : overlapping) {
        byStart.remove(known.keys().start());
      }
      byStart.put(route.keys().start(), route);
    } finally {
      lock.writeLock().unlock();
    }
  }

  private List<Route> overlapping(Route route) {
    List<Route> overlapping = new ArrayList<>();
    Map.Entry<Bytes, Route> before = byStart.lowerEntry(route.keys().start());
    if (before != null && before.getValue().keys().overlaps(route.keys())) {
      overlapping.add(before.getValue());
    }
    for (Route known : byStart.tailMap(route.keys().start(), true).values()) {
      if (!route.keys().isBelowEnd(known.keys().start())) {
        break;
      }
      overlapping.add(known);
    }
    return overlapping;
  }

  /** Forgets a route that led nowhere, unless it has been replaced since. */
  public void forget(Route route) {
    lock.writeLock().lock();
    try {
      byStart.remove(route.keys().start(), route);
    } finally {
      lock.writeLock().unlock();
    }
  }

  /** All routes, in key order. */
  public List<Route> all() {
    lock.readLock().lock();
    try {
      return List.copyOf(byStart.values());
    } finally {
      lock.readLock().unlock();
    }
  }
}
