package org.ecstore.txn.steward.member;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.ecstore.core.port.Coordination.Member;
import org.ecstore.id.NodeId;
import org.ecstore.id.Position;
import org.ecstore.id.RangeId;

/** Since when members have been there, or gone, as far as this steward has seen. */
public final class MembershipTracker {
  private record Seen(long incarnation, long sinceNanos) {}

  private final Map<NodeId, Seen> present = new TreeMap<>();
  private final Map<NodeId, Long> goneSince = new TreeMap<>();
  private final Map<Held, Long> silentSince = new TreeMap<>();
  private final Map<NodeId, String> hosts = new TreeMap<>();

  /** Since when nodes that should have a place in the tree have none. */
  private final Map<NodeId, Long> outOfPlaceSince = new TreeMap<>();

  private final Deque<Sample> samples = new ArrayDeque<>();
  private long nowNanos;

  /** How far the ledger was durable. */
  private record Sample(long nanos, Position durable) {}

  private record Held(RangeId range, NodeId node) implements Comparable<Held> {
    @Override
    public int compareTo(Held other) {
      int byRange = range.compareTo(other.range);
      return byRange != 0 ? byRange : node.compareTo(other.node);
    }
  }

  /** Another node has led meanwhile: nothing that was seen counts. */
  public void clear() {
    present.clear();
    goneSince.clear();
    silentSince.clear();
    outOfPlaceSince.clear();
    samples.clear();
  }

  /** Notes how far the ledger is durable, and forgets what is no more needed to look back. */
  public void durable(Position position, long backNanos) {
    samples.addLast(new Sample(nowNanos, position));
    while (samples.size() > 1 && nowNanos - second().nanos() >= backNanos) {
      samples.removeFirst();
    }
  }

  private Sample second() {
    return samples.stream().skip(1).findFirst().orElseThrow();
  }

  /**
   * How far the ledger was durable so long ago; absent if this steward has not been for as long.
   */
  public Optional<Position> durableBefore(long nanos) {
    return Optional.ofNullable(samples.peekFirst())
        .filter(sample -> nowNanos - sample.nanos() >= nanos)
        .map(Sample::durable);
  }

  /** Notes whether a node that is there has reported a whole copy of a range it should hold. */
  public void reported(RangeId range, NodeId node, boolean whole) {
    if (whole && silentSince.isEmpty()) {
      return;
    }
    Held held = new Held(range, node);
    if (whole || !present.containsKey(node)) {
      silentSince.remove(held);
    } else {
      silentSince.putIfAbsent(held, nowNanos);
    }
  }

  /** Whether a node has been there for so long without reporting a whole copy of a range. */
  public boolean isSilentFor(RangeId range, NodeId node, long nanos) {
    Long since = silentSince.get(new Held(range, node));
    return since != null && nowNanos - since >= nanos;
  }

  /** Forgets ranges that are no more. */
  public void keepOnly(Predicate<RangeId> inMap) {
    silentSince.keySet().removeIf(held -> !inMap.test(held.range()));
  }

  /** Those that are there now. */
  public void see(List<Member> members, long nanos) {
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
      String label = member.info().host();
      hosts.put(member.node(), label.isEmpty() ? member.node().toString() : label);
    }
    present.clear();
    present.putAll(now);
  }

  /**
   * The label of the host that a node is on, or was when it was last there; one of its own if it
   * has none, or was never seen.
   */
  public String host(NodeId node) {
    String host = hosts.get(node);
    return host == null ? node.toString() : host;
  }

  /**
   * Notes which members have no place in the tree though they should.
   *
   * @param lacks whether a member has none
   * @param forgetNanos one that comes and goes counts from the first time, until it was gone so
   *     long
   */
  public void outOfPlace(Predicate<NodeId> lacks, long forgetNanos) {
    outOfPlaceSince
        .keySet()
        .removeIf(
            node -> present.containsKey(node) ? !lacks.test(node) : isGoneFor(node, forgetNanos));
    present.keySet().stream()
        .filter(lacks)
        .forEach(node -> outOfPlaceSince.putIfAbsent(node, nowNanos));
  }

  /** Whether a member has had no place, for less than so long. */
  public boolean isAnyOutOfPlaceFor(long lessNanos) {
    return outOfPlaceSince.entrySet().stream()
        .anyMatch(
            entry ->
                present.containsKey(entry.getKey()) && nowNanos - entry.getValue() < lessNanos);
  }

  /** Whether a member has been there for so long in its present incarnation. */
  public boolean isSettled(NodeId node, long nanos) {
    Seen seen = present.get(node);
    return seen != null && nowNanos - seen.sinceNanos() >= nanos;
  }

  /** Whether a node has been gone for so long since it was first asked about. */
  public boolean isGoneFor(NodeId node, long nanos) {
    return !present.containsKey(node)
        && nowNanos - goneSince.computeIfAbsent(node, _ -> nowNanos) >= nanos;
  }
}
