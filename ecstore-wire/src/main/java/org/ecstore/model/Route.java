package org.ecstore.model;

import java.util.List;
import org.ecstore.id.Epoch;
import org.ecstore.id.NodeId;
import org.ecstore.id.RangeId;
import org.ecstore.key.KeyRange;

/**
 * Who holds a range: what a client caches. The address is {@code host:port}, or empty if not known.
 *
 * @param primary takes writes, and every read
 * @param secondaries answer reads at or below their closed positions
 */
public record Route(
    RangeId range,
    Epoch epoch,
    KeyRange keys,
    NodeId primary,
    String address,
    List<Secondary> secondaries) {
  /** A node with a copy that follows the primary. */
  public record Secondary(NodeId node, String address) {}

  public Route {
    secondaries = List.copyOf(secondaries);
  }

  /** A range with one copy, or of which no other is known. */
  public Route(RangeId range, Epoch epoch, KeyRange keys, NodeId primary, String address) {
    this(range, epoch, keys, primary, address, List.of());
  }
}
