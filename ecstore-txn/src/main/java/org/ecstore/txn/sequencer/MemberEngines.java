package org.ecstore.txn.sequencer;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.ecstore.core.port.Coordination.Member;
import org.ecstore.id.NodeId;
import org.ecstore.model.EngineTraits;

/**
 * What the engines of nodes are good at (rule 23), of those that are away too. On the event loop.
 */
public final class MemberEngines {
  private final Supplier<List<Member>> members;

  /** As they were when {@link #note} last looked. */
  private final Map<NodeId, EngineTraits> seen = new TreeMap<>();

  MemberEngines(Supplier<List<Member>> members) {
    this.members = members;
  }

  private static EngineTraits of(Member member) {
    return member.info().traits().engineTraits();
  }

  /** Remembers those that are there, for when they are not. */
  void note() {
    members.get().forEach(member -> seen.put(member.node(), of(member)));
  }

  /**
   * What a node's engine is good at, or was when it was last there; good at both, and persisting,
   * if it was never seen: nothing is done without need to a copy of which nothing is known.
   */
  public EngineTraits of(NodeId node) {
    return known(node).orElse(EngineTraits.of(""));
  }

  /** As above; absent if the node was never seen. */
  Optional<EngineTraits> known(NodeId node) {
    for (Member member : members.get()) {
      if (member.node().equals(node)) {
        return Optional.of(of(member));
      }
    }
    return Optional.ofNullable(seen.get(node));
  }

  /** Those of the nodes that are there. */
  public List<EngineTraits> there() {
    return members.get().stream().map(MemberEngines::of).toList();
  }
}
