package org.ecstore.server.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import org.ecstore.server.net.ConnectionSlots.Slot;
import org.ecstore.server.net.ConnectionSlots.Standing;
import org.junit.jupiter.api.Test;

/** Who goes when there is not room for all. */
class ConnectionSlotsTest {
  private final List<String> cut = new ArrayList<>();

  private static InetAddress address(int... bytes) {
    byte[] raw = new byte[bytes.length];
    for (int i = 0; i < bytes.length; i++) {
      raw[i] = (byte) bytes[i];
    }
    try {
      return InetAddress.getByAddress(raw);
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException(e);
    }
  }

  private static final InetAddress ONE = address(10, 0, 0, 1);
  private static final InetAddress OTHER = address(10, 0, 0, 2);

  private Slot arrive(ConnectionSlots slots, InetAddress from, String name) {
    return slots.arrive(from, _ -> cut.add(name));
  }

  private boolean sits(ConnectionSlots slots, InetAddress from, String name) {
    return arrive(slots, from, name).sit();
  }

  @Test
  void whileThereIsRoomOneAddressMayHaveItAll() {
    ConnectionSlots slots = new ConnectionSlots(10_000);
    for (int i = 0; i < 10_000; i++) {
      assertTrue(sits(slots, ONE, "c" + i));
    }
    assertEquals(10_000, slots.count(Standing.CLIENT));
    assertEquals(List.of(), cut);
  }

  @Test
  void whereRoomIsScarceEachAddressGetsItsShareFromTheNewestOfTheGreediest() {
    ConnectionSlots slots = new ConnectionSlots(4);
    for (int i = 0; i < 4; i++) {
      assertTrue(sits(slots, ONE, "one" + i));
    }
    assertTrue(sits(slots, OTHER, "other0"));
    assertTrue(sits(slots, OTHER, "other1"));
    assertEquals(List.of("one3", "one2"), cut);
    assertFalse(sits(slots, OTHER, "other2"), "that would be more than its share");
    assertFalse(sits(slots, ONE, "one4"));
    assertEquals(4, slots.count(Standing.CLIENT));
    assertEquals(2, slots.count(Standing.TRIAL));
  }

  @Test
  void oldestOfTheAddressWithMostThatHaveNotGreetedGoesFirst() {
    ConnectionSlots slots = new ConnectionSlots(4);
    arrive(slots, OTHER, "other");
    for (int i = 0; i < 100; i++) {
      arrive(slots, ONE, "one" + i);
    }
    assertFalse(cut.contains("other"));
    assertEquals("one0", cut.getFirst());
    assertEquals(101 - cut.size(), slots.count(Standing.UNGREETED));
  }

  @Test
  void nodesAndOperatorsTakeNoSeat() {
    ConnectionSlots slots = new ConnectionSlots(1);
    assertTrue(sits(slots, ONE, "client"));
    assertTrue(arrive(slots, ONE, "node").isNode());
    Slot operator = arrive(slots, ONE, "operator");
    assertFalse(operator.sit());
    operator.isOperator();
    assertTrue(operator.sit());
    assertEquals(1, slots.count(Standing.CLIENT));
    assertEquals(List.of(), cut);
  }

  @Test
  void whoLeavesMakesRoom() {
    ConnectionSlots slots = new ConnectionSlots(1);
    Slot first = arrive(slots, ONE, "first");
    assertTrue(first.sit());
    Slot second = arrive(slots, ONE, "second");
    assertFalse(second.sit());
    first.leave();
    assertTrue(second.sit());
    second.leave();
    for (Standing standing : Standing.values()) {
      assertEquals(0, slots.count(standing));
    }
  }

  @Test
  void machineHasOneAddressHoweverManyOfItsNetworkItUses() {
    ConnectionSlots slots = new ConnectionSlots(4);
    for (int i = 0; i < 4; i++) {
      sits(slots, address(32, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, i), "same" + i);
    }
    assertFalse(sits(slots, address(32, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0), "more"));
    assertTrue(sits(slots, address(32, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0), "another"));
    assertEquals(List.of("same3"), cut);
  }

  @Test
  void whoWasCutGetsNothingAnyMore() {
    ConnectionSlots slots = new ConnectionSlots(1);
    Slot first = arrive(slots, ONE, "first");
    assertTrue(first.sit());
    first.leave();
    assertFalse(first.sit());
    assertFalse(first.isNode());
  }
}
