package org.ecstore.bookstore.model;

import java.time.Instant;
import java.util.List;

/**
 * What a person wants to buy, each book in one line.
 *
 * @param changed when it was changed last
 * @param lines in the order in which the books came
 */
public record Cart(Instant changed, List<CartLine> lines) {
  /** How many lines a cart may have. */
  public static final int LINES_MAX = 100;

  /** How many of one book a cart may have. */
  public static final long QUANTITY_MAX = 999;

  /** What all of it costs, without a customer's discount, tax and shipping. */
  public long cents() {
    return lines.stream().mapToLong(line -> line.quantity() * line.cents()).sum();
  }

  /** How many books there are in it. */
  public long books() {
    return lines.stream().mapToLong(CartLine::quantity).sum();
  }
}
