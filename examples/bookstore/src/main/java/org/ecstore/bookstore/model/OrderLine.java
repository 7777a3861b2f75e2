package org.ecstore.bookstore.model;

/**
 * A book of an order.
 *
 * @param subject of the book, for the best sellers
 * @param quantity above zero
 * @param cents what one cost, without the discount
 */
public record OrderLine(
    long item,
    String title,
    BookSubject subject,
    long quantity,
    long cents,
    int discountPercent,
    String comments) {}
