package org.ecstore.txn.steward.member;

import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.ecstore.id.NodeId;

/**
 * What members have asked for, one thing each. There are no more than members: of a node that is
 * none nothing is kept, and what a node asked for goes with it.
 *
 * @param <V> what is asked for
 */
public final class OfMembers<V> {
  private final Map<NodeId, V> asked = new TreeMap<>();

  /** A node asks; what it asked for before is replaced. */
  public void put(NodeId node, V what, Collection<NodeId> members) {
    asked.keySet().retainAll(members);
    if (members.contains(node)) {
      asked.put(node, what);
    }
  }

  /** What a node asks for. */
  public Optional<V> get(NodeId node) {
    return Optional.ofNullable(asked.get(node));
  }

  /** What a node asked for is done, or void. */
  void remove(NodeId node) {
    asked.remove(node);
  }

  /** All that is asked for, which is forgotten here. */
  public Map<NodeId, V> takeAll() {
    Map<NodeId, V> all = new TreeMap<>(asked);
    asked.clear();
    return all;
  }

  int size() {
    return asked.size();
  }
}
