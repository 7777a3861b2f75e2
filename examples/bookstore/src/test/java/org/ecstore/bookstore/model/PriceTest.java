package org.ecstore.bookstore.model;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

final class PriceTest {
  @Test
  void aPriceHasDiscountTaxAndShipping() {
    assertEquals(new Price(1_000, 83, 1_000 + 83 + 300 + 100), Price.of(1_000, 1, 0));
    assertEquals(new Price(900, 74, 900 + 74 + 300 + 300), Price.of(1_000, 3, 10));
  }

  @Test
  void halfACentIsOne() {
    // 49.5 and 4.125; 50 * 0.0825 is 4.125.
    assertEquals(new Price(50, 4, 50 + 4 + 300 + 100), Price.of(99, 1, 50));
    // 200 * 0.0825 is 16.5.
    assertEquals(17, Price.ofSubtotal(200, 1).tax());
    assertEquals(16, Price.ofSubtotal(199, 1).tax());
  }

  @Test
  void nothingCostsTheShippingOfAnOrder() {
    assertEquals(new Price(0, 0, 300), Price.of(0, 0, 50));
  }
}
