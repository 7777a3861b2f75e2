package org.ecstore.bookstore.mariadb;

import java.sql.SQLException;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.ecstore.bookstore.Book;
import org.ecstore.bookstore.model.Address;
import org.ecstore.bookstore.model.Author;
import org.ecstore.bookstore.model.BookSubject;
import org.ecstore.bookstore.model.CardTransaction;
import org.ecstore.bookstore.model.CardTransaction.CardType;
import org.ecstore.bookstore.model.CartLine;
import org.ecstore.bookstore.model.Customer;
import org.ecstore.bookstore.model.Item;
import org.ecstore.bookstore.model.Order;
import org.ecstore.bookstore.model.OrderLine;
import org.ecstore.bookstore.model.Price;
import org.ecstore.bookstore.model.ShipType;

/** Columns of each record, as a SELECT lists them, and the record of such columns. */
final class SqlRecords {
  static final String BOOK = bookOf("i");

  static final String ITEM =
      """
      i.id, i.title, i.author, i.author_first_name, i.author_last_name, i.published, i.publisher,
      i.subject, i.description, i.related1, i.related2, i.related3, i.related4, i.related5,
      i.thumbnail, i.image, i.list_cents, i.cents, i.available, i.isbn, i.pages, i.backing,
      i.dimensions\
      """;

  static final String AUTHOR =
      "a.id, a.first_name, a.middle_name, a.last_name, a.born, a.biography";

  static final String CART_LINE = "l.item, l.title, l.backing, l.quantity, l.cents, l.list_cents";

  static final String CUSTOMER =
      """
      c.id, c.user_name, c.password, c.first_name, c.last_name, c.address, c.phone, c.email,
      c.since, c.last_login, c.login, c.expires, c.discount, c.balance_cents, c.year_cents, c.born,
      c.data\
      """;

  static final String ORDER =
      """
      o.id, o.customer, o.placed, o.submission, o.subtotal, o.tax, o.total, o.ship_type, o.ships,
      o.billing, o.shipping, o.status\
      """;

  static final String ORDER_LINE =
      "l.item, i.title, i.subject, l.quantity, l.cents, l.discount, l.comments";

  static final String CARD =
      """
      x.order_id, x.type, x.number, x.holder, x.expires, x.authorization, x.cents, x.taken,
      x.country\
      """;

  private SqlRecords() {}

  /** The columns of a book in a list, under the name that a statement gives to the table. */
  static String bookOf(String table) {
    return Stream.of("id", "title", "author_first_name", "author_last_name", "thumbnail", "cents")
        .map(column -> table + "." + column)
        .collect(Collectors.joining(", "));
  }

  /** The columns of an address, under the name that a statement gives to the table. */
  static String addressOf(String table) {
    return "%1$s.street1, %1$s.street2, %1$s.city, %1$s.state, %1$s.zip, %1$s.country"
        .formatted(table);
  }

  static Book book(SqlRow row) throws SQLException {
    return new Book(
        row.number(), row.text(), row.text() + " " + row.text(), row.text(), row.number());
  }

  static Item item(SqlRow row) throws SQLException {
    return new Item(
        row.number(),
        row.text(),
        row.number(),
        row.text(),
        row.text(),
        row.date(),
        row.text(),
        row.one(BookSubject.class),
        row.text(),
        List.of(row.number(), row.number(), row.number(), row.number(), row.number()),
        row.text(),
        row.text(),
        row.number(),
        row.number(),
        row.date(),
        row.text(),
        row.smallNumber(),
        row.text(),
        row.text());
  }

  static Author author(SqlRow row) throws SQLException {
    return new Author(row.number(), row.text(), row.text(), row.text(), row.date(), row.text());
  }

  static CartLine cartLine(SqlRow row) throws SQLException {
    return new CartLine(
        row.number(), row.text(), row.text(), row.number(), row.number(), row.number());
  }

  static Address address(SqlRow row) throws SQLException {
    return new Address(
        row.text(), row.text(), row.text(), row.text(), row.text(), row.smallNumber());
  }

  static Customer customer(SqlRow row) throws SQLException {
    return new Customer(
        row.number(),
        row.text(),
        row.text(),
        row.text(),
        row.text(),
        row.number(),
        row.text(),
        row.text(),
        row.date(),
        row.instant(),
        row.instant(),
        row.instant(),
        row.smallNumber(),
        row.number(),
        row.number(),
        row.date(),
        row.text());
  }

  /** An order whose lines follow. */
  static Order order(SqlRow row) throws SQLException {
    return new Order(
        row.number(),
        row.number(),
        row.instant(),
        row.text(),
        new Price(row.number(), row.number(), row.number()),
        row.one(ShipType.class),
        row.instant(),
        row.number(),
        row.number(),
        row.one(Order.Status.class),
        List.of());
  }

  static OrderLine orderLine(SqlRow row) throws SQLException {
    return new OrderLine(
        row.number(),
        row.text(),
        row.one(BookSubject.class),
        row.number(),
        row.number(),
        row.smallNumber(),
        row.text());
  }

  /** An order with its lines. */
  static Order with(Order order, List<OrderLine> lines) {
    return new Order(
        order.id(),
        order.customer(),
        order.placed(),
        order.submission(),
        order.price(),
        order.shipType(),
        order.ships(),
        order.billingAddress(),
        order.shippingAddress(),
        order.status(),
        List.copyOf(lines));
  }

  static CardTransaction card(SqlRow row) throws SQLException {
    return new CardTransaction(
        row.number(),
        row.one(CardType.class),
        row.text(),
        row.text(),
        row.date(),
        row.text(),
        row.number(),
        row.instant(),
        row.smallNumber());
  }
}
