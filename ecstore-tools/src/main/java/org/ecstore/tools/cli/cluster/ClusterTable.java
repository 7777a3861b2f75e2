package org.ecstore.tools.cli.cluster;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.ecstore.cluster.process.NodeStatus;
import org.ecstore.id.RangeId;
import org.ecstore.key.KeyText;
import org.ecstore.model.EngineTraits;
import org.ecstore.model.NodeFact;
import org.ecstore.model.NodeRole;
import org.ecstore.model.NodeTraits;
import org.ecstore.model.Route;
import org.ecstore.protocol.ClientReply.CopyLine;
import org.ecstore.protocol.ClientReply.HotReplicasSeen;
import org.ecstore.protocol.ClientReply.Inspected;
import org.ecstore.protocol.ClientReply.StatusReport;
import org.ecstore.protocol.ClientReply.TraitsLine;
import org.ecstore.server.print.Columns;
import org.ecstore.tools.cli.cluster.RangeHoldings.Held;
import org.ecstore.tools.terminal.BadInputException;

/** How the processes of a cluster are, as text and as JSON. */
final class ClusterTable {
  private static final long THOUSAND = 1000;

  /** The column of keys: of long ones those that differ only at their end are told apart. */
  private static final int FROM = 1;

  /** The column of roles: where it has no room they stand below the table, never in parts. */
  private static final int ROLES = 4;

  private static final long KIBI = 1 << 10;
  private static final long MEBI = 1 << 20;
  private static final long GIBI = 1 << 30;

  private ClusterTable() {}

  /**
   * A table of nodes, one of copies in the order of their keys, and what is not as it should be.
   *
   * @param copies that each range should have
   */
  static List<String> lines(List<NodeStatus> all, Optional<StatusReport> map, int copies) {
    return lines(all, map, copies, StatusFilter.ALL, Integer.MAX_VALUE);
  }

  /**
   * As above, of the copies that the user wants to see and the nodes that have them.
   *
   * @param width of a line of the tables
   * @throws BadInputException if there is no such node or range
   */
  static List<String> lines(
      List<NodeStatus> all,
      Optional<StatusReport> map,
      int copies,
      StatusFilter filter,
      int width) {
    RangeHoldings holdings = new RangeHoldings(all, map, copies);
    mustBeThere(all, holdings, filter);
    List<NodeStatus> shown =
        all.stream()
            .filter(
                each ->
                    filter.isAll()
                        || filter.node().equals(Optional.of((long) each.node()))
                        || holdings.shown(filter).stream()
                            .anyMatch(one -> one.node() == each.node()))
            .toList();
    List<String> lines = nodes(shown, width);
    map.map(ClusterTable::engines).ifPresent(lines::addAll);
    lines.add("");
    lines.addAll(ranges(holdings, filter, width));
    if (!filter.isAll() && holdings.shown(filter).isEmpty()) {
      lines.add("  no copy fits");
    }
    map.ifPresent(
        report ->
            lines.add(
                "  map version %d; each range goes up to where the next begins"
                    .formatted(report.point().mapVersion().value())));
    holdings.notes(filter).forEach(note -> lines.add("  " + note));
    if (map.isEmpty()) {
      lines.add("  no node that answers knows all ranges: there may be others");
    }
    return lines;
  }

  private static void mustBeThere(
      List<NodeStatus> all, RangeHoldings holdings, StatusFilter filter) {
    if (filter.node().isPresent()
        && all.stream().noneMatch(each -> each.node() == filter.node().get())) {
      throw new BadInputException("there is no node " + filter.node().get());
    }
    if (filter.range().isPresent()
        && holdings.all().stream().noneMatch(one -> one.range().equals(filter.range().get()))) {
      throw new BadInputException(
          "no node that answers knows range %s: a range that is split, merged or moved gets another id"
              .formatted(filter.range().get()));
    }
  }

  private static List<String> nodes(List<NodeStatus> all, int width) {
    List<String[]> nodes = new ArrayList<>();
    nodes.add(
        new String[] {
          "node",
          "state",
          "pid",
          "address",
          "roles",
          "ranges",
          "hot replicas",
          "position",
          "disk room"
        });
    for (NodeStatus each : all) {
      nodes.add(
          new String[] {
            String.valueOf(each.node()),
            state(each),
            each.pid().map(String::valueOf).orElse("-"),
            each.address(),
            each.seen().map(ClusterTable::roles).orElse(""),
            each.seen().map(seen -> String.valueOf(seen.copies().size())).orElse("-"),
            each.seen().map(seen -> held(seen.hotReplicas())).orElse("-"),
            each.seen().map(seen -> String.valueOf(seen.point().position().value())).orElse("-"),
            each.seen().map(ClusterTable::rooms).orElse("-")
          });
    }
    List<String> whole = Columns.align(nodes);
    boolean fits = whole.stream().allMatch(line -> line.length() <= width);
    List<String> lines =
        new ArrayList<>(fits ? whole : Columns.align(without(nodes, ROLES), width));
    for (NodeStatus each : all) {
      each.seen()
          .map(seen -> NodeRole.words(seen.roles()))
          .filter(roles -> !fits && !roles.isEmpty())
          .ifPresent(roles -> lines.add("  node " + each.node() + " is " + roles));
      each.guard().ifPresent(said -> lines.add("  node " + each.node() + ": " + said));
      each.seen()
          .map(Inspected::waitsFor)
          .filter(reason -> !reason.isEmpty() && each.state() != NodeStatus.State.DRAINED)
          .ifPresent(reason -> lines.add("  node " + each.node() + " waits: " + reason));
      each.seen().stream()
          .flatMap(seen -> seen.facts().stream())
          .forEach(fact -> lines.add("  node " + each.node() + ": " + fact));
    }
    return lines;
  }

