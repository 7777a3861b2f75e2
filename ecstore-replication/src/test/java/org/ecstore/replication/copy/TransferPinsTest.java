package org.ecstore.replication.copy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import org.ecstore.id.Position;
import org.junit.jupiter.api.Test;

class TransferPinsTest {
  private final TransferPins pins = new TransferPins(100);

  @Test
  void theLowestStampIsKeptUntilItsTransferIsDoneOrSilent() {
    assertEquals(Optional.empty(), pins.least(0));
    pins.pin(1, new Position(7), 0);
    pins.pin(2, new Position(5), 50);
    assertEquals(Optional.of(new Position(5)), pins.least(99));
    pins.done(2);
    assertEquals(Optional.of(new Position(7)), pins.least(99));
    pins.pin(1, new Position(7), 99);
    assertEquals(Optional.of(new Position(7)), pins.least(100));
    assertEquals(Optional.empty(), pins.least(199));
  }

  @Test
  void idsThatAreMadeUpPinNoMoreThanSoMany() {
    for (long id = 0; id < 100_000; id++) {
      assertEquals(id < TransferPins.PINS_MAX, pins.pin(id, new Position(1), 0));
    }
    assertTrue(pins.pin(3, new Position(1), 50));
    assertFalse(pins.pin(-1, new Position(1), 99));
    assertTrue(pins.pin(-1, new Position(1), 100));
  }
}
