package org.ecstore.bookstore.mariadb;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.ecstore.bookstore.Book;
import org.ecstore.bookstore.Bookstore;
import org.ecstore.bookstore.SearchBy;
import org.ecstore.bookstore.SearchWords;

/** Finds books by words of their titles and authors. */
final class SqlSearch {
  /** Of so many entries those are found that have the other words of a search. */
  private static final int LOOKED_AT = 1_000;

  private static final Comparator<Book> BY_TITLE =
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

  private SqlSearch() {}

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
    return distinct.values().stream().limit(Bookstore.LIST_MAX).sorted(BY_TITLE).toList();
  }
}