  private static List<String[]> without(List<String[]> rows, int column) {
    return rows.stream()
        .map(
            row ->
                IntStream.range(0, row.length)
                    .filter(i -> i != column)
                    .mapToObj(i -> row[i])
                    .toArray(String[]::new))
        .toList();
  }

  /** What a node holds for copies of others: how many, how large together, how much read. */
  private static String held(HotReplicasSeen hotReplicas) {
    return hotReplicas.held() == 0
        ? "0"
        : "%d (%s, %d/s)"
            .formatted(
                hotReplicas.held(),
                size(hotReplicas.bytes()),
                Math.round(hotReplicas.milliReads() / (double) THOUSAND));
  }

  /** Of each disk that a node writes to: "engine 12.3 GiB, bookie 900 MiB"; of one "12.3 GiB". */
  private static String rooms(Inspected seen) {
    List<String> sizes = seen.rooms().stream().map(room -> size(room.bytesFree())).toList();
    if (sizes.stream().distinct().count() < 2) {
      return sizes.isEmpty() ? "-" : sizes.getFirst();
    }
    return seen.rooms().stream()
        .map(room -> room.of() + " " + size(room.bytesFree()))
        .collect(Collectors.joining(", "));
  }

  private static String size(long bytes) {
    if (bytes >= GIBI) {
      return String.format(Locale.ROOT, "%.1f GiB", bytes / (double) GIBI);
    }
    return bytes >= MEBI
        ? "%d MiB".formatted(Math.round(bytes / (double) MEBI))
        : "%d KiB".formatted((bytes + KIBI - 1) / KIBI);
  }

  /** Which nodes have which kind of engine, and what that is good at (rule 23), a kind a line. */
  private static List<String> engines(StatusReport report) {
    Map<String, List<String>> nodes = new TreeMap<>();
    Map<String, String> profiles = new TreeMap<>();
    for (TraitsLine line : report.traits()) {
      EngineTraits engine = line.traits().engineTraits();
      String kind = engine.kind().isEmpty() ? "unknown" : engine.kind();
      nodes.computeIfAbsent(kind, _ -> new ArrayList<>()).add(String.valueOf(line.node().value()));
      profiles.put(kind, engine.kind().isEmpty() ? "" : ": " + profile(engine));
    }
    return nodes.entrySet().stream()
        .map(
            each ->
                "  engine %s on %s%s"
                    .formatted(
                        each.getKey(),
                        String.join(", ", each.getValue()),
                        profiles.get(each.getKey())))
        .toList();
  }

  private static String profile(EngineTraits engine) {
    List<String> good = new ArrayList<>();
    if (engine.inMemory()) {
      good.add("in memory");
    }
    if (engine.countsForWrites()) {
      good.add("writes fast");
    }
    if (engine.countsForReads()) {
      good.add("reads fast");
    }
    good.add(engine.persists() ? "persists" : "does not persist");
    return String.join(", ", good);
  }

  /** In the table with the names of facts; their values stand below it. */
  private static String roles(Inspected seen) {
    return Stream.concat(
            seen.roles().stream().map(NodeRole::word), seen.facts().stream().map(NodeFact::name))
        .collect(Collectors.joining(", "));
  }

  private static String state(NodeStatus status) {
    return status.state().name().toLowerCase(Locale.ROOT);
  }

  private static List<String> ranges(RangeHoldings holdings, StatusFilter filter, int width) {
    List<String[]> rows = new ArrayList<>();
    rows.add(
        new String[] {
          "range", "from", "node", "role", "state", "epoch", "closed", "behind", "hot"
        });
    Optional<RangeId> above = Optional.empty();
    for (Held one : holdings.shown(filter)) {
      boolean again = above.equals(Optional.of(one.range()));
      above = Optional.of(one.range());
      rows.add(
          new String[] {
            one.range().toString(),
            again ? "" : KeyText.start(one.keys()),
            String.valueOf(one.node()),
            one.role(),
            one.state(),
            String.valueOf(one.epoch().value()),
            one.position(CopyLine::closed),
            holdings.behind(one),
            holdings.hotReplicas(one).map(String::valueOf).orElse("-")
          });
    }
    return Columns.align(rows, width, FROM);
  }

