package org.ecstore.bookstore.mariadb;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.UUID;
import org.ecstore.bookstore.ShopException;
import org.ecstore.bookstore.model.Cart;
import org.ecstore.bookstore.model.CartLine;
import org.jspecify.annotations.Nullable;

/**
 * What is put into carts. A transaction that changes one has its row first, so that all of a cart
 * come one after the other; lines are written before they are read, as two that read the same gap
 * and write into it next would wait for each other.
 */
final class SqlCarts {
  private static final String SELECT =
      """
      SELECT c.changed, %s
      FROM shopping_cart c JOIN shopping_cart_line l ON l.cart = c.id
      WHERE c.id = ?
      ORDER BY l.position
      """
          .formatted(SqlRecords.CART_LINE);

  private static final String TOUCH =
      """
      INSERT INTO shopping_cart (id, changed, changes) VALUES (?, ?, 1)
      ON DUPLICATE KEY UPDATE changed = VALUES(changed), changes = changes + 1
      """;

  private static final String ADD =
      """
      INSERT INTO shopping_cart_line
        (cart, item, position, title, backing, quantity, cents, list_cents)
      SELECT c.id, i.id, c.changes, i.title, i.backing, 1, i.cents, i.list_cents
      FROM shopping_cart c JOIN item i ON i.id = ?
      WHERE c.id = ?
      ON DUPLICATE KEY UPDATE quantity = COALESCE(?, quantity) + 1
      """;

  private static final String SET =
      "UPDATE shopping_cart_line SET quantity = ? WHERE cart = ? AND item = ?";

  private static final String TAKE_OUT =
      "DELETE FROM shopping_cart_line WHERE cart = ? AND item = ?";

  /** Books are locked in the order of their numbers, which is that of the lines' primary key. */
  private static final String SELECT_WITH_BOOKS =
      """
      SELECT STRAIGHT_JOIN l.position, %s, i.id, i.title, i.backing, l.quantity, i.cents,
        i.list_cents
      FROM shopping_cart_line l JOIN item i ON i.id = l.item
      WHERE l.cart = ?
      """
          .formatted(SqlRecords.CART_LINE);

  private static final String REFRESH =
      """
      UPDATE shopping_cart_line SET title = ?, backing = ?, cents = ?, list_cents = ?
      WHERE cart = ? AND item = ?
      """;

  private static final String CLEAR = "DELETE FROM shopping_cart_line WHERE cart = ?";

  private SqlCarts() {}

  /** A line as it is stored, and as it is with what the book says today. */
  private record Refreshed(long position, CartLine stored, CartLine today) {}

  private record Found(Instant changed, CartLine line) {}

  static Cart cart(Connection connection, UUID cart) throws SQLException {
    return cart(connection, SELECT, cart);
  }

  /** A cart that its transaction changes next. */
  static Cart lockedCart(Connection connection, UUID cart) throws SQLException {
    return cart(connection, SELECT + " FOR UPDATE", cart);
  }

  private static Cart cart(Connection connection, String sql, UUID cart) throws SQLException {
    List<Found> lines =
        Sql.list(
            connection,
            sql,
            arguments -> arguments.add(cart),
            row -> new Found(row.instant(), SqlRecords.cartLine(row)));
    return new Cart(
        lines.isEmpty() ? Instant.EPOCH : lines.getFirst().changed(),
        lines.stream().map(Found::line).toList());
  }

  static Cart change(
      Connection connection, UUID cart, OptionalLong add, Map<Long, Long> quantities, Instant now)
      throws SQLException {
    Sql.update(connection, TOUCH, arguments -> arguments.add(cart).add(now));
    Map<Long, Long> others = new TreeMap<>(quantities);
    if (add.isPresent()) {
      add(connection, cart, add.getAsLong(), others.remove(add.getAsLong()));
    }
    set(connection, cart, others);
    List<Refreshed> lines = refreshed(connection, cart);
    check(lines);
    refresh(connection, cart, lines);
    return new Cart(now, lines.stream().map(Refreshed::today).toList());
  }

  private static void add(
      Connection connection, UUID cart, long item, @Nullable Long quantityBefore)
      throws SQLException {
    int found =
        Sql.update(
            connection, ADD, arguments -> arguments.add(item).add(cart).addOrNull(quantityBefore));
    if (found == 0) {
      throw new ShopException("there is no book " + item);
    }
  }

  private static void set(Connection connection, UUID cart, Map<Long, Long> quantities)
      throws SQLException {
    List<Long> emptied = new ArrayList<>();
    List<Map.Entry<Long, Long>> kept = new ArrayList<>();
    for (Map.Entry<Long, Long> entry : quantities.entrySet()) {
      if (entry.getValue() == 0) {
        emptied.add(entry.getKey());
      } else {
        kept.add(entry);
      }
    }
    Sql.batch(
        connection,
        SET,
        kept,
        (entry, arguments) -> arguments.add(entry.getValue()).add(cart).add(entry.getKey()));
    Sql.batch(connection, TAKE_OUT, emptied, (item, arguments) -> arguments.add(cart).add(item));
  }

  private static List<Refreshed> refreshed(Connection connection, UUID cart) throws SQLException {
    List<Refreshed> lines =
        Sql.list(
            connection,
            SELECT_WITH_BOOKS,
            arguments -> arguments.add(cart),
            row -> new Refreshed(row.number(), SqlRecords.cartLine(row), SqlRecords.cartLine(row)));
    return lines.stream().sorted(Comparator.comparingLong(Refreshed::position)).toList();
  }

  private static void check(List<Refreshed> lines) {
    if (lines.size() > Cart.LINES_MAX) {
      throw new ShopException("a cart has room for %d different books".formatted(Cart.LINES_MAX));
    }
    if (lines.stream().anyMatch(line -> line.today().quantity() > Cart.QUANTITY_MAX)) {
      throw new ShopException("a cart has room for %d of one book".formatted(Cart.QUANTITY_MAX));
    }
  }

  private static void refresh(Connection connection, UUID cart, List<Refreshed> lines)
      throws SQLException {
    Sql.batch(
        connection,
        REFRESH,
        lines.stream()
            .filter(line -> !line.stored().equals(line.today()))
            .map(Refreshed::today)
            .toList(),
        (line, arguments) ->
            arguments
                .add(line.title())
                .add(line.backing())
                .add(line.cents())
                .add(line.listCents())
                .add(cart)
                .add(line.item()));
  }

  /** Takes all out, as they were bought. */
  static void clear(Connection connection, UUID cart) throws SQLException {
    Sql.update(connection, CLEAR, arguments -> arguments.add(cart));
  }
}
