package org.ecstore.bookstore.mariadb;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.ecstore.bookstore.BestSellers.Sale;
import org.ecstore.bookstore.Bookstore;
import org.ecstore.bookstore.Bookstore.Size;
import org.ecstore.bookstore.audit.BookLedger;
import org.ecstore.bookstore.model.CardTransaction;
import org.ecstore.bookstore.model.CartLine;
import org.ecstore.bookstore.model.Stock;

/** All that the shop keeps, for a check; of one snapshot. */
final class SqlLedger {
  private static final String SIZE = "SELECT items, customers, orders FROM shop";
  private static final String STOCK = "SELECT item, on_hand, restocked FROM stock";

  private static final String CARDS =
      "SELECT %s FROM cc_xacts x WHERE x.order_id > ?".formatted(SqlRecords.CARD);

  private static final String CARTS =
      "SELECT l.cart, %s FROM shopping_cart_line l ORDER BY l.cart, l.position"
          .formatted(SqlRecords.CART_LINE);

  private SqlLedger() {}

  private record Counted(long item, Stock stock) {}

  private record InCart(UUID cart, CartLine line) {}

  /**
   * How the shop was filled.
   *
   * @throws IllegalStateException if none was
   */
  static Size size(Connection connection) throws SQLException {
    return Sql.first(
            connection,
            SIZE,
            arguments -> {},
            row -> new Size(row.number(), row.number(), row.number()))
        .orElseThrow(
            () ->
                new IllegalStateException(
                    "the filling of this shop was broken off: drop its tables, and fill it"
                        + " again"));
  }

  static BookLedger ledger(Connection connection, Size size) throws SQLException {
    Map<Long, Long> sold = new HashMap<>();
    for (Sale sale : SqlCatalog.sales(connection)) {
      sold.put(sale.item(), sale.sold());
    }
    return new BookLedger(
        stock(connection),
        SqlOrders.behind(connection, size.orders()),
        cards(connection, size.orders()),
        carts(connection),
        sold,
        SqlOrders.latest(connection, Bookstore.BEST_SELLER_ORDERS));
  }

  private static Map<Long, Stock> stock(Connection connection) throws SQLException {
    Map<Long, Stock> stock = new HashMap<>();
    Sql.list(
            connection,
            STOCK,
            arguments -> {},
            row -> new Counted(row.number(), new Stock(row.number(), row.number())))
        .forEach(counted -> stock.put(counted.item(), counted.stock()));
    return stock;
  }

  private static Map<Long, CardTransaction> cards(Connection connection, long behind)
      throws SQLException {
    Map<Long, CardTransaction> cards = new HashMap<>();
    Sql.list(connection, CARDS, arguments -> arguments.add(behind), SqlRecords::card)
        .forEach(card -> cards.put(card.order(), card));
    return cards;
  }

  private static Map<UUID, List<CartLine>> carts(Connection connection) throws SQLException {
    Map<UUID, List<CartLine>> carts = new HashMap<>();
    Sql.list(
            connection,
            CARTS,
            arguments -> {},
            row -> new InCart(row.uuid(), SqlRecords.cartLine(row)))
        .forEach(
            row -> carts.computeIfAbsent(row.cart(), absent -> new ArrayList<>()).add(row.line()));
    return carts;
  }
}
