package org.ecstore.tools.cli.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.ecstore.cluster.process.NodeStatus;
import org.ecstore.cluster.process.NodeStatus.State;
import org.ecstore.id.Epoch;
import org.ecstore.id.MapVersion;
import org.ecstore.id.NodeId;
import org.ecstore.id.Position;
import org.ecstore.id.RangeId;
import org.ecstore.id.ReadPoint;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.key.Tuple;
import org.ecstore.model.CopyState;
import org.ecstore.model.EngineTraits;
import org.ecstore.model.NodeFact;
import org.ecstore.model.NodeRole;
import org.ecstore.model.NodeTraits;
import org.ecstore.model.Route;
import org.ecstore.protocol.ClientReply.CopyLine;
import org.ecstore.protocol.ClientReply.DiskRoom;
import org.ecstore.protocol.ClientReply.Holders;
import org.ecstore.protocol.ClientReply.HotReplicasFed;
import org.ecstore.protocol.ClientReply.HotReplicasSeen;
import org.ecstore.protocol.ClientReply.Inspected;
import org.ecstore.protocol.ClientReply.StatusReport;
import org.ecstore.protocol.ClientReply.TraitsLine;
import org.ecstore.tools.terminal.BadInputException;
import org.ecstore.tools.terminal.Screen;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Three ranges on three nodes, of which one does not run, and one is only just there again. */
class ClusterTableTest {
  private static final ReadPoint POINT = new ReadPoint(new Position(40), new MapVersion(3));
  private static final Bytes M = Tuple.of("m").encode();
  private static final Bytes T = Tuple.of("t").encode();
  private static final KeyRange LOW = KeyRange.of(Bytes.EMPTY, M);
  private static final KeyRange MIDDLE = KeyRange.of(M, T);
  private static final KeyRange HIGH = KeyRange.from(T);
  private static final NodeTraits TRAITS =
      new NodeTraits("large", Optional.of(new BigDecimal("0.25")), "1.2.3", "je")
          .with(new NodeTraits.Capacity(new BigDecimal("0.2"), NodeTraits.Capacity.Keeper.NODE));
  private static final StatusReport MAP =
      new StatusReport(
          POINT,
          List.of(),
          List.of(route(1, LOW, 1), route(2, MIDDLE, 2), route(3, HIGH, 3)),
          List.of(holders(1, 1, 3), holders(2, 1, 1), holders(3, 3, 2)),
          List.of(new TraitsLine(new NodeId(1), "rack", TRAITS)));
  private static final HotReplicasSeen HOT_REPLICAS =
      new HotReplicasSeen(4, 70_000, 120_400, List.of(new HotReplicasFed(new RangeId(2), 3)));
  private static final List<DiskRoom> ROOMS =
      List.of(
          new DiskRoom("engine", 13_207_024_435L, 42_949_672_960L),
          new DiskRoom("bookie", 943_718_400L, 42_949_672_960L));
  private static final List<NodeStatus> NODES =
      List.of(
          new NodeStatus(
              1, State.DOWN, Optional.empty(), "h:1", Optional.empty(), Optional.empty()),
          node(
              2,
              State.SERVING,
              List.of(copy(2, MIDDLE, CopyState.SERVING), copy(3, HIGH, CopyState.FOLLOWING))),
          node(3, State.STARTING, List.of()));

  private static Route route(long range, KeyRange keys, long owner) {
    return new Route(new RangeId(range), new Epoch(7), keys, new NodeId(owner), "");
  }

  private static Holders holders(long range, long home, long secondary) {
    return new Holders(
        new RangeId(range), Optional.of(new NodeId(home)), List.of(new NodeId(secondary)));
  }

  private static CopyLine copy(long range, KeyRange keys, CopyState state) {
    return new CopyLine(
        new RangeId(range),
        new Epoch(7),
        keys,
        state,
        new Position(1),
        new Position(38),
        new Position(30));
  }

  private static NodeStatus node(int node, State state, List<CopyLine> copies) {
    Inspected seen =
        new Inspected(
            new NodeId(node),
            1,
            "",
            List.of(),
            List.of(),
            Optional.empty(),
            POINT,
            copies,
            HOT_REPLICAS,
            ROOMS);
    return new NodeStatus(
        node, state, Optional.of(100L + node), "h:" + node, Optional.of(seen), Optional.empty());
  }

