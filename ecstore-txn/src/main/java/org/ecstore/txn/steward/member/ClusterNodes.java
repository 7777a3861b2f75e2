package org.ecstore.txn.steward.member;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.ecstore.core.map.RangeDescriptor;
import org.ecstore.core.port.Coordination.Member;
import org.ecstore.core.runtime.NodeContext;
import org.ecstore.id.NodeId;
import org.ecstore.id.Position;
import org.ecstore.model.EngineTraits;
import org.ecstore.replication.placement.PrimaryRule;
import org.ecstore.txn.sequencer.Sequencer;

/**
 * The nodes as the steward sees them: which are there, and stay; what their engines are good at;
 * what they have said of their copies and of their stores.
 */
public final class ClusterNodes {
  /**
   * A request to leave is forgotten after so many times an answer's time without being repeated.
   */
  private static final int LEAVE_ASKS = 5;

  /** So many times sooner a node that is gone is given up where outcomes need the room. */
  public static final int PRESSED = 10;

  /**
   * By what nodes are judged; times in nanoseconds.
   *
   * @param longFailureNanos after which a node that is gone is no longer reckoned with
   * @param relaxed whether nodes may serve whose engines are not fit for it
   */
  public record Judged(long askTimeoutNanos, long longFailureNanos, boolean relaxed) {}

  private record Leaving(long incarnation, long untilNanos) {}

  private final NodeContext context;
  private final Sequencer sequencer;
  private final Supplier<List<Member>> members;
  private final MembershipTracker presence;
  private final Judged judged;

  /** The members as last asked for, and by node. */
  private List<Member> indexed = List.of();

  private final Map<NodeId, Long> incarnations = new TreeMap<>();
  private final OfMembers<Leaving> leaving = new OfMembers<>();
  private final SortedSet<NodeId> turnedAway = new TreeSet<>();
  private final PutOffTargets putOff = new PutOffTargets();

  /** Those that are members, by what the sequencer and a tracker know of them. */
  public ClusterNodes(
      NodeContext context,
      Sequencer sequencer,
      Supplier<List<Member>> members,
      MembershipTracker presence,
      Judged judged) {
    this.context = context;
    this.sequencer = sequencer;
    this.members = members;
    this.presence = presence;
    this.judged = judged;
  }

  // --- who is there

  /** Those that are there. */
  public List<Member> present() {
    return members.get();
  }

  /** The nodes that are there. */
  public List<NodeId> members() {
    return members.get().stream().map(Member::node).toList();
  }

  /** Whether a node is there in this incarnation. */
  public boolean isLive(NodeId node, long incarnation) {
    return liveIncarnation(node).equals(Optional.of(incarnation));
  }

  /** The incarnation of a node that is there. */
  public Optional<Long> liveIncarnation(NodeId node) {
    List<Member> now = members.get();
    if (!now.equals(indexed)) {
      indexed = now;
      incarnations.clear();
      now.forEach(member -> incarnations.putIfAbsent(member.node(), member.incarnation()));
    }
    return Optional.ofNullable(incarnations.get(node));
  }

  /** What a node shares with nodes that fail together with it. */
  public String host(NodeId node) {
    return presence.host(node);
  }

  /**
   * After which a node that is gone is no longer reckoned with: sooner if what its copies lack is
   * about to keep the sequencer from taking anything.
   */
  public long longFailureNanos() {
    return judged.longFailureNanos() / (sequencer.isPressed() ? PRESSED : 1);
  }

  // --- who stays

  /** Whether a node is there with its store, and has not said that it wants to leave. */
  public boolean isStaying(NodeId node) {
    return liveIncarnation(node).isPresent() && !wantsToLeave(node) && !isStuck(node);
  }

  /** A node says that it wants to leave. */
  public void leaves(NodeId node, long incarnation) {
    leaving.put(
        node,
        new Leaving(incarnation, context.nanos() + LEAVE_ASKS * judged.askTimeoutNanos()),
        members());
  }

  /**
   * Whether a node has said of late, in its present incarnation, that it wants to leave, or is one
   * that the controller has turned away.
   */
  public boolean wantsToLeave(NodeId node) {
    return turnedAway.contains(node)
        || leaving
            .get(node)
            .filter(adminRequest -> adminRequest.untilNanos() - context.nanos() > 0)
            .filter(adminRequest -> isLive(node, adminRequest.incarnation()))
            .isPresent();
  }

  /** From now on these nodes, and no others, are as if they had said that they want to leave. */
  public void turnAway(Set<NodeId> nodes) {
    turnedAway.clear();
    turnedAway.addAll(nodes);
  }

  /** Another node has led meanwhile, with another controller: none is turned away, or put off. */
  public void clear() {
    turnedAway.clear();
    putOff.clear();
  }

  // --- engines (rule 23)

  /** What a node's engine is good at, or was when it was last there. */
  public EngineTraits engine(NodeId node) {
    return sequencer.engines().of(node);
  }

  /** Whether a node's engine is fit for primaries: others hold secondaries only. */
  public boolean mayServe(NodeId node) {
    return PrimaryRule.mayServe(engine(node), sequencer.engines().there(), judged.relaxed());
  }

  /** What none of the others has that a node has, and a cluster needs (rule 23). */
  public Optional<String> lackWithout(NodeId node, List<NodeId> others) {
    if (mayServe(node) && others.stream().noneMatch(this::mayServe)) {
      return Optional.of("an engine fit for primaries");
    }
    return engine(node).persists() && others.stream().noneMatch(one -> engine(one).persists())
        ? Optional.of("an engine that persists")
        : Optional.empty();
  }

  /** Whether the store of a node that is there has done nothing for long (decision 0094). */
  public boolean isStuck(NodeId node) {
    return stuckSeconds(node) > 0;
  }

  /** For how many seconds it has. */
  public long stuckSeconds(NodeId node) {
    return liveIncarnation(node)
        .map(incarnation -> sequencer.stuckSeconds(node, incarnation))
        .orElse(0L);
  }

  // --- copies

  /** Whether the primary of a range is there, as the map says, with its store. */
  public boolean isServedLive(RangeDescriptor range) {
    return isLive(range.primary(), range.primaryIncarnation()) && !isStuck(range.primary());
  }

  /** How far a node's copy of a range is closed for good, if it has said so. */
  public Optional<Position> reported(RangeDescriptor range, NodeId holder) {
    return sequencer.reported(range, holder);
  }

  /** Whether a node is not to be asked for copies now, for it took none of late (decision 0108). */
  public boolean isPutOff(NodeId node) {
    return putOff.isPutOff(node, liveIncarnation(node), context.nanos());
  }

  /** A node had no room for a copy, or its store did nothing while it was to build it. */
  public void tookNoCopy(NodeId node, long incarnation) {
    putOff.tookNone(node, incarnation, members(), context.nanos());
  }

  /** A node has built a copy. */
  public void tookCopy(NodeId node) {
    putOff.tookOne(node);
  }

  /** Whether a node that is there has said that it cannot go on with its copy of a range. */
  public boolean saysLost(RangeDescriptor range, NodeId holder) {
    return sequencer.saysLost(range, holder);
  }
}
