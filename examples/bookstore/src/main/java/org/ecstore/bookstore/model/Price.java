package org.ecstore.bookstore.model;

/**
 * What an order costs, in cents (TPC-W 1.8, 2.6.3).
 *
 * @param subtotal of the books, with the customer's discount
 * @param tax 8.25 percent of it
 * @param total with shipping: three dollars, and one for each book
 */
public record Price(long subtotal, long tax, long total) {
  private static final long SHIPPING_CENTS = 300;
  private static final long SHIPPING_A_BOOK_CENTS = 100;

  /** Of what the books cost without a discount. */
  public static Price of(long cents, long books, int discountPercent) {
    long subtotal = rounded(cents * (100 - discountPercent), 100);
    return ofSubtotal(subtotal, books);
  }

  /** Of what the books cost with the discount. */
  public static Price ofSubtotal(long subtotal, long books) {
    long tax = rounded(subtotal * 825, 10_000);
    return new Price(
        subtotal, tax, subtotal + tax + SHIPPING_CENTS + SHIPPING_A_BOOK_CENTS * books);
  }

  /** Half a cent is one. */
  private static long rounded(long number, long by) {
    return (number + by / 2) / by;
  }
}
