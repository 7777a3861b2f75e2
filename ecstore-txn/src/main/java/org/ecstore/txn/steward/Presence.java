package org.ecstore.txn.steward;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.ecstore.core.port.Coordination.Member;
import org.ecstore.id.NodeId;
import org.ecstore.id.RangeId;

/** Since when members have been there, or gone, as far as this steward has seen. */
final class Presence {
  private record Seen(long incarnation, long sinceNanos) {}

  private final Map<NodeId, Seen> present = new TreeMap<>();
  private final Map<NodeId, Long> goneSince = new TreeMap<>();
  private final Map<Held, Long> silentSince = new TreeMap<>();
  private final Map<NodeId, String> hosts = new TreeMap<>();
  private long nowNanos;

  private record Held(RangeId range, NodeId node) implements Comparable<Held> {
    @Override
    public int compareTo(Held other) {
      int byRange = range.compareTo(other.range);
      return byRange != 0 ? byRange : node.compareTo(other.node);
    }
  }

  void clear() {
    present.clear();
    goneSince.clear();
    silentSince.clear();
  }

  /** Notes whether a node that is there has reported a whole copy of a range it should hold. */
  void reported(RangeId range, NodeId node, boolean whole) {
    Held held = new Held(range, node);
    if (whole || !present.containsKey(node)) {
      silentSince.remove(held);
    } else {
      silentSince.putIfAbsent(held, nowNanos);
    }
  }

  /** Whether a node has been there for so long without reporting a whole copy of a range. */
  boolean isSilentFor(RangeId range, NodeId node, long nanos) {
    Long since = silentSince.get(new Held(range, node));
    return since != null && nowNanos - since >= nanos;
  }

  /** Forgets ranges that are no more. */
  void keepOnly(Predicate<RangeId> inMap) {
    silentSince.keySet().removeIf(held -> !inMap.test(held.range()));
  }

  void see(List<Member> members, long nanos) {
    nowNanos = nanos;
    Map<NodeId, Seen> now = new TreeMap<>();
    for (Member member : members) {
      Seen before = present.get(member.node());
      now.put(
          member.node(),
          before != null && before.incarnation() == member.incarnation()
              ? before
              : new Seen(member.incarnation(), nanos));
      goneSince.remove(member.node());
      hosts.put(member.node(), member.info().host());
    }
    present.clear();
    present.putAll(now);
  }

  /**
   * The label of the host that a node is on, or was when it was last there; one of its own if it
   * has none, or was never seen.
   */
  String host(NodeId node) {
    String label = hosts.getOrDefault(node, "");
    return label.isEmpty() ? node.toString() : label;
  }

  /** Whether a member has been there for so long in its present incarnation. */
  boolean isSettled(NodeId node, long nanos) {
    Seen seen = present.get(node);
    return seen != null && nowNanos - seen.sinceNanos() >= nanos;
  }

  /** Whether a node has been gone for so long since it was first asked about. */
  boolean isGoneFor(NodeId node, long nanos) {
    return !present.containsKey(node)
        && nowNanos - goneSince.computeIfAbsent(node, _ -> nowNanos) >= nanos;
  }
}
