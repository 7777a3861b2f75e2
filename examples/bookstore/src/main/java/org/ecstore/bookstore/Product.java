package org.ecstore.bookstore;

import java.util.List;
import org.ecstore.bookstore.model.Author;
import org.ecstore.bookstore.model.Item;

/**
 * A book, whole.
 *
 * @param onHand how many there are of it
 * @param related five other books
 */
public record Product(Item item, Author author, long onHand, List<Book> related) {}
