package org.ecstore.bookstore;

import java.util.List;
import java.util.Optional;

/**
 * The first page.
 *
 * @param firstName of the customer who looks at it; absent if the shop knows no such one
 * @param promoted five books
 */
public record Home(Optional<String> firstName, List<Book> promoted) {}
