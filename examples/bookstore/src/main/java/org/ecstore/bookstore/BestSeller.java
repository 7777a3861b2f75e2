package org.ecstore.bookstore;

/**
 * A book with how often it was sold lately.
 *
 * @param sold in the orders that were looked at
 */
public record BestSeller(Book book, long sold) {}
