package org.ecstore.txn.steward.member;

import java.util.Collection;
import java.util.Optional;
import org.ecstore.id.NodeId;

/**
 * Members whose stores had no room for a copy that they were to get, or did nothing while they were
 * to build it. Each is put off for a while, twice as long each time (decision 0108). That is over
 * once it takes a copy, and of a node that has restarted nothing is known.
 */
public final class PutOffTargets {
  static final long FIRST_NANOS = 2_000_000_000L;

  /** To somewhat more than four minutes. */
  static final int DOUBLINGS_MAX = 7;

  private record PutOff(long incarnation, int times, long untilNanos) {}

  private final OfMembers<PutOff> targets = new OfMembers<>();

  /** Another node has led meanwhile: none is put off. */
  public void clear() {
    targets.takeAll();
  }

  /** A node took no copy. */
  public void tookNone(NodeId node, long incarnation, Collection<NodeId> members, long nowNanos) {
    int times =
        targets
            .get(node)
            .filter(before -> before.incarnation() == incarnation)
            .map(before -> Math.min(DOUBLINGS_MAX, before.times() + 1))
            .orElse(0);
    targets.put(node, new PutOff(incarnation, times, nowNanos + (FIRST_NANOS << times)), members);
  }

  /** A node has taken a copy. */
  public void tookOne(NodeId node) {
    targets.remove(node);
  }

  /** Whether a node is put off, in the incarnation in which it is there. */
  public boolean isPutOff(NodeId node, Optional<Long> incarnation, long nowNanos) {
    return targets
        .get(node)
        .filter(one -> incarnation.equals(Optional.of(one.incarnation())))
        .filter(one -> one.untilNanos() - nowNanos > 0)
        .isPresent();
  }
}
