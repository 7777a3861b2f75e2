package org.ecstore.txn.node;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.ecstore.core.port.ClientCall;
import org.ecstore.core.runtime.NodeContext;
import org.ecstore.id.Epoch;
import org.ecstore.id.Position;
import org.ecstore.id.RangeId;
import org.ecstore.model.NodeFact;
import org.ecstore.model.NodeRole;
import org.ecstore.protocol.ClientReply;
import org.ecstore.protocol.ClientReply.CopyLine;
import org.ecstore.protocol.ClientReply.NodeLine;
import org.ecstore.protocol.ClientRequest;
import org.ecstore.replication.copy.Copy;
import org.ecstore.replication.copy.CopyBuilder;
import org.ecstore.replication.hotspot.HotReplicaStreams;
import org.ecstore.replication.hotspot.HotReplicas;
import org.ecstore.txn.node.NodeInspection.CopyView;
import org.ecstore.txn.sequencer.SequencerLink;

/** What a node says of itself to people, also while it does not serve yet. */
final class NodeViews {
  private static final double THOUSAND = 1000.0;

  private final NodeContext context;
  private final SequencerLink sequencer;
  private final KeyLocator locator;
  private final HotReplicas hotReplicas;
  private final CopyBuilder builder;
  private final NodeParts parts;

  /**
   * Of a node.
   *
   * @param parts that know what its process hosts beside it
   */
  NodeViews(
      NodeContext context,
      SequencerLink sequencer,
      KeyLocator locator,
      HotReplicas hotReplicas,
      CopyBuilder builder,
      NodeParts parts) {
    this.context = context;
    this.sequencer = sequencer;
    this.locator = locator;
    this.hotReplicas = hotReplicas;
    this.builder = builder;
    this.parts = parts;
  }

  void inspected(ClientCall call, NodeInspection seen) {
    List<NodeRole> roles = new ArrayList<>(seen.roles());
    roles.addAll(parts.hosted());
    List<NodeFact> facts = new ArrayList<>(seen.facts());
    facts.addAll(parts.facts());
    context
        .ports()
        .network()
        .reply(
            call,
            new ClientReply.Inspected(
                context.self(),
                seen.incarnation(),
                seen.waitsFor().orElse(""),
                roles,
                facts,
                sequencer.leader(),
                seen.adopted(),
                Stream.concat(seen.copies().stream(), beingBuilt(seen))
                    .map(copy -> line(seen, copy))
                    .toList(),
                hotReplicas(),
                parts.rooms()));
  }

  /** Copies that answer nothing and are in no map, as they have not all their rows yet. */
  private Stream<CopyView> beingBuilt(NodeInspection seen) {
    Set<RangeId> complete = seen.copies().stream().map(CopyView::id).collect(Collectors.toSet());
    return builder.underWay().stream()
        .filter(plan -> !complete.contains(plan.id()))
        .map(
            plan ->
                new CopyView(
                    plan.id(),
                    Epoch.ZERO,
                    plan.keys(),
                    Copy.State.BUILDING,
                    Position.ZERO,
                    Position.ZERO,
                    Position.ZERO,
                    Position.ZERO));
  }

  private ClientReply.HotReplicasSeen hotReplicas() {
    TreeMap<RangeId, Integer> fed = new TreeMap<>();
    for (HotReplicaStreams.View hotReplica : hotReplicas.fed()) {
      if (hotReplica.filled()) {
        fed.merge(hotReplica.range(), 1, Integer::sum);
      }
    }
    return new ClientReply.HotReplicasSeen(
        hotReplicas.host().count(),
        hotReplicas.host().bytes(),
        Math.round(hotReplicas.host().reads() * THOUSAND),
        fed.entrySet().stream()
            .map(each -> new ClientReply.HotReplicasFed(each.getKey(), each.getValue()))
            .toList());
  }

  /** Where this node would look for a key without a map (rule 20), and what its map says. */
  void explain(ClientCall call, ClientRequest.Explain explain, NodeInspection seen) {
    Optional<CopyLine> own =
        seen.copies().stream()
            .filter(copy -> isPrimary(copy) && copy.keys().contains(explain.key()))
            .findFirst()
            .map(copy -> line(seen, copy));
    Optional<NodeLine> next =
        own.isPresent()
            ? Optional.empty()
            : locator
                .nextHop(explain.key(), explain.from())
                .map(node -> new NodeLine(node, locator.address(node), List.of()));
    context
        .ports()
        .network()
        .reply(
            call,
            new ClientReply.Explained(
                context.self(), seen.adopted(), own, next, locator.route(explain.key())));
  }

  private static boolean isPrimary(CopyView copy) {
    return switch (copy.state()) {
      case WAITING, REPLAYING, SERVING -> true;
      case FOLLOWING, BUILDING, BUILT, RETIRED, LOST -> false;
    };
  }

  private static CopyLine line(NodeInspection seen, CopyView copy) {
    return new CopyLine(
        copy.id(),
        copy.epoch(),
        copy.keys(),
        seen.state(copy),
        copy.base(),
        copy.closed(),
        copy.durableFolded());
  }
}
