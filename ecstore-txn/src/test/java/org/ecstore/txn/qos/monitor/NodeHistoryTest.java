package org.ecstore.txn.qos.monitor;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.stream.LongStream;
import org.ecstore.id.NodeId;
import org.ecstore.model.control.NodeLoad;
import org.ecstore.model.control.NodeSlot;
import org.ecstore.protocol.ClientReply.NodeHistoryLine;
import org.junit.jupiter.api.Test;

class NodeHistoryTest {
  private static final long SECOND = 1_000_000_000;
  private static final NodeId ONE = new NodeId(1);
  private static final NodeId TWO = new NodeId(2);

  private long nanos = -5 * SECOND;
  private final NodeHistory history = new NodeHistory(() -> nanos, ServiceHistory.SLOT_NANOS);

  private static NodeLoad load(long busyMilli) {
    return new NodeLoad(busyMilli, 10 * busyMilli, 5, 1, busyMilli / 2);
  }

  private List<NodeSlot> slots(NodeId node) {
    List<NodeHistoryLine> lines = history.lines(List.of(node));
    return lines.isEmpty() ? List.of() : lines.getFirst().slots();
  }

  @Test
  void aSlotHasTheMeanOfWhatANodeSaidAndTheMostThatItWasBehind() {
    history.take(ONE, load(100));
    nanos += 2 * SECOND;
    history.take(ONE, load(300));
    history.take(TWO, load(7));
    nanos += 5 * SECOND;
    history.take(ONE, load(900));
    assertEquals(
        List.of(new NodeSlot(2_000, new NodeLoad(200, 2_000, 10, 2, 150))),
        slots(ONE),
        "the one that is being filled is left out");
    nanos += 30 * SECOND;
    assertEquals(
        List.of(
            new NodeSlot(32_000, new NodeLoad(200, 2_000, 10, 2, 150)),
            new NodeSlot(2_000, load(900))),
        slots(ONE));
    assertEquals(List.of(new NodeSlot(32_000, load(7))), slots(TWO));
    assertEquals(
        List.of(ONE, TWO),
        history.lines(List.of(TWO, ONE)).stream().map(NodeHistoryLine::node).toList());
    assertEquals(List.of(), history.lines(List.of(new NodeId(3))));
  }

  @Test
  void theFirstSlotIsThereAtOnce() {
    history.take(ONE, load(100));
    assertEquals(List.of(new NodeSlot(0, load(100))), slots(ONE));
  }

  @Test
  void twentyMinutesAreKeptAndNoMoreNodesThanThereMayBe() {
    for (int slot = 0; slot < 100; slot++) {
      history.take(ONE, load(slot));
      nanos += ServiceHistory.SLOT_NANOS;
    }
    assertEquals(
        LongStream.range(61, 100).boxed().toList(),
        slots(ONE).stream().map(slot -> slot.load().busyMilli()).toList());
    List<NodeId> many =
        LongStream.rangeClosed(1, 2 * NodeHistory.NODES_MAX).mapToObj(NodeId::new).toList();
    many.forEach(node -> history.take(node, load(1)));
    assertEquals(NodeHistory.NODES_MAX, history.lines(many).size());
    nanos += ServiceHistory.SLOTS * ServiceHistory.SLOT_NANOS;
    assertEquals(List.of(), history.lines(many), "who has gone is forgotten");
  }

  @Test
  void byAClockThatHasJumpedBackNothingIsKnown() {
    history.take(ONE, load(100));
    nanos -= 60 * SECOND;
    assertEquals(List.of(), slots(ONE));
    history.take(ONE, load(200));
    assertEquals(List.of(new NodeSlot(0, load(200))), slots(ONE));
    history.clear();
    assertEquals(List.of(), slots(ONE));
  }
}