  private static List<String> states(Optional<StatusReport> map) {
    List<String> lines = ClusterTable.lines(NODES, map, 2);
    return lines.subList(lines.indexOf("") + 2, lines.size()).stream()
        .map(line -> String.join(" ", line.strip().split(" {2,}")))
        .toList();
  }

  @Test
  void everyCopyIsShownAndThoseThatAreAwayToo() {
    List<String> lines = states(Optional.of(MAP));
    List<String> copies = lines.subList(0, 6);
    assertEquals("r1 the beginning 1 primary away 7 - - -", copies.get(0));
    assertEquals("r1 3 secondary away 7 - - -", copies.get(1));
    assertEquals("r2 (\"m\") 2 primary serving 7 38 2 3", copies.get(2));
    assertTrue(copies.get(4).startsWith("r3 (\"t\") 3 primary "), lines::toString);
    assertEquals("r3 2 secondary following 7 38 2 0", copies.get(5));
    assertEquals("map version 3; each range goes up to where the next begins", lines.get(6));
  }

  @Test
  void hotReplicasAreShownWithWhoHoldsAndWhoFeedsThem() {
    List<String> lines = ClusterTable.lines(NODES, Optional.of(MAP), 2);
    assertTrue(lines.get(0).matches(".* ranges +hot replicas +position .*"), lines::toString);
    assertTrue(lines.get(2).contains(" 4 (69 KiB, 120/s) "), lines::toString);
    ObjectNode object = ClusterTable.json(NODES, Optional.of(MAP), 2, Optional.empty());
    assertEquals(4, object.path("nodes").path(1).path("hotReplicas").path("held").asInt());
    assertEquals(70_000, object.path("nodes").path(1).path("hotReplicas").path("bytes").asInt());
    assertEquals(3, object.path("ranges").path(2).path("hotReplicas").asInt());
    assertEquals(
        120.4, object.path("nodes").path(1).path("hotReplicas").path("readsPerSecond").asDouble());
    assertTrue(object.path("ranges").path(0).path("hotReplicas").isMissingNode(), "it is away");
  }

  @Test
  void jsonSaysWhatKindOfNodeANodeIs() {
    ObjectNode object = ClusterTable.json(NODES, Optional.of(MAP), 2, Optional.empty());
    JsonNode node = object.path("nodes").path(0);
    assertEquals("rack", node.path("host").asText());
    assertEquals("large", node.path("class").asText());
    assertEquals(new BigDecimal("0.25"), node.path("pricePerHour").decimalValue());
    assertEquals(new BigDecimal("0.2"), node.path("capacity").decimalValue());
    assertEquals("node", node.path("capacityKeptBy").asText());
    assertEquals("1.2.3", node.path("release").asText());
    assertEquals("je", node.path("engine").asText());
    assertEquals("writes+reads+persists", node.path("engineStrengths").asText());
    assertTrue(object.path("nodes").path(1).path("class").isMissingNode(), "it is not known");
  }

  @Test
  void rangeWithoutACopyIsSaidToBeUnavailable() {
    List<String> lines = states(Optional.of(MAP));
    assertEquals(
        List.of(
            "range r1, from the beginning to (\"m\"), is UNAVAILABLE: no copy of it is there; it"
                + " was on nodes 1, 3, and its data are nowhere else: start one of them again",
            "range r2 is under-replicated: 1 of 2 copies are there and follow",
            "range r3 is under-replicated: 1 of 2 copies are there and follow",
            "range r2 is served by node 2 for node 1, which it belongs to"),
        lines.subList(7, lines.size()));
  }

  @Test
  void withoutAMapTheTableSaysThatThereMayBeMore() {
    List<String> lines = states(Optional.empty());
    assertEquals(3, lines.size(), lines::toString);
    assertEquals("no node that answers knows all ranges: there may be others", lines.get(2));
  }

  @Test
  void roomOnTheDisksOfEngineAndBookieIsShown() {
    List<String> lines = ClusterTable.lines(NODES, Optional.of(MAP), 2);
    assertTrue(lines.get(0).endsWith("  disk room"), lines::toString);
    assertTrue(lines.get(2).endsWith("  engine 12.3 GiB, bookie 900 MiB"), lines::toString);
    ObjectNode object = ClusterTable.json(NODES, Optional.of(MAP), 2, Optional.empty());
    ObjectNode bookie = (ObjectNode) object.path("nodes").path(1).path("diskRooms").path(1);
    assertEquals("bookie", bookie.path("of").asText());
    assertEquals(943_718_400L, bookie.path("bytesFree").asLong());
    assertEquals(42_949_672_960L, bookie.path("bytes").asLong());
  }

