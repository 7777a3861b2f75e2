package org.ecstore.client.copies;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.ecstore.id.Epoch;
import org.ecstore.id.NodeId;
import org.ecstore.id.RangeId;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.model.Route;
import org.ecstore.protocol.ClientReply;

/**
 * The hot-spot replicas that busy copies have sent this client to (rule 26): remembered for a
 * while, so that a busy copy is not asked each time only to say the same. Nothing rests on it: a
 * hot-spot replica that is no more says so. Safe for use by several threads.
 */
final class KnownHotReplicas {
  private static final long REMEMBERED_NANOS = 10_000_000_000L;
  private static final int RANGE_MAX = 64;
  private static final int RANGES_MAX = 10_000;

  /** A node, and which keys of the range it has. */
  record Known(Epoch epoch, KeyRange keys, NodeId node, String address, long untilNanos) {}

  private final Map<RangeId, List<Known>> byRange = new ConcurrentHashMap<>();

  /** A copy of the range has said who else has some keys. */
  void learn(Route route, ClientReply.Redirect redirect, long nowNanos) {
    if (byRange.size() >= RANGES_MAX) {
      byRange.clear();
    }
    Known fresh =
        new Known(
            route.epoch(),
            redirect.keys(),
            redirect.node(),
            redirect.address(),
            nowNanos + REMEMBERED_NANOS);
    byRange.compute(
        route.range(),
        (range, before) -> {
          List<Known> known = new ArrayList<>(before == null ? List.of() : before);
          known.removeIf(
              old ->
                  old.untilNanos - nowNanos <= 0
                      || !old.epoch.equals(fresh.epoch)
                      || (old.node.equals(fresh.node) && old.keys.equals(fresh.keys)));
          if (known.size() >= RANGE_MAX) {
            known.remove(0);
          }
          known.add(fresh);
          return List.copyOf(known);
        });
  }

  /** Who has all of an interval of the range. */
  List<Known> covering(Route route, KeyRange span, long nowNanos) {
    List<Known> covering = new ArrayList<>();
    for (Known known : byRange.getOrDefault(route.range(), List.of())) {
      if (known.epoch.equals(route.epoch())
          && known.keys.contains(span)
          && known.untilNanos - nowNanos > 0) {
        covering.add(known);
      }
    }
    return covering;
  }

  /** Where keys that hot-spot replicas of the range have begin and end, its own bounds left out. */
  NavigableSet<Bytes> bounds(Route route, long nowNanos) {
    NavigableSet<Bytes> bounds = new TreeSet<>();
    for (Known known : byRange.getOrDefault(route.range(), List.of())) {
      if (known.epoch.equals(route.epoch()) && known.untilNanos - nowNanos > 0) {
        bounds.add(known.keys.start());
        known.keys.end().ifPresent(bounds::add);
      }
    }
    bounds.removeIf(key -> !route.keys().contains(key) || key.equals(route.keys().start()));
    return bounds;
  }

  /** A node did not answer for the range as a hot-spot replica. */
  void forget(Route route, NodeId node) {
    byRange.computeIfPresent(
        route.range(),
        (range, before) -> {
          List<Known> known = new ArrayList<>(before);
          known.removeIf(old -> old.node.equals(node));
          return known.isEmpty() ? null : List.copyOf(known);
        });
  }
}
