package org.ecstore.bookstore.model;

/**
 * How many there are of a book.
 *
 * @param onHand never below zero
 * @param restocked how many came in since the shop was opened
 */
public record Stock(long onHand, long restocked) {
  /** Where fewer would be left, more are ordered at once (TPC-W 1.8, 2.7.3). */
  public static final long LEAST = 10;

  /** How many come in at once. */
  public static final long DELIVERY = 21;

  /** What is left when some are taken: as many deliveries come in before as are needed for that. */
  public Stock take(long quantity) {
    if (quantity < 1) {
      throw new IllegalArgumentException("an order of " + quantity);
    }
    long missing = Math.max(0, quantity - onHand);
    long deliveries = (missing + DELIVERY - 1) / DELIVERY;
    if (onHand + deliveries * DELIVERY - quantity < LEAST) {
      deliveries++;
    }
    long came = deliveries * DELIVERY;
    return new Stock(onHand + came - quantity, restocked + came);
  }
}
