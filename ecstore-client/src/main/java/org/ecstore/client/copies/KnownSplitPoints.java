package org.ecstore.client.copies;

import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.ecstore.id.Epoch;
import org.ecstore.id.RangeId;
import org.ecstore.key.Bytes;
import org.ecstore.model.Route;

/**
 * Where copies have said that long scans of their ranges may be cut. What was said first of a range
 * is kept for a while, as each copy says something a little different: with all of it together
 * there would be many small pieces. Nothing rests on it. Safe for use by several threads.
 */
final class KnownSplitPoints {
  private static final long REMEMBERED_NANOS = 60_000_000_000L;
  private static final int RANGES_MAX = 10_000;

  private record Known(Epoch epoch, List<Bytes> splitPoints, long untilNanos) {
    boolean isOf(Route route, long nowNanos) {
      return epoch.equals(route.epoch()) && untilNanos - nowNanos > 0;
    }
  }

  private final Map<RangeId, Known> byRange = new ConcurrentHashMap<>();

  /** A copy of the range has said where to cut. */
  void learn(Route route, List<Bytes> splitPoints, long nowNanos) {
    if (splitPoints.isEmpty()) {
      return;
    }
    if (byRange.size() >= RANGES_MAX) {
      byRange.clear();
    }
    byRange.compute(
        route.range(),
        (range, before) ->
            before != null && before.isOf(route, nowNanos)
                ? before
                : new Known(route.epoch(), List.copyOf(splitPoints), nowNanos + REMEMBERED_NANOS));
  }

  /** Where to cut within the range. */
  NavigableSet<Bytes> splitPoints(Route route, long nowNanos) {
    NavigableSet<Bytes> splitPoints = new TreeSet<>();
    Known known = byRange.get(route.range());
    if (known != null && known.isOf(route, nowNanos)) {
      splitPoints.addAll(known.splitPoints);
    }
    splitPoints.removeIf(key -> !route.keys().contains(key) || key.equals(route.keys().start()));
    return splitPoints;
  }
}
