package org.ecstore.bookstore.mariadb;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.LocalDate;
import java.util.List;
import java.util.stream.Stream;
import org.ecstore.bookstore.Bookstore;
import org.ecstore.bookstore.SearchWords;
import org.ecstore.bookstore.ShopException;
import org.ecstore.bookstore.model.Item;

/** What an administrator changes of a book. */
final class SqlItemChange {
  private static final String RELATED =
      """
      WITH recent AS
        (SELECT id, customer FROM orders ORDER BY placed DESC, id DESC LIMIT %d)
      SELECT l.item
      FROM (SELECT DISTINCT r.customer
            FROM recent r JOIN order_line l ON l.order_id = r.id
            WHERE l.item = ?) buyer
      JOIN recent r ON r.customer = buyer.customer
      JOIN order_line l ON l.order_id = r.id
      WHERE l.item <> ?
      GROUP BY l.item
      ORDER BY SUM(l.quantity) DESC, l.item
      LIMIT %d
      """
          .formatted(Bookstore.RELATED_ORDERS, Item.RELATED);

  private static final String SELECT =
      "SELECT %s FROM item i WHERE i.id = ? FOR UPDATE".formatted(SqlRecords.ITEM);

  private static final String UPDATE =
      """
      UPDATE item SET cents = ?, thumbnail = ?, image = ?, published = ?, related1 = ?,
        related2 = ?, related3 = ?, related4 = ?, related5 = ?
      WHERE id = ?
      """;

  /** What searches show of a book, in the order of the key. */
  private static final String UPDATE_WORD =
      "UPDATE %s SET thumbnail = ?, cents = ? WHERE word = ? AND title = ? AND item = ?";

  private static final String UPDATE_TITLE_WORD = UPDATE_WORD.formatted("title_word");
  private static final String UPDATE_AUTHOR_WORD = UPDATE_WORD.formatted("author_word");

  private SqlItemChange() {}

  /** The books that those have bought most who bought another. */
  static List<Long> related(Connection connection, long item) throws SQLException {
    return Sql.list(
        connection, RELATED, arguments -> arguments.add(item).add(item), SqlRow::number);
  }

  /**
   * Changes a book.
   *
   * @param bought those that are related from now on; where they are fewer than five, some of the
   *     related ones stay
   */
  static Item change(
      Connection connection,
      long item,
      long cents,
      String thumbnail,
      String image,
      LocalDate day,
      List<Long> bought)
      throws SQLException {
    Item before =
        Sql.first(connection, SELECT, arguments -> arguments.add(item), SqlRecords::item)
            .orElseThrow(() -> new ShopException("there is no book " + item));
    List<Long> related =
        Stream.concat(bought.stream(), before.related().stream())
            .distinct()
            .limit(Item.RELATED)
            .toList();
    Item after = before.changed(cents, thumbnail, image, day, related);
    Sql.update(connection, UPDATE, arguments -> bind(arguments, after));
    update(connection, UPDATE_TITLE_WORD, after, after.title());
    update(
        connection,
        UPDATE_AUTHOR_WORD,
        after,
        after.authorFirstName() + " " + after.authorLastName());
    return after;
  }

  private static void update(Connection connection, String sql, Item item, String text)
      throws SQLException {
    Sql.batch(
        connection,
        sql,
        SearchWords.of(text).stream().sorted().toList(),
        (word, arguments) ->
            arguments
                .add(item.thumbnail())
                .add(item.cents())
                .add(word)
                .add(item.title())
                .add(item.id()));
  }

  private static void bind(SqlArguments arguments, Item item) throws SQLException {
    arguments.add(item.cents()).add(item.thumbnail()).add(item.image()).add(item.published());
    for (long related : item.related()) {
      arguments.add(related);
    }
    arguments.add(item.id());
  }
}
