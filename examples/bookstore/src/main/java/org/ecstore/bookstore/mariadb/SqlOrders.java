package org.ecstore.bookstore.mariadb;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.ecstore.bookstore.OrderShown;
import org.ecstore.bookstore.model.Address;
import org.ecstore.bookstore.model.CardTransaction;
import org.ecstore.bookstore.model.Customer;
import org.ecstore.bookstore.model.Order;
import org.ecstore.bookstore.model.OrderLine;

/** Orders with their lines, as they are read. */
final class SqlOrders {
  private static final String LAST =
      """
      SELECT %s, o.id, %s, %s, %s, %s, %s
      FROM customer c
      LEFT JOIN orders o ON o.id =
        (SELECT last.id FROM orders last WHERE last.customer = c.id
         ORDER BY last.placed DESC, last.id DESC LIMIT 1)
      LEFT JOIN address b ON b.id = o.billing
      LEFT JOIN address s ON s.id = o.shipping
      LEFT JOIN cc_xacts x ON x.order_id = o.id
      LEFT JOIN order_line l ON l.order_id = o.id
      LEFT JOIN item i ON i.id = l.item
      WHERE c.user_name = ?
      ORDER BY l.line
      """
          .formatted(
              SqlRecords.CUSTOMER,
              SqlRecords.ORDER,
              SqlRecords.addressOf("b"),
              SqlRecords.addressOf("s"),
              SqlRecords.CARD,
              SqlRecords.ORDER_LINE);

  private static final String LINES =
      """
      SELECT %s, %s
      FROM %s o
      JOIN order_line l ON l.order_id = o.id
      JOIN item i ON i.id = l.item
      """;

  private static final String BEHIND =
      LINES.formatted(SqlRecords.ORDER, SqlRecords.ORDER_LINE, "orders")
          + " WHERE o.id > ? ORDER BY o.id, l.line";

  private static final String LATEST =
      LINES.formatted(
              SqlRecords.ORDER,
              SqlRecords.ORDER_LINE,
              "(SELECT * FROM orders ORDER BY placed DESC, id DESC LIMIT ?)")
          + " ORDER BY o.placed DESC, o.id DESC, l.line";

  private SqlOrders() {}

  /** A customer with an order and a line of it, or without an order. */
  private record PageText(Customer customer, Optional<ShownOrder> order) {}

  private record ShownOrder(
      Order order, Address billing, Address shipping, CardTransaction card, OrderLine line) {}

  /** A line of an order. */
  private record Line(Order order, OrderLine line) {}

  static Optional<OrderShown> last(Connection connection, String userName, String password)
      throws SQLException {
    List<PageText> rows =
        Sql.list(connection, LAST, arguments -> arguments.add(userName), SqlOrders::shown);
    if (rows.isEmpty() || !rows.getFirst().customer().password().equals(password)) {
      throw SqlCustomers.unknown();
    }
    List<OrderLine> lines =
        rows.stream().flatMap(row -> row.order().stream()).map(ShownOrder::line).toList();
    PageText first = rows.getFirst();
    return first
        .order()
        .map(
            shown ->
                new OrderShown(
                    SqlRecords.with(shown.order(), lines),
                    first.customer(),
                    shown.billing(),
                    shown.shipping(),
                    shown.card()));
  }

  private static PageText shown(SqlRow row) throws SQLException {
    Customer customer = SqlRecords.customer(row);
    boolean isThere = row.isNext();
    row.number();
    return new PageText(
        customer,
        isThere
            ? Optional.of(
                new ShownOrder(
                    SqlRecords.order(row),
                    SqlRecords.address(row),
                    SqlRecords.address(row),
                    SqlRecords.card(row),
                    SqlRecords.orderLine(row)))
            : Optional.empty());
  }

  /** Those behind a number, in their order. */
  static List<Order> behind(Connection connection, long number) throws SQLException {
    return orders(connection, BEHIND, number);
  }

  /** So many that were placed last, the last first. */
  static List<Order> latest(Connection connection, long count) throws SQLException {
    return orders(connection, LATEST, count);
  }

  private static List<Order> orders(Connection connection, String sql, long argument)
      throws SQLException {
    Map<Long, Order> orders = new LinkedHashMap<>();
    Map<Long, List<OrderLine>> lines = new LinkedHashMap<>();
    Sql.list(
            connection,
            sql,
            arguments -> arguments.add(argument),
            row -> new Line(SqlRecords.order(row), SqlRecords.orderLine(row)))
        .forEach(
            row -> {
              orders.putIfAbsent(row.order().id(), row.order());
              lines.computeIfAbsent(row.order().id(), absent -> new ArrayList<>()).add(row.line());
            });
    return orders.values().stream()
        .map(order -> SqlRecords.with(order, lines.getOrDefault(order.id(), List.of())))
        .toList();
  }
}