  @Test
  void copyWhoseEngineRefusesWritesIsThereAndDoesNotCount() {
    List<NodeStatus> all =
        List.of(node(2, State.SERVING, List.of(copy(2, MIDDLE, CopyState.REFUSES_WRITES))));
    List<String> lines = ClusterTable.lines(all, Optional.of(MAP), 1);
    assertTrue(
        lines.stream().anyMatch(line -> line.contains("  refuses writes  ")), lines::toString);
    assertTrue(
        lines.contains("  range r2 is under-replicated: 0 of 1 copies are there and follow"),
        lines::toString);
    assertTrue(lines.stream().noneMatch(line -> line.contains("r2, from")), lines::toString);
  }

  @Test
  void whatIsToBeSaidOfAGuardStandsBelowTheNodes() {
    NodeStatus ended =
        new NodeStatus(
            4,
            State.RESTARTING,
            Optional.empty(),
            "h:4",
            Optional.empty(),
            Optional.of("its guard said last: it is started again in 8 s"));
    List<String> lines = ClusterTable.lines(List.of(ended), Optional.of(MAP), 2);
    assertTrue(lines.get(1).strip().startsWith("4     restarting"), lines::toString);
    assertEquals("  node 4: its guard said last: it is started again in 8 s", lines.get(2));
    ObjectNode object = ClusterTable.json(List.of(ended), Optional.of(MAP), 2, Optional.empty());
    assertEquals("restarting", object.path("nodes").path(0).path("state").asText());
    assertEquals(
        "its guard said last: it is started again in 8 s",
        object.path("nodes").path(0).path("guard").asText());
  }

  private static List<String> shown(StatusFilter filter) {
    return ClusterTable.lines(NODES, Optional.of(MAP), 2, filter, Integer.MAX_VALUE).stream()
        .map(line -> String.join(" ", line.strip().split(" {2,}")))
        .toList();
  }

  private static StatusFilter of(@Nullable Long range, @Nullable Long node, @Nullable Bytes key) {
    return new StatusFilter(
        Optional.ofNullable(range).map(RangeId::new),
        Optional.ofNullable(node),
        Optional.ofNullable(key));
  }

  private static void assertFirstWords(List<String> words, List<String> lines) {
    assertEquals(
        words, lines.stream().map(line -> line.split(" ", 2)[0]).toList(), lines::toString);
  }

  @Test
  void kindsOfEnginesAreNamedWithWhatTheyAreGoodAt() {
    String je = ": writes fast, reads fast, persists";
    assertTrue(
        ClusterTable.lines(NODES, Optional.of(MAP), 2).contains("  engine je on 1" + je),
        "also where all have one kind");
    NodeTraits redis = TRAITS.with("1.2.3", new EngineTraits("redis", true, true, true, false));
    StatusReport mixed =
        new StatusReport(
            POINT,
            List.of(),
            MAP.ranges(),
            MAP.holders(),
            List.of(
                new TraitsLine(new NodeId(1), "a", TRAITS),
                new TraitsLine(new NodeId(2), "b", redis),
                new TraitsLine(new NodeId(3), "c", TRAITS)));
    List<String> lines = ClusterTable.lines(NODES, Optional.of(mixed), 2);
    assertTrue(lines.contains("  engine je on 1, 3" + je), lines::toString);
    assertTrue(
        lines.contains("  engine redis on 2: in memory, writes fast, reads fast, does not persist"),
        lines::toString);
    assertEquals(
        "writes+reads+memory",
        ClusterTable.json(NODES, Optional.of(mixed), 2, Optional.empty())
            .path("nodes")
            .path(1)
            .path("engineStrengths")
            .asText());
  }

  @Test
  void copiesOfOneRangeOrOfAKeyAreShownWithTheirNodesAndNotes() {
    List<String> lines = shown(of(2L, null, null));
    assertFirstWords(
        List.of("node", "1", "2", "engine", "", "range", "r2", "r2", "map", "range", "range"),
        lines);
    assertTrue(lines.get(9).startsWith("range r2 is under-replicated"), lines::toString);
    assertEquals(lines, shown(of(null, null, Tuple.of("n").encode())));
    assertEquals(lines, shown(of(2L, null, Tuple.of("n").encode())));
  }

