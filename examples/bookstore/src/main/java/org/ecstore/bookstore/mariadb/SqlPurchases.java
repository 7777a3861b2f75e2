package org.ecstore.bookstore.mariadb;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ThreadLocalRandom;
import org.ecstore.bookstore.Purchase;
import org.ecstore.bookstore.ShopException;
import org.ecstore.bookstore.model.Cart;
import org.ecstore.bookstore.model.CartLine;
import org.ecstore.bookstore.model.Order.Status;
import org.ecstore.bookstore.model.Price;
import org.ecstore.bookstore.model.Stock;

/**
 * What is bought. A form is looked up only where it may have been sent before: its cart is empty,
 * or its number is taken. Stock is written last, so that its locks, which all buyers of a book wait
 * for, are held for one statement and the commit.
 */
final class SqlPurchases {
  private static final int SHIPPING_DAYS_MAX = 7;
  private static final long AUTHORIZATIONS = 1_000_000_000_000_000L;

  /** Of what was committed last, not of what the transaction saw first. */
  private static final String OF_SUBMISSION =
      "SELECT id, customer FROM orders WHERE submission = ? LOCK IN SHARE MODE";

  private static final String BUYER =
      """
      SELECT c.discount, c.address, a.country
      FROM customer c JOIN address a ON a.id = c.address
      WHERE c.id = ?
      """;

  private static final String ORDER =
      """
      INSERT INTO orders
        (customer, placed, submission, subtotal, tax, total, ship_type, ships, billing, shipping,
         status)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """;

  private static final String LINE =
      """
      INSERT INTO order_line (order_id, line, item, quantity, cents, discount, comments)
      VALUES (?, ?, ?, ?, ?, ?, '')
      """;

  private static final String CARD =
      """
      INSERT INTO cc_xacts
        (order_id, type, number, holder, expires, authorization, cents, taken, country)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
      """;

  /**
   * {@link Stock#take} in one statement: as many deliveries as leave {@link Stock#LEAST}. The
   * assignments are done from left to right, so the first one has the stock from before.
   */
  private static final String TAKE =
      """
      UPDATE stock SET
        restocked = restocked + GREATEST(0, (? + %2$d - on_hand) DIV %1$d) * %1$d,
        on_hand = on_hand - ? + GREATEST(0, (? + %2$d - on_hand) DIV %1$d) * %1$d
      WHERE item = ?
      """
          .formatted(Stock.DELIVERY, Stock.LEAST + Stock.DELIVERY - 1);

  private SqlPurchases() {}

  private record Buyer(int discountPercent, long address, int country) {}

  private record Placed(long order, long customer) {}

  /** What an order is made of. */
  private record Bought(
      Purchase purchase, Cart cart, Buyer buyer, Price price, Instant now, long shipping) {}

  /**
   * Buys what is in the cart.
   *
   * @param shipTo where to, if that address was there before
   * @param again whether it was tried before: the form may be taken
   */
  static long buy(
      Connection connection, Purchase purchase, OptionalLong shipTo, Instant now, boolean again)
      throws SQLException {
    if (again) {
      Optional<Long> before = taken(connection, purchase);
      if (before.isPresent()) {
        return before.get();
      }
    }
    Cart cart = SqlCarts.lockedCart(connection, purchase.cart());
    if (cart.lines().isEmpty()) {
      return taken(connection, purchase).orElseThrow(() -> new ShopException("the cart is empty"));
    }
    Buyer buyer = buyer(connection, purchase.customer());
    Price price = Price.of(cart.cents(), cart.books(), buyer.discountPercent());
    if (!purchase.isAsTold(price)) {
      return taken(connection, purchase).orElseThrow(Purchase::otherThanTold);
    }
    long shipping = shipping(connection, purchase, shipTo, buyer);
    return place(connection, new Bought(purchase, cart, buyer, price, now, shipping));
  }

  private static Optional<Long> taken(Connection connection, Purchase purchase)
      throws SQLException {
    Optional<Placed> found =
        Sql.first(
            connection,
            OF_SUBMISSION,
            arguments -> arguments.add(purchase.submission()),
            row -> new Placed(row.number(), row.number()));
    if (found.isPresent() && found.get().customer() != purchase.customer()) {
      throw new ShopException("this form was another customer's: begin again at the cart");
    }
    return found.map(Placed::order);
  }

  private static Buyer buyer(Connection connection, long customer) throws SQLException {
    return Sql.first(
            connection,
            BUYER,
            arguments -> arguments.add(customer),
            row -> new Buyer(row.smallNumber(), row.number(), row.smallNumber()))
        .orElseThrow(() -> new ShopException("there is no customer " + customer));
  }

  private static long shipping(
      Connection connection, Purchase purchase, OptionalLong shipTo, Buyer buyer)
      throws SQLException {
    if (shipTo.isPresent()) {
      return shipTo.getAsLong();
    }
    return purchase.shipTo().isPresent()
        ? SqlCustomers.made(connection, purchase.shipTo().get())
        : buyer.address();
  }

  private static long place(Connection connection, Bought bought) throws SQLException {
    long order = Sql.insert(connection, ORDER, arguments -> bindOrder(arguments, bought));
    List<CartLine> lines = bought.cart().lines();
    Sql.batch(
        connection,
        LINE,
        lines,
        (line, arguments) ->
            arguments
                .add(order)
                .add(lines.indexOf(line) + 1)
                .add(line.item())
                .add(line.quantity())
                .add(line.cents())
                .add(bought.buyer().discountPercent()));
    Sql.update(connection, CARD, arguments -> bindCard(arguments, order, bought));
    SqlCarts.clear(connection, bought.purchase().cart());
    Sql.batch(
        connection,
        TAKE,
        lines.stream().sorted(Comparator.comparingLong(CartLine::item)).toList(),
        (line, arguments) ->
            arguments
                .add(line.quantity())
                .add(line.quantity())
                .add(line.quantity())
                .add(line.item()));
    return order;
  }

  private static void bindOrder(SqlArguments arguments, Bought bought) throws SQLException {
    int days = ThreadLocalRandom.current().nextInt(SHIPPING_DAYS_MAX + 1);
    arguments
        .add(bought.purchase().customer())
        .add(bought.now())
        .add(bought.purchase().submission())
        .add(bought.price().subtotal())
        .add(bought.price().tax())
        .add(bought.price().total())
        .add(bought.purchase().shipType())
        .add(bought.now().plus(Duration.ofDays(days)))
        .add(bought.buyer().address())
        .add(bought.shipping())
        .add(Status.PENDING);
  }

  private static void bindCard(SqlArguments arguments, long order, Bought bought)
      throws SQLException {
    Purchase purchase = bought.purchase();
    arguments
        .add(order)
        .add(purchase.cardType())
        .add(purchase.cardNumber())
        .add(purchase.cardHolder())
        .add(purchase.cardExpires())
        .add("%015d".formatted(ThreadLocalRandom.current().nextLong(AUTHORIZATIONS)))
        .add(bought.price().total())
        .add(bought.now())
        .add(
            purchase.shipTo().isPresent()
                ? purchase.shipTo().get().country()
                : bought.buyer().country());
  }
}
