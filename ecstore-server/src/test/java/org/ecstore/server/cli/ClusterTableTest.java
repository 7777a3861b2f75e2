package org.ecstore.server.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;
import org.ecstore.id.Epoch;
import org.ecstore.id.MapVersion;
import org.ecstore.id.NodeId;
import org.ecstore.id.Position;
import org.ecstore.id.RangeId;
import org.ecstore.id.ReadPoint;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.key.Tuple;
import org.ecstore.server.process.NodeStatus;
import org.ecstore.server.process.NodeStatus.State;
import org.ecstore.wire.client.ClientReply.CopyLine;
import org.ecstore.wire.client.ClientReply.Inspected;
import org.ecstore.wire.client.ClientReply.StatusReport;
import org.ecstore.wire.client.Route;
import org.junit.jupiter.api.Test;

/** Three ranges on three nodes, of which one does not run, and one is only just there again. */
class ClusterTableTest {
  private static final ReadPoint POINT = new ReadPoint(new Position(40), new MapVersion(3));
  private static final Bytes M = Tuple.of("m").encode();
  private static final Bytes T = Tuple.of("t").encode();
  private static final KeyRange LOW = KeyRange.of(Bytes.EMPTY, M);
  private static final KeyRange MIDDLE = KeyRange.of(M, T);
  private static final KeyRange HIGH = KeyRange.from(T);
  private static final StatusReport MAP =
      new StatusReport(
          POINT, List.of(), List.of(route(1, LOW, 1), route(2, MIDDLE, 2), route(3, HIGH, 3)));
  private static final List<NodeStatus> NODES =
      List.of(
          new NodeStatus(1, State.DOWN, Optional.empty(), "h:1", Optional.empty()),
          node(2, State.SERVING, List.of(copy(2, MIDDLE))),
          node(3, State.STARTING, List.of()));

  private static Route route(long range, KeyRange keys, long owner) {
    return new Route(new RangeId(range), new Epoch(7), keys, new NodeId(owner), "");
  }

  private static CopyLine copy(long range, KeyRange keys) {
    return new CopyLine(
        new RangeId(range),
        new Epoch(7),
        keys,
        "serving",
        new Position(1),
        new Position(40),
        new Position(30));
  }

  private static NodeStatus node(int node, State state, List<CopyLine> copies) {
    Inspected seen =
        new Inspected(new NodeId(node), 1, "", List.of(), Optional.empty(), POINT, copies);
    return new NodeStatus(node, state, Optional.of(100L + node), "h:" + node, Optional.of(seen));
  }

  private static List<String> states(Optional<StatusReport> map) {
    List<String> lines = ClusterTable.lines(NODES, map);
    return lines.subList(lines.indexOf("") + 2, lines.size()).stream()
        .map(line -> String.join(" ", line.strip().split(" {2,}")))
        .toList();
  }

  @Test
  void rangeThatNobodyServesIsShownWithItsOwner() {
    List<String> lines = states(Optional.of(MAP));
    assertEquals(3, lines.size(), lines::toString);
    assertTrue(
        lines.get(0).startsWith("r1 1 ") && lines.get(0).endsWith(" away 7 - - -"),
        lines::toString);
    assertTrue(lines.get(1).endsWith(" serving 7 1 40 30"), lines::toString);
    assertTrue(
        lines.get(2).startsWith("r3 3 ") && lines.get(2).endsWith(" away 7 - - -"),
        lines::toString);
  }

  @Test
  void withoutAMapTheTableSaysThatThereMayBeMore() {
    List<String> lines = states(Optional.empty());
    assertEquals(2, lines.size(), lines::toString);
    assertEquals("no node that answers knows all ranges: there may be others", lines.get(1));
  }

  @Test
  void jsonHasThemToo() {
    ObjectNode object = ClusterTable.json(NODES, Optional.of(MAP), Optional.empty());
    assertTrue(object.path("mapKnown").asBoolean());
    List<String> ranges = object.path("ranges").findValuesAsText("state");
    assertEquals(List.of("away", "serving", "away"), ranges);
    assertEquals(1, object.path("ranges").path(0).path("node").asInt());

    ObjectNode without = ClusterTable.json(NODES, Optional.empty(), Optional.empty());
    assertFalse(without.path("mapKnown").asBoolean());
    assertEquals(1, without.path("ranges").size());
  }
}
