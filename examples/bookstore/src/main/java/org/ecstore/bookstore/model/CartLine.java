package org.ecstore.bookstore.model;

/**
 * A book in a cart.
 *
 * @param quantity above zero
 * @param cents what one costs: what the cart said when it was shown last
 * @param listCents what its publisher wants for one
 */
public record CartLine(
    long item, String title, String backing, long quantity, long cents, long listCents) {}
