package org.ecstore.server.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import org.ecstore.server.net.ConnectionSlots.Seat;
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

  private Seat arrive(ConnectionSlots seats, InetAddress from, String name) {
    return seats.arrive(from, _ -> cut.add(name));
  }

  private boolean sits(ConnectionSlots seats, InetAddress from, String name) {
    return arrive(seats, from, name).sit();
  }

  @Test
  void whileThereIsRoomOneAddressMayHaveItAll() {
    ConnectionSlots seats = new ConnectionSlots(10_000);
    for (int i = 0; i < 10_000; i++) {
      assertTrue(sits(seats, ONE, "c" + i));
    }
    assertEquals(10_000, seats.count(Standing.CLIENT));
    assertEquals(List.of(), cut);
  }

  @Test
  void whereRoomIsScarceEachAddressGetsItsShareFromTheNewestOfTheGreediest() {
    ConnectionSlots seats = new ConnectionSlots(4);
    for (int i = 0; i < 4; i++) {
      assertTrue(sits(seats, ONE, "one" + i));
    }
    assertTrue(sits(seats, OTHER, "other0"));
    assertTrue(sits(seats, OTHER, "other1"));
    assertEquals(List.of("one3", "one2"), cut);
    assertFalse(sits(seats, OTHER, "other2"), "that would be more than its share");
    assertFalse(sits(seats, ONE, "one4"));
    assertEquals(4, seats.count(Standing.CLIENT));
    assertEquals(2, seats.count(Standing.TRIAL));
  }

  @Test
  void oldestOfTheAddressWithMostThatHaveNotGreetedGoesFirst() {
    ConnectionSlots seats = new ConnectionSlots(4);
    arrive(seats, OTHER, "other");
    for (int i = 0; i < 100; i++) {
      arrive(seats, ONE, "one" + i);
    }
    assertFalse(cut.contains("other"));
    assertEquals("one0", cut.getFirst());
    assertEquals(101 - cut.size(), seats.count(Standing.UNGREETED));
  }

  @Test
  void nodesAndOperatorsTakeNoSeat() {
    ConnectionSlots seats = new ConnectionSlots(1);
    assertTrue(sits(seats, ONE, "client"));
    assertTrue(arrive(seats, ONE, "node").isNode());
    Seat operator = arrive(seats, ONE, "operator");
    assertFalse(operator.sit());
    operator.isOperator();
    assertTrue(operator.sit());
    assertEquals(1, seats.count(Standing.CLIENT));
    assertEquals(List.of(), cut);
  }

  @Test
  void whoLeavesMakesRoom() {
    ConnectionSlots seats = new ConnectionSlots(1);
    Seat first = arrive(seats, ONE, "first");
    assertTrue(first.sit());
    Seat second = arrive(seats, ONE, "second");
    assertFalse(second.sit());
    first.leave();
    assertTrue(second.sit());
    second.leave();
    for (Standing standing : Standing.values()) {
      assertEquals(0, seats.count(standing));
    }
  }

  @Test
  void machineHasOneAddressHoweverManyOfItsNetworkItUses() {
    ConnectionSlots seats = new ConnectionSlots(4);
    for (int i = 0; i < 4; i++) {
      sits(seats, address(32, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, i), "same" + i);
    }
    assertFalse(sits(seats, address(32, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0), "more"));
    assertTrue(sits(seats, address(32, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0), "another"));
    assertEquals(List.of("same3"), cut);
  }

  @Test
  void whoWasCutGetsNothingAnyMore() {
    ConnectionSlots seats = new ConnectionSlots(1);
    Seat first = arrive(seats, ONE, "first");
    assertTrue(first.sit());
    first.leave();
    assertFalse(first.sit());
    assertFalse(first.isNode());
  }
}
