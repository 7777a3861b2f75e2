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
import org.ecstore.client.Read;
import org.ecstore.client.Reads;
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
    Reads reads = tx.reads();
    Read<Optional<Cart>> inCart = reads.get(ShopTables.CARTS, Tuple.of(purchase.cart()));
    Read<Optional<Customer>> buyer = reads.get(ShopTables.CUSTOMERS, Tuple.of(purchase.customer()));
    // That it is not there is asked for what its indexes had of it.
    Read<Optional<Order>> none = reads.get(ShopTables.ORDERS, Tuple.of(drawn.order()));
    reads.run();
    if (none.get().isPresent()) {
      throw new IllegalStateException("the order's number was given twice: " + drawn.order());
    }
    Cart cart = inCart.get().orElseGet(ShopCarts::empty);
    if (cart.lines().isEmpty()) {
      throw new ShopException("the cart is empty");
    }
    Customer customer =
        buyer
            .get()
            .orElseThrow(() -> new ShopException("there is no customer " + purchase.customer()));
    Price price = Price.of(cart.cents(), cart.books(), customer.discountPercent());
    if (!purchase.isAsTold(price)) {
      throw Purchase.otherThanTold();
    }
    place(tx, purchase, drawn, cart, customer, price);
    return drawn.order();
  }

  private static void place(
      Transaction tx, Purchase purchase, Drawn drawn, Cart cart, Customer customer, Price price) {
    long shipping =
        purchase
            .shipTo()
            .map(address -> ShopCustomers.addressOf(tx, address, drawn.address()))
            .orElse(customer.addressId());
    List<Tuple> keys = cart.lines().stream().map(line -> Tuple.of(line.item())).toList();
    Reads reads = tx.reads();
    Read<Map<Tuple, Stock>> stock = reads.getAll(ShopTables.STOCK, keys);
    Read<Map<Tuple, Item>> items = reads.getAll(ShopTables.ITEMS, keys);
    Read<Optional<Address>> shipTo = reads.get(ShopTables.ADDRESSES, Tuple.of(shipping));
    reads.run();
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
            take(tx, cart, customer.discountPercent(), stock.get(), items.get()));
    tx.put(ShopTables.ORDERS, Tuple.of(order.id()), order);
    tx.put(
        ShopTables.CARDS,
        Tuple.of(order.id()),
        card(purchase, order, drawn, shipTo.get().orElseThrow().country()));
    tx.delete(ShopTables.CARTS, Tuple.of(purchase.cart()));
  }

  private static List<OrderLine> take(
      Transaction tx,
      Cart cart,
      int discountPercent,
      Map<Tuple, Stock> stock,
      Map<Tuple, Item> items) {
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

  private static CardTransaction card(Purchase purchase, Order order, Drawn drawn, int country) {
    return new CardTransaction(
        order.id(),
        purchase.cardType(),
        purchase.cardNumber(),
        purchase.cardHolder(),
        purchase.cardExpires(),
        drawn.authorization(),
        order.price().total(),
        drawn.now(),
        country);
  }

  /** Whose an order is. */
  static long customer(Snapshot at, long order) {
    return at.get(ShopTables.ORDERS, Tuple.of(order)).orElseThrow().customer();
  }

  static Optional<OrderShown> last(Snapshot at, Customer customer) {
    Optional<Order> order =
        at.scan(ShopTables.BY_CUSTOMER, Tuple.of(customer.id())).first().map(Entry::value);
    return order.map(last -> shown(at, customer, last));
  }

  private static OrderShown shown(Snapshot at, Customer customer, Order order) {
    Tuple billing = Tuple.of(order.billingAddress());
    Tuple shipping = Tuple.of(order.shippingAddress());
    Reads reads = at.reads();
    Read<Map<Tuple, Address>> addresses =
        reads.getAll(ShopTables.ADDRESSES, List.of(billing, shipping));
    Read<Optional<CardTransaction>> card = reads.get(ShopTables.CARDS, Tuple.of(order.id()));
    reads.run();
    return new OrderShown(
        order,
        customer,
        there(addresses.get().get(billing)),
        there(addresses.get().get(shipping)),
        card.get().orElseThrow());
  }

  private static Address there(@Nullable Address address) {
    return Objects.requireNonNull(address, "an order's address is not there");
  }
}
