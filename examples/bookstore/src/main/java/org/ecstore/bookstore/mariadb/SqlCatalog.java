package org.ecstore.bookstore.mariadb;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.ecstore.bookstore.BestSellers.Sale;
import org.ecstore.bookstore.Book;
import org.ecstore.bookstore.Bookstore;
import org.ecstore.bookstore.Home;
import org.ecstore.bookstore.Product;
import org.ecstore.bookstore.ShopException;
import org.ecstore.bookstore.model.BookSubject;

/** What people look at, each by one statement. */
final class SqlCatalog {
  private static final String HOME =
      """
      SELECT %s, (SELECT c.first_name FROM customer c WHERE c.id = ?)
      FROM item n
      JOIN item i ON i.id IN (n.related1, n.related2, n.related3, n.related4, n.related5)
      WHERE n.id = ?
      ORDER BY FIELD(i.id, n.related1, n.related2, n.related3, n.related4, n.related5)
      """
          .formatted(SqlRecords.BOOK);

  private static final String PRODUCT =
      "SELECT %s, %s, i.stock FROM item i JOIN author a ON a.id = i.author WHERE i.id = ?"
          .formatted(SqlRecords.ITEM, SqlRecords.AUTHOR);

  private static final String NEWEST =
      "SELECT %s FROM item i WHERE i.subject = ? ORDER BY i.published DESC, i.title, i.id LIMIT %d"
          .formatted(SqlRecords.BOOK, Bookstore.LIST_MAX);

  private static final String BY_TITLE =
      "SELECT %s FROM item i WHERE i.subject = ? ORDER BY i.title, i.id LIMIT %d"
          .formatted(SqlRecords.BOOK, Bookstore.LIST_MAX);

  private static final String SALES =
      """
      SELECT l.item, i.subject, SUM(l.quantity)
      FROM (SELECT o.id FROM orders o ORDER BY o.placed DESC, o.id DESC LIMIT %d) last
      JOIN order_line l ON l.order_id = last.id
      JOIN item i ON i.id = l.item
      GROUP BY l.item, i.subject
      """
          .formatted(Bookstore.BEST_SELLER_ORDERS);

  private SqlCatalog() {}

  static Home home(Connection connection, OptionalLong customer, long near) throws SQLException {
    // No customer has the number 0.
    List<PageText> shown =
        Sql.list(
            connection,
            HOME,
            arguments -> arguments.add(customer.orElse(0)).add(near),
            row ->
                new PageText(
                    SqlRecords.book(row),
                    row.isNext() ? Optional.of(row.text()) : Optional.empty()));
    if (shown.isEmpty()) {
      throw new ShopException("there is no book " + near);
    }
    return new Home(shown.getFirst().firstName(), shown.stream().map(PageText::book).toList());
  }

  private record PageText(Book book, Optional<String> firstName) {}

  static Optional<Product> product(Connection connection, long item) throws SQLException {
    return Sql.first(
        connection,
        PRODUCT,
        arguments -> arguments.add(item),
        row -> new Product(SqlRecords.item(row), SqlRecords.author(row), row.number()));
  }

  static List<Book> newest(Connection connection, BookSubject subject) throws SQLException {
    return Sql.list(connection, NEWEST, arguments -> arguments.add(subject), SqlRecords::book);
  }

  static List<Book> byTitle(Connection connection, BookSubject subject) throws SQLException {
    return Sql.list(connection, BY_TITLE, arguments -> arguments.add(subject), SqlRecords::book);
  }

  /** How often each book was sold in the last orders. */
  static List<Sale> sales(Connection connection) throws SQLException {
    return Sql.list(
        connection,
        SALES,
        arguments -> {},
        row -> new Sale(row.number(), row.one(BookSubject.class), row.number()));
  }

  /** Books by their numbers. */
  static Map<Long, Book> books(Connection connection, Collection<Long> items) throws SQLException {
    Map<Long, Book> books = new HashMap<>();
    if (!items.isEmpty()) {
      String places = String.join(",", Collections.nCopies(items.size(), "?"));
      Sql.list(
              connection,
              "SELECT %s FROM item i WHERE i.id IN (%s)".formatted(SqlRecords.BOOK, places),
              arguments -> {
                for (long item : items) {
                  arguments.add(item);
                }
              },
              SqlRecords::book)
          .forEach(book -> books.put(book.item(), book));
    }
    return books;
  }
}
