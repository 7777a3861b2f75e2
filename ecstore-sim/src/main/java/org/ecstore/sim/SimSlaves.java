package org.ecstore.sim;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import org.ecstore.id.Epoch;
import org.ecstore.id.NodeId;
import org.ecstore.id.RangeId;
import org.ecstore.key.KeyRange;
import org.ecstore.model.Route;
import org.ecstore.protocol.ClientReply;

/** The slaves that a client was told of, remembered for longer than is good for it. */
final class SimSlaves {
  private static final int KNOWN_MAX = 20;

  private record Known(RangeId range, Epoch epoch, KeyRange keys, NodeId node) {}

  private final Deque<Known> known = new ArrayDeque<>();

  void learn(Route route, ClientReply.Redirect redirect) {
    known.addFirst(new Known(route.range(), route.epoch(), redirect.keys(), redirect.node()));
    if (known.size() > KNOWN_MAX) {
      known.removeLast();
    }
  }

  /** Who may have a slave of an interval. */
  Optional<NodeId> find(Route route, KeyRange span) {
    return known.stream()
        .filter(slave -> slave.range().equals(route.range()))
        .filter(slave -> slave.epoch().equals(route.epoch()) && slave.keys().contains(span))
        .map(Known::node)
        .findFirst();
  }

  void failed(Route route, NodeId node) {
    known.removeIf(slave -> slave.range().equals(route.range()) && slave.node().equals(node));
  }
}