  /** One object with everything. */
  static ObjectNode json(
      List<NodeStatus> all, Optional<StatusReport> map, int copies, Optional<Integer> sequencer) {
    ObjectNode object = JsonNodeFactory.instance.objectNode();
    sequencer.ifPresent(node -> object.put("sequencer", node));
    ArrayNode nodes = object.putArray("nodes");
    for (NodeStatus each : all) {
      ObjectNode node = nodes.addObject();
      node.put("node", each.node()).put("state", state(each)).put("address", each.address());
      each.pid().ifPresent(pid -> node.put("pid", pid));
      each.guard().ifPresent(said -> node.put("guard", said));
      each.seen().ifPresent(seen -> seen(node, seen));
      traits(map, each.node()).ifPresent(traits -> traits(node, traits));
    }
    object.put("mapKnown", map.isPresent());
    ArrayNode ranges = object.putArray("ranges");
    RangeHoldings holdings = new RangeHoldings(all, map, copies);
    for (Held one : holdings.all()) {
      ObjectNode range =
          ranges
              .addObject()
              .put("range", one.range().toString())
              .put("node", one.node())
              .put("role", one.role())
              .put("epoch", one.epoch().value())
              .put("from", KeyText.start(one.keys()))
              .put("to", KeyText.end(one.keys()))
              .put("state", one.state())
              .put("behind", holdings.behind(one));
      holdings.hotReplicas(one).ifPresent(hotReplicas -> range.put("hotReplicas", hotReplicas));
    }
    object.put("copies", copies);
    ids(object.putArray("unavailable"), holdings.lost());
    ids(object.putArray("underReplicated"), holdings.underReplicated());
    ids(
        object.putArray("servedForOthers"),
        map.map(StatusReport::ranges).orElse(List.of()).stream()
            .filter(route -> holdings.homeElsewhere(route).isPresent())
            .toList());
    return object;
  }

  /** What a node's entry in the membership says of it, as a node with a map has read it. */
  private static Optional<TraitsLine> traits(Optional<StatusReport> map, int node) {
    return map.stream()
        .flatMap(report -> report.traits().stream())
        .filter(each -> each.node().value() == node)
        .findFirst();
  }

  private static void traits(ObjectNode node, TraitsLine line) {
    NodeTraits traits = line.traits();
    node.put("host", line.host());
    node.put("class", traits.nodeClass());
    traits.pricePerHour().ifPresent(price -> node.put("pricePerHour", price));
    traits
        .capacity()
        .ifPresent(
            held ->
                node.put("capacity", held.processors())
                    .put("capacityKeptBy", held.keeper().word()));
    node.put("release", traits.version()).put("engine", traits.engine());
    node.put("engineStrengths", traits.engineTraits().strengths());
  }

  private static void ids(ArrayNode array, List<Route> ranges) {
    ranges.forEach(route -> array.add(route.range().toString()));
  }

  private static void seen(ObjectNode node, Inspected seen) {
    node.put("incarnation", seen.incarnation());
    if (!seen.waitsFor().isEmpty()) {
      node.put("waitsFor", seen.waitsFor());
    }
    ArrayNode roles = node.putArray("roles");
    seen.roles().forEach(role -> roles.add(role.word()));
    ObjectNode facts = node.putObject("facts");
    seen.facts().forEach(fact -> facts.put(fact.name(), fact.value()));
    seen.leader().ifPresent(leader -> node.put("leader", leader.value()));
    node.put("position", seen.point().position().value());
    node.put("mapVersion", seen.point().mapVersion().value());
    node.putObject("hotReplicas")
        .put("held", seen.hotReplicas().held())
        .put("bytes", seen.hotReplicas().bytes())
        .put("readsPerSecond", seen.hotReplicas().milliReads() / (double) THOUSAND);
    ArrayNode rooms = node.putArray("diskRooms");
    seen.rooms()
        .forEach(
            room ->
                rooms
                    .addObject()
                    .put("of", room.of())
                    .put("bytesFree", room.bytesFree())
                    .put("bytes", room.bytes()));
    ArrayNode ranges = node.putArray("ranges");
    for (CopyLine copy : seen.copies()) {
      ranges
          .addObject()
          .put("range", copy.range().toString())
          .put("epoch", copy.epoch().value())
          .put("from", KeyText.start(copy.keys()))
          .put("to", KeyText.end(copy.keys()))
          .put("state", copy.state().word())
          .put("base", copy.base().value())
          .put("closed", copy.closed().value())
          .put("onDisk", copy.durable().value());
    }
  }
}
