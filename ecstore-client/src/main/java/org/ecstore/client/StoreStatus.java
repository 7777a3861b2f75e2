package org.ecstore.client;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.ecstore.id.Epoch;
import org.ecstore.id.MapVersion;
import org.ecstore.id.NodeId;
import org.ecstore.id.Position;
import org.ecstore.id.RangeId;
import org.ecstore.key.KeyRange;
import org.ecstore.model.NodeRole;
import org.ecstore.model.NodeTraits;
import org.ecstore.model.Route;
import org.ecstore.protocol.ClientReply;

/**
 * Nodes, and ranges with their copies, as one node knew them: {@link EcStore#status()}. For people
 * and for checks; it is old as soon as it is there.
 *
 * @param taken when this client had it, by its clock
 * @param position up to which the node knew the commits
 * @param mapVersion of its map of ranges: the position of the last change that it knew
 * @param nodes the members of the cluster
 * @param ranges in the order of their keys, without gaps if the node knew all of them
 */
public record StoreStatus(
    Instant taken,
    Position position,
    MapVersion mapVersion,
    List<StoreNode> nodes,
    List<StoreRange> ranges) {
  public StoreStatus {
    nodes = List.copyOf(nodes);
    ranges = List.copyOf(ranges);
  }

  /**
   * A member of the cluster.
   *
   * @param address where clients reach it, {@code host:port}; empty if nowhere
   * @param roles what it does
   * @param host the label that it shares with nodes that fail together with it; empty if not known
   * @param traits its class, price, release and engine, as far as they are known
   */
  public record StoreNode(
      NodeId id, String address, List<NodeRole> roles, String host, NodeTraits traits) {
    public StoreNode {
      roles = List.copyOf(roles);
    }
  }

  /**
   * A range of keys and who has copies of it.
   *
   * @param epoch counts who was primary
   * @param available whether the primary is a member; if not, another takes over soon
   */
  public record StoreRange(
      RangeId id,
      Epoch epoch,
      KeyRange keys,
      NodeId primary,
      boolean available,
      List<NodeId> secondaries) {
    public StoreRange {
      secondaries = List.copyOf(secondaries);
    }
  }

  /** How long ago it was taken. */
  public Duration age() {
    return Duration.between(taken, Instant.now());
  }

  static StoreStatus of(ClientReply.StatusReport report, Instant taken) {
    Map<NodeId, ClientReply.TraitsLine> traits =
        report.traits().stream()
            .collect(
                Collectors.toMap(
                    ClientReply.TraitsLine::node, Function.identity(), (one, other) -> one));
    Map<RangeId, List<NodeId>> secondaries =
        report.holders().stream()
            .collect(
                Collectors.toMap(
                    ClientReply.Holders::range,
                    ClientReply.Holders::secondaries,
                    (one, other) -> one));
    Set<NodeId> members =
        report.nodes().stream().map(ClientReply.NodeLine::node).collect(Collectors.toSet());
    return new StoreStatus(
        taken,
        report.point().position(),
        report.point().mapVersion(),
        report.nodes().stream()
            .map(line -> node(line, Optional.ofNullable(traits.get(line.node()))))
            .toList(),
        report.ranges().stream()
            .map(
                route ->
                    range(
                        route,
                        members.contains(route.primary()),
                        Optional.ofNullable(secondaries.get(route.range()))))
            .toList());
  }

  private static StoreNode node(
      ClientReply.NodeLine line, Optional<ClientReply.TraitsLine> traits) {
    return new StoreNode(
        line.node(),
        line.address(),
        line.roles(),
        traits.map(ClientReply.TraitsLine::host).orElse(""),
        traits.map(ClientReply.TraitsLine::traits).orElse(NodeTraits.UNKNOWN));
  }

  private static StoreRange range(
      Route route, boolean available, Optional<List<NodeId>> secondaries) {
    return new StoreRange(
        route.range(),
        route.epoch(),
        route.keys(),
        route.primary(),
        available,
        secondaries.orElseGet(
            () -> route.secondaries().stream().map(Route.Secondary::node).toList()));
  }
}
