package org.ecstore.sim.client;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import org.ecstore.id.Epoch;
import org.ecstore.id.NodeId;
import org.ecstore.id.RangeId;
import org.ecstore.key.KeyRange;
import org.ecstore.model.Route;
import org.ecstore.protocol.ClientReply;

/** The hot-spot replicas that a client was told of, remembered for longer than is good for it. */
final class SimHotReplicas {
  private static final int KNOWN_MAX = 20;

  private record Known(RangeId range, Epoch epoch, KeyRange keys, NodeId node) {}

  private final Deque<Known> known = new ArrayDeque<>();

  void learn(Route route, ClientReply.Redirect redirect) {
    known.addFirst(new Known(route.range(), route.epoch(), redirect.keys(), redirect.node()));
    if (known.size() > KNOWN_MAX) {
      known.removeLast();
    }
  }

  /** Who may have a hot-spot replica of an interval. */
  Optional<NodeId> find(Route route, KeyRange span) {
    return known.stream()
        .filter(hotReplica -> hotReplica.range().equals(route.range()))
        .filter(
            hotReplica ->
                hotReplica.epoch().equals(route.epoch()) && hotReplica.keys().contains(span))
        .map(Known::node)
        .findFirst();
  }

  void failed(Route route, NodeId node) {
    known.removeIf(
        hotReplica -> hotReplica.range().equals(route.range()) && hotReplica.node().equals(node));
  }
}
