package org.ecstore.bookstore;

import org.ecstore.bookstore.model.Author;
import org.ecstore.bookstore.model.Item;

/**
 * A book, whole.
 *
 * @param onHand how many there are of it
 */
public record Product(Item item, Author author, long onHand) {}
