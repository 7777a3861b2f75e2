package org.ecstore.replication.copy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import org.ecstore.id.NodeId;
import org.ecstore.id.Position;
import org.junit.jupiter.api.Test;

class TransferPinsTest {
  private static final NodeId ONE = new NodeId(1);
  private static final NodeId TWO = new NodeId(2);

  private final TransferPins pins = new TransferPins(100);

  @Test
  void theLowestStampIsKeptUntilItsTransferIsDoneOrSilent() {
    assertEquals(Optional.empty(), pins.least(0));
    pins.pin(ONE, 1, new Position(7), 0);
    pins.pin(ONE, 2, new Position(5), 50);
    assertEquals(Optional.of(new Position(5)), pins.least(99));
    pins.done(ONE, 2);
    assertEquals(Optional.of(new Position(7)), pins.least(99));
    pins.pin(ONE, 1, new Position(7), 99);
    assertEquals(Optional.of(new Position(7)), pins.least(100));
    assertEquals(Optional.empty(), pins.least(199));
  }

  @Test
  void idsThatAreMadeUpPinNoMoreThanSoMany() {
    for (long id = 0; id < 100_000; id++) {
      assertEquals(id < TransferPins.PINS_MAX / 2, pins.pin(ONE, id, new Position(1), 0));
    }
    assertTrue(pins.pin(ONE, 3, new Position(1), 50));
    assertFalse(pins.pin(ONE, -1, new Position(1), 99));
    assertTrue(pins.pin(ONE, -1, new Position(1), 100));
  }

  @Test
  void receiversThatTakeAllTheyGetLeaveRoomForOthers() {
    for (long receiver = 1; receiver <= 9; receiver++) {
      assertTrue(pins.pin(new NodeId(receiver), 0, new Position(1), 0), "receiver " + receiver);
      for (long number = 1; number < 1_000; number++) {
        pins.pin(new NodeId(receiver), number, new Position(1), 0);
      }
    }
  }

  @Test
  void transfersOfTwoReceiversMayHaveTheSameNumber() {
    pins.pin(ONE, 1, new Position(5), 0);
    pins.pin(TWO, 1, new Position(7), 0);
    pins.done(TWO, 1);
    assertEquals(Optional.of(new Position(5)), pins.least(0));
  }
}
