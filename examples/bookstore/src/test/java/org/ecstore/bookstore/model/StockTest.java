package org.ecstore.bookstore.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

final class StockTest {
  @Test
  void enoughIsTakenAsItIs() {
    assertEquals(new Stock(10, 0), new Stock(11, 0).take(1));
    assertEquals(new Stock(10, 42), new Stock(30, 42).take(20));
  }

  @Test
  void whereLessThanTenWouldBeLeftADeliveryComesIn() {
    assertEquals(new Stock(9 + 21, 21), new Stock(10, 0).take(1));
    assertEquals(new Stock(21, 21), new Stock(10, 0).take(10));
  }

  @Test
  void asManyDeliveriesComeInAsAreNeeded() {
    // One covers what is missing, and one leaves ten.
    assertEquals(new Stock(10 + 42 - 42, 21 * 2), new Stock(10, 0).take(42));
    assertEquals(new Stock(10 + 63 - 43, 21 * 3), new Stock(10, 0).take(43));
    assertEquals(new Stock(24, 21 * 48), new Stock(15, 0).take(999));
  }

  @Test
  void atLeastTenAreLeftAndNoDeliveryIsTooMuch() {
    for (long onHand = 0; onHand < 60; onHand++) {
      for (long quantity = 1; quantity < 200; quantity++) {
        Stock after = new Stock(onHand, 7 * Stock.DELIVERY).take(quantity);
        long came = after.restocked() - 7 * Stock.DELIVERY;
        assertEquals(onHand + came - quantity, after.onHand());
        assertEquals(0, came % Stock.DELIVERY);
        assertTrue(after.onHand() >= Stock.LEAST);
        assertTrue(came == 0 || after.onHand() - Stock.DELIVERY < Stock.LEAST);
      }
    }
  }

  @Test
  void nothingIsNoOrder() {
    assertThrows(IllegalArgumentException.class, () -> new Stock(10, 0).take(0));
    assertThrows(IllegalArgumentException.class, () -> new Stock(10, 0).take(-1));
  }
}
