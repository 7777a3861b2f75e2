package org.ecstore.server.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.ecstore.id.Epoch;
import org.ecstore.id.Position;
import org.ecstore.id.RangeId;
import org.ecstore.key.KeyRange;
import org.ecstore.server.print.Columns;
import org.ecstore.server.print.KeyText;
import org.ecstore.server.process.NodeStatus;
import org.ecstore.wire.client.ClientReply.CopyLine;
import org.ecstore.wire.client.ClientReply.Inspected;
import org.ecstore.wire.client.ClientReply.StatusReport;
import org.ecstore.wire.client.Route;

/** How the processes of a cluster are, as text and as JSON. */
final class ClusterTable {
  private static final String AWAY = "away";

  private ClusterTable() {}

  /** A table of nodes, one of ranges in the order of their keys. */
  static List<String> lines(List<NodeStatus> all, Optional<StatusReport> map) {
    List<String[]> nodes = new ArrayList<>();
    nodes.add(
        new String[] {"node", "state", "pid", "address", "roles", "ranges", "position", "map"});
    for (NodeStatus each : all) {
      nodes.add(
          new String[] {
            String.valueOf(each.node()),
            state(each),
            each.pid().map(String::valueOf).orElse("-"),
            each.address(),
            each.seen().map(ClusterTable::roles).orElse(""),
            each.seen().map(seen -> String.valueOf(seen.copies().size())).orElse("-"),
            each.seen().map(seen -> String.valueOf(seen.point().position().value())).orElse("-"),
            each.seen().map(seen -> String.valueOf(seen.point().mapVersion().value())).orElse("-")
          });
    }
    List<String> lines = new ArrayList<>(Columns.align(nodes));
    for (NodeStatus each : all) {
      each.seen()
          .map(Inspected::waitsFor)
          .filter(reason -> !reason.isEmpty())
          .ifPresent(reason -> lines.add("  node " + each.node() + " waits: " + reason));
      each.seen().stream()
          .flatMap(seen -> seen.roles().stream())
          .filter(role -> role.contains(": "))
          .forEach(role -> lines.add("  node " + each.node() + ": " + role));
    }
    lines.add("");
    lines.addAll(ranges(all, map));
    if (map.isEmpty()) {
      lines.add("  no node that answers knows all ranges: there may be others");
    }
    return lines;
  }

  /** In the table without their details, which stand below it. */
  private static String roles(Inspected seen) {
    return seen.roles().stream()
        .map(role -> role.split(": ", 2)[0])
        .collect(Collectors.joining(", "));
  }

  private static String state(NodeStatus status) {
    return status.state().name().toLowerCase(Locale.ROOT);
  }

  /**
   * A range at a node.
   *
   * @param copy absent if the node should have it by the map, and does not say that it has
   */
  private record Held(
      int node, RangeId range, KeyRange keys, Epoch epoch, String state, Optional<CopyLine> copy) {
    static Held of(int node, CopyLine copy) {
      return new Held(
          node, copy.range(), copy.keys(), copy.epoch(), copy.state(), Optional.of(copy));
    }

    static Held away(Route route) {
      int owner = Math.toIntExact(route.primary().value());
      return new Held(owner, route.range(), route.keys(), route.epoch(), AWAY, Optional.empty());
    }

    private String position(Function<CopyLine, Position> which) {
      return copy.map(line -> String.valueOf(which.apply(line).value())).orElse("-");
    }
  }

  /** Copies as nodes have them, and ranges whose owner has none, in the order of keys. */
  private static List<Held> held(List<NodeStatus> all, Optional<StatusReport> map) {
    List<Held> held = new ArrayList<>();
    for (NodeStatus each : all) {
      each.seen()
          .ifPresent(seen -> seen.copies().forEach(copy -> held.add(Held.of(each.node(), copy))));
    }
    List<Held> away =
        map.stream()
            .flatMap(report -> report.ranges().stream())
            .map(Held::away)
            .filter(
                lost ->
                    held.stream()
                        .noneMatch(
                            one -> one.node() == lost.node() && one.range().equals(lost.range())))
            .toList();
    held.addAll(away);
    held.sort(Comparator.comparing((Held one) -> one.keys().start()).thenComparing(Held::range));
    return held;
  }

  private static List<String> ranges(List<NodeStatus> all, Optional<StatusReport> map) {
    List<String[]> rows = new ArrayList<>();
    rows.add(
        new String[] {
          "range", "node", "from", "to", "state", "epoch", "base", "closed", "on disk"
        });
    for (Held one : held(all, map)) {
      rows.add(
          new String[] {
            one.range().toString(),
            String.valueOf(one.node()),
            KeyText.start(one.keys()),
            KeyText.end(one.keys()),
            one.state(),
            String.valueOf(one.epoch().value()),
            one.position(CopyLine::base),
            one.position(CopyLine::closed),
            one.position(CopyLine::durable)
          });
    }
    return Columns.align(rows);
  }

  /** One object with everything. */
  static ObjectNode json(
      List<NodeStatus> all, Optional<StatusReport> map, Optional<Integer> sequencer) {
    ObjectNode object = JsonNodeFactory.instance.objectNode();
    sequencer.ifPresent(node -> object.put("sequencer", node));
    ArrayNode nodes = object.putArray("nodes");
    for (NodeStatus each : all) {
      ObjectNode node = nodes.addObject();
      node.put("node", each.node()).put("state", state(each)).put("address", each.address());
      each.pid().ifPresent(pid -> node.put("pid", pid));
      each.seen().ifPresent(seen -> seen(node, seen));
    }
    object.put("mapKnown", map.isPresent());
    ArrayNode ranges = object.putArray("ranges");
    for (Held one : held(all, map)) {
      ranges
          .addObject()
          .put("range", one.range().toString())
          .put("node", one.node())
          .put("epoch", one.epoch().value())
          .put("from", KeyText.start(one.keys()))
          .put("to", KeyText.end(one.keys()))
          .put("state", one.state());
    }
    return object;
  }

  private static void seen(ObjectNode node, Inspected seen) {
    node.put("incarnation", seen.incarnation());
    if (!seen.waitsFor().isEmpty()) {
      node.put("waitsFor", seen.waitsFor());
    }
    ArrayNode roles = node.putArray("roles");
    seen.roles().forEach(roles::add);
    seen.leader().ifPresent(leader -> node.put("leader", leader.value()));
    node.put("position", seen.point().position().value());
    node.put("mapVersion", seen.point().mapVersion().value());
    ArrayNode ranges = node.putArray("ranges");
    for (CopyLine copy : seen.copies()) {
      ranges
          .addObject()
          .put("range", copy.range().toString())
          .put("epoch", copy.epoch().value())
          .put("from", KeyText.start(copy.keys()))
          .put("to", KeyText.end(copy.keys()))
          .put("state", copy.state())
          .put("base", copy.base().value())
          .put("closed", copy.closed().value())
          .put("onDisk", copy.durable().value());
    }
  }
}
