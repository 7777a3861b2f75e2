package org.ecstore.bookstore.mariadb;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.ecstore.bookstore.BestSellers.Sale;
import org.ecstore.bookstore.Book;
import org.ecstore.bookstore.Bookstore;
import org.ecstore.bookstore.Home;
import org.ecstore.bookstore.Product;
import org.ecstore.bookstore.SearchBy;
import org.ecstore.bookstore.SearchWords;
import org.ecstore.bookstore.ShopException;
import org.ecstore.bookstore.model.BookSubject;
import org.ecstore.bookstore.model.Item;

/** What people look at and search for, each by one statement or two. */
final class SqlCatalog {
  /** The books that are related to one, each by its key. */
  private static final String RELATED =
      """
      JOIN item r1 ON r1.id = i.related1
      JOIN item r2 ON r2.id = i.related2
      JOIN item r3 ON r3.id = i.related3
      JOIN item r4 ON r4.id = i.related4
      JOIN item r5 ON r5.id = i.related5
      WHERE i.id = ?
      """;

  private static final String RELATED_BOOKS =
      IntStream.rangeClosed(1, Item.RELATED)
          .mapToObj(number -> SqlRecords.bookOf("r" + number))
          .collect(Collectors.joining(", "));

  private static final String HOME =
      """
      SELECT %s, (SELECT c.first_name FROM customer c WHERE c.id = ?)
      FROM item i
      """
              .formatted(RELATED_BOOKS)
          + RELATED;

  private static final String PRODUCT =
      """
      SELECT %s, %s, s.on_hand, %s
      FROM item i
      JOIN author a ON a.id = i.author
      JOIN stock s ON s.item = i.id
      """
              .formatted(SqlRecords.ITEM, SqlRecords.AUTHOR, RELATED_BOOKS)
          + RELATED;

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

  /** Of so many entries those are found that have the other words of a search. */
  private static final int LOOKED_AT = 1_000;

  private static final Comparator<Book> IN_ORDER =
      Comparator.comparing(Book::title).thenComparingLong(Book::item);

  private static final String BY_WORD =
      """
      SELECT w.item, w.title, w.author_first_name, w.author_last_name, w.thumbnail, w.cents
      FROM %s w
      WHERE w.word >= ? AND w.word < ?
      ORDER BY w.word, w.title, w.item LIMIT ?
      """;

  private static final String BY_TITLE_WORD = BY_WORD.formatted("title_word");
  private static final String BY_AUTHOR_WORD = BY_WORD.formatted("author_word");

  private SqlCatalog() {}

  static Home home(Connection connection, OptionalLong customer, long near) throws SQLException {
    // No customer has the number 0.
    return Sql.first(
            connection,
            HOME,
            arguments -> arguments.add(customer.orElse(0)).add(near),
            SqlCatalog::home)
        .orElseThrow(() -> new ShopException("there is no book " + near));
  }

  private static Home home(SqlRow row) throws SQLException {
    List<Book> promoted = related(row);
    return new Home(row.isNext() ? Optional.of(row.text()) : Optional.empty(), promoted);
  }

  private static List<Book> related(SqlRow row) throws SQLException {
    List<Book> books = new ArrayList<>();
    for (int i = 0; i < Item.RELATED; i++) {
      books.add(SqlRecords.book(row));
    }
    return List.copyOf(books);
  }

  static Optional<Product> product(Connection connection, long item) throws SQLException {
    return Sql.first(
        connection,
        PRODUCT,
        arguments -> arguments.add(item),
        row ->
            new Product(SqlRecords.item(row), SqlRecords.author(row), row.number(), related(row)));
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

  /** Books by words of their titles and authors. */
  static List<Book> search(Connection connection, SearchBy by, String text) throws SQLException {
    List<String> words = SearchWords.sought(text);
    if (words.isEmpty()) {
      return List.of();
    }
    List<String> others = words.subList(1, words.size());
    if (others.isEmpty()) {
      List<Book> first = begins(connection, by, words.getFirst(), Bookstore.LIST_MAX);
      List<Book> found = distinct(first);
      if (found.size() == first.size() || first.size() < Bookstore.LIST_MAX) {
        return found;
      }
    }
    return distinct(
        begins(connection, by, words.getFirst(), LOOKED_AT).stream()
            .filter(book -> SearchWords.hasAll(searched(book, by), others))
            .toList());
  }

  private static String searched(Book book, SearchBy by) {
    return by == SearchBy.TITLE ? book.title() : book.author();
  }

  /** The first books in the order of the words, each once for each of its words. */
  private static List<Book> begins(Connection connection, SearchBy by, String word, int limit)
      throws SQLException {
    return Sql.list(
        connection,
        by == SearchBy.TITLE ? BY_TITLE_WORD : BY_AUTHOR_WORD,
        arguments -> arguments.add(word).add(behind(word)).add(limit),
        SqlRecords::book);
  }

  /** The first text behind all that begin as a word: its last symbol is the next one. */
  private static String behind(String word) {
    int last = word.codePointBefore(word.length());
    return word.substring(0, word.length() - Character.charCount(last))
        + Character.toString(last + 1);
  }

  private static List<Book> distinct(List<Book> books) {
    Map<Long, Book> distinct = new LinkedHashMap<>();
    books.forEach(book -> distinct.putIfAbsent(book.item(), book));
    return distinct.values().stream().limit(Bookstore.LIST_MAX).sorted(IN_ORDER).toList();
  }
}
