package org.ecstore.bookstore.ecstore;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.ecstore.bookstore.OrderShown;
import org.ecstore.bookstore.Purchase;
import org.ecstore.bookstore.ShopException;
import org.ecstore.bookstore.model.Address;
import org.ecstore.bookstore.model.CardTransaction;
import org.ecstore.bookstore.model.Cart;
import org.ecstore.bookstore.model.CartLine;
import org.ecstore.bookstore.model.Customer;
import org.ecstore.bookstore.model.Item;
import org.ecstore.bookstore.model.Order;
import org.ecstore.bookstore.model.OrderLine;
import org.ecstore.bookstore.model.Price;
import org.ecstore.bookstore.model.Stock;
import org.ecstore.client.Entry;
import org.ecstore.client.Snapshot;
import org.ecstore.client.Transaction;
import org.ecstore.key.Tuple;
import org.jspecify.annotations.Nullable;

/** What is bought. */
final class ShopOrders {
  private ShopOrders() {}

  /**
   * What an order has beside its form: drawn before its transaction, so that one that is run again
   * writes the same.
   *
   * @param authorization what the card's company answered with
   */
  record Drawn(long order, long address, Instant now, Duration until, String authorization) {}

  /** Takes what is in the cart out of the stock and writes the order of it. */
  static long buy(Transaction tx, Purchase purchase, Drawn drawn) {
    Cart cart = ShopCarts.cart(tx, purchase.cart());
    if (cart.lines().isEmpty()) {
      throw new ShopException("the cart is empty");
    }
    Customer customer = ShopCustomers.customer(tx, purchase.customer());
    Price price = Price.of(cart.cents(), cart.books(), customer.discountPercent());
    if (!purchase.isAsTold(price)) {
      throw Purchase.otherThanTold();
    }
    long shipping =
        purchase
            .shipTo()
            .map(address -> ShopCustomers.addressOf(tx, address, drawn.address()))
            .orElse(customer.addressId());
    Order order =
        new Order(
            drawn.order(),
            customer.id(),
            drawn.now(),
            purchase.submission(),
            price,
            purchase.shipType(),
            drawn.now().plus(drawn.until()),
            customer.addressId(),
            shipping,
            Order.Status.PENDING,
            take(tx, cart, customer.discountPercent()));
    tx.insert(ShopTables.ORDERS, Tuple.of(order.id()), order);
    tx.put(ShopTables.CARDS, Tuple.of(order.id()), card(tx, purchase, order, drawn));
    tx.delete(ShopTables.CARTS, Tuple.of(purchase.cart()));
    return order.id();
  }

  private static List<OrderLine> take(Transaction tx, Cart cart, int discountPercent) {
    List<Tuple> keys = cart.lines().stream().map(line -> Tuple.of(line.item())).toList();
    Map<Tuple, Stock> stock = tx.getAll(ShopTables.STOCK, keys);
    Map<Tuple, Item> items = tx.getAll(ShopTables.ITEMS, keys);
    List<OrderLine> lines = new ArrayList<>();
    for (CartLine line : cart.lines()) {
      Tuple key = Tuple.of(line.item());
      Stock before = stock.get(key);
      Item item = items.get(key);
      if (before == null || item == null) {
        throw new ShopException("there is no book " + line.item() + " any more");
      }
      tx.put(ShopTables.STOCK, key, before.take(line.quantity()));
      lines.add(
          new OrderLine(
              line.item(),
              item.title(),
              item.subject(),
              line.quantity(),
              line.cents(),
              discountPercent,
              ""));
    }
    return List.copyOf(lines);
  }

  private static CardTransaction card(Transaction tx, Purchase purchase, Order order, Drawn drawn) {
    Address shipTo =
        purchase.shipTo().orElseGet(() -> ShopCustomers.address(tx, order.shippingAddress()));
    return new CardTransaction(
        order.id(),
        purchase.cardType(),
        purchase.cardNumber(),
        purchase.cardHolder(),
        purchase.cardExpires(),
        drawn.authorization(),
        order.price().total(),
        drawn.now(),
        shipTo.country());
  }

  /** Whose an order is. */
  static long customer(Snapshot at, long order) {
    return at.get(ShopTables.ORDERS, Tuple.of(order)).orElseThrow().customer();
  }

  static Optional<OrderShown> last(Snapshot at, Customer customer) {
    Optional<Order> order =
        at.scan(ShopTables.BY_CUSTOMER, Tuple.of(customer.id())).first().map(Entry::value);
    return order.map(
        last -> {
          Map<Tuple, Address> addresses =
              at.getAll(
                  ShopTables.ADDRESSES,
                  List.of(Tuple.of(last.billingAddress()), Tuple.of(last.shippingAddress())));
          return new OrderShown(
              last,
              customer,
              there(addresses.get(Tuple.of(last.billingAddress()))),
              there(addresses.get(Tuple.of(last.shippingAddress()))),
              at.get(ShopTables.CARDS, Tuple.of(last.id())).orElseThrow());
        });
  }

  private static Address there(@Nullable Address address) {
    return Objects.requireNonNull(address, "an order's address is not there");
  }
}
