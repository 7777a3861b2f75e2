package org.ecstore.txn.node;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import org.ecstore.core.lane.Lane;
import org.ecstore.core.port.ClientCall;
import org.ecstore.replication.copy.Copy;
import org.ecstore.txn.node.NodeInspection.CopyView;
import org.ecstore.txn.sequencer.SequencerLink;
import org.ecstore.wire.client.ClientReply;
import org.ecstore.wire.client.ClientReply.CopyLine;
import org.ecstore.wire.client.ClientReply.NodeLine;
import org.ecstore.wire.client.ClientRequest;

/** What a node says of itself to people, also while it does not serve yet. */
final class NodeViews {
  private final Lane lane;
  private final SequencerLink sequencer;
  private final Lookup lookup;
  private final Supplier<List<String>> hosted;

  /**
   * Of a node.
   *
   * @param hosted what its process hosts beside it, in words
   */
  NodeViews(Lane lane, SequencerLink sequencer, Lookup lookup, Supplier<List<String>> hosted) {
    this.lane = lane;
    this.sequencer = sequencer;
    this.lookup = lookup;
    this.hosted = hosted;
  }

  void inspected(ClientCall call, NodeInspection seen) {
    List<String> roles = new ArrayList<>(seen.roles());
    roles.addAll(hosted.get());
    lane.ports()
        .network()
        .reply(
            call,
            new ClientReply.Inspected(
                lane.self(),
                seen.incarnation(),
                seen.waitsFor().orElse(""),
                roles,
                sequencer.leader(),
                seen.adopted(),
                seen.copies().stream().map(NodeViews::line).toList()));
  }

  /** Where this node would look for a key without a map (rule 20), and what its map says. */
  void explain(ClientCall call, ClientRequest.Explain explain, NodeInspection seen) {
    Optional<CopyLine> own =
        seen.copies().stream()
            .filter(copy -> isPrimary(copy) && copy.keys().contains(explain.key()))
            .findFirst()
            .map(NodeViews::line);
    Optional<NodeLine> next =
        own.isPresent()
            ? Optional.empty()
            : lookup
                .nextHop(explain.key(), explain.from())
                .map(node -> new NodeLine(node, lookup.address(node), ""));
    lane.ports()
        .network()
        .reply(
            call,
            new ClientReply.Explained(
                lane.self(), seen.adopted(), own, next, lookup.route(explain.key())));
  }

  private static boolean isPrimary(CopyView copy) {
    return switch (copy.state()) {
      case WAITING, REPLAYING, SERVING -> true;
      case FOLLOWING, BUILDING, BUILT, RETIRED, LOST -> false;
    };
  }

  private static CopyLine line(CopyView copy) {
    return new CopyLine(
        copy.id(),
        copy.epoch(),
        copy.keys(),
        name(copy.state()),
        copy.base(),
        copy.closed(),
        copy.durableClosed());
  }

  private static String name(Copy.State state) {
    return state.name().toLowerCase(Locale.ROOT);
  }
}