  @Test
  void copiesOnOneNodeAreShown() {
    List<String> lines = shown(of(null, 3L, null));
    assertFirstWords(
        List.of("node", "3", "engine", "", "range", "r1", "r3", "map", "range", "range"), lines);
    assertTrue(shown(of(2L, 3L, null)).contains("no copy fits"));
  }

  @Test
  void unknownNodesAndRangesAreBadInput() {
    assertThrows(BadInputException.class, () -> shown(of(9L, null, null)));
    assertThrows(BadInputException.class, () -> shown(of(null, 9L, null)));
  }

  @Test
  void terminalOfUnknownSizeSetsNoLimit() {
    assertEquals(120, Screen.columns("40 120\n"));
    for (String none : List.of("", "0 0\n", "40\n", "stty: no\n", "40 1234567")) {
      assertEquals(Integer.MAX_VALUE, Screen.columns(none), none);
    }
  }

  /** A busy cluster: every role, much to say of each node, long keys of one table. */
  @Test
  void tablesFitAHundredColumnsAndTellRangesOfOneTableApart() {
    List<Route> routes = new ArrayList<>();
    List<CopyLine> copies = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      String from = "customers-of-the-northern-branch-" + (100 + i);
      KeyRange keys =
          KeyRange.of(
              Tuple.of("visits", from, 1_000_000_000L + i).encode(),
              Tuple.of("visits", from, 1_000_000_001L + i).encode());
      routes.add(route(1_000_100 + i, keys, 21));
      copies.add(copy(1_000_100 + i, keys, CopyState.FOLLOWING));
    }
    Inspected seen =
        new Inspected(
            new NodeId(21),
            1,
            "",
            List.of(NodeRole.SEQUENCER, NodeRole.STEWARD, NodeRole.BOOKIE),
            List.of(new NodeFact("zookeeper", "down")),
            Optional.empty(),
            new ReadPoint(new Position(123_456_789), new MapVersion(3)),
            copies,
            HOT_REPLICAS,
            ROOMS);
    NodeStatus node =
        new NodeStatus(
            21,
            State.SERVING,
            Optional.of(1_234_567L),
            "127.0.0.1:42135",
            Optional.of(seen),
            Optional.empty());
    List<String> lines =
        ClusterTable.lines(
            List.of(node),
            Optional.of(new StatusReport(POINT, List.of(), routes)),
            1,
            StatusFilter.ALL,
            100);
    List<String> tables = lines.subList(0, lines.indexOf("") + 22);
    assertTrue(tables.stream().allMatch(line -> line.length() <= 100), tables::toString);
    assertTrue(lines.contains("  node 21 is sequencer, steward, bookie"), lines::toString);
    assertFalse(lines.getFirst().contains("roles"), lines.getFirst());
    List<String> froms =
        tables.subList(lines.indexOf("") + 2, tables.size()).stream()
            .map(line -> line.strip().split(" {2,}", -1)[1])
            .toList();
    assertEquals(20, froms.size());
    assertEquals(20, froms.stream().distinct().count(), froms::toString);
  }

  @Test
  void tablesFitTheTerminalAndNotesAreWhole() {
    List<String> lines = ClusterTable.lines(NODES, Optional.of(MAP), 2, StatusFilter.ALL, 84);
    assertTrue(
        lines.subList(0, lines.indexOf("") + 8).stream().allMatch(line -> line.length() <= 84),
        lines::toString);
    assertTrue(lines.toString().contains("its data are nowhere else: start one of them again"));
  }

  @Test
  void jsonHasThemToo() {
    ObjectNode object = ClusterTable.json(NODES, Optional.of(MAP), 2, Optional.empty());
    assertTrue(object.path("mapKnown").asBoolean());
    List<String> ranges = object.path("ranges").findValuesAsText("state");
    assertEquals(List.of("away", "away", "serving", "away", "away", "following"), ranges);
    assertEquals("r1", object.path("unavailable").path(0).asText());
    assertEquals(1, object.path("unavailable").size());
    assertEquals(2, object.path("underReplicated").size());
    assertEquals("r2", object.path("servedForOthers").path(0).asText());
    assertEquals(1, object.path("ranges").path(0).path("node").asInt());

    ObjectNode without = ClusterTable.json(NODES, Optional.empty(), 2, Optional.empty());
    assertFalse(without.path("mapKnown").asBoolean());
    assertEquals(2, without.path("ranges").size());
  }
}
