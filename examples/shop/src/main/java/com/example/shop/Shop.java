package com.example.shop;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.ecstore.client.Codec;
import org.ecstore.client.EcStore;
import org.ecstore.client.Entry;
import org.ecstore.client.Page;
import org.ecstore.client.Scan;
import org.ecstore.client.Table;
import org.ecstore.client.Transaction;
import org.ecstore.key.Tuple;
import org.springframework.stereotype.Service;

/** What the shop does, each in a transaction of its own. */
@Service
public class Shop {
  /** A product. Its stock is a record of its own: orders change it, and leave names alone. */
  public record Product(String name, long cents) {}

  /** A line of an order, with the price that it was ordered at. */
  public record Line(String product, String name, long quantity, long cents) {}

  /** An order as it was placed. */
  public record Order(UUID id, String customer, Instant placed, List<Line> lines, long cents) {}

  /** Products as the pages show them. */
  public record Offer(String sku, String name, long cents, long stock) {}

  /** Orders, newest first, and how to ask for older ones. */
  public record Orders(List<Order> orders, Optional<String> next) {}

  /** Thrown out of transactions, which are rolled back by it. */
  public static final class ShopException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ShopException(String message) {
      super(message);
    }
  }

  /** By sku. */
  private static final Table<Product> PRODUCTS = Table.of("products", Codec.record(Product.class));

  /** By sku. */
  private static final Table<Long> STOCK = Table.of("stock", Codec.longs());

  /** By customer and sku: how many. */
  private static final Table<Long> CARTS = Table.of("carts", Codec.longs());

  /** By time and id. */
  private static final Table<Order> ORDERS =
      Table.of("orders", Codec.record(Order.class));

  /** The same by customer, time and id: an index that has what it leads to. */
  private static final Table<Order> BY_CUSTOMER =
      Table.of("orders-by-customer", Codec.record(Order.class));

  private final EcStore store;

  Shop(EcStore store) {
    this.store = store;
  }

  public void offer(String sku, Product product, long stock) {
    store.execute(
        tx -> {
          tx.put(PRODUCTS, Tuple.of(sku), product);
          tx.put(STOCK, Tuple.of(sku), stock);
        });
  }

  /** All products in the order of their skus, with the stock of the same moment. */
  public List<Offer> offers() {
    return store.read(
        snapshot -> {
          List<Entry<Product>> products = snapshot.scan(PRODUCTS).limit(1_000).toList();
          Map<Tuple, Long> stock =
              snapshot.getAll(STOCK, products.stream().map(Entry::key).toList());
          return products.stream()
              .map(
                  entry ->
                      new Offer(
                          entry.key().string(0),
                          entry.value().name(),
                          entry.value().cents(),
                          stock.getOrDefault(entry.key(), 0L)))
              .toList();
        });
  }

  /** Puts so many into a cart; 0 takes the product out. */
  public void fill(String customer, String sku, long quantity) {
    store.execute(
        tx -> {
          if (tx.get(PRODUCTS, Tuple.of(sku)).isEmpty()) {
            throw new ShopException("there is no product " + sku);
          }
          if (quantity == 0) {
            tx.delete(CARTS, Tuple.of(customer, sku));
          } else {
            tx.put(CARTS, Tuple.of(customer, sku), quantity);
          }
        });
  }

  /** What is in a cart, by sku. */
  public Map<String, Long> cart(String customer) {
    return store.read(
        snapshot -> {
          Map<String, Long> cart = new LinkedHashMap<>();
          snapshot
              .scan(CARTS, Tuple.of(customer))
              .forEach(entry -> cart.put(entry.key().string(1), entry.value()));
          return cart;
        });
  }

  /** Makes an order of a cart: takes it from stock, or does nothing at all. */
  public Order order(String customer) {
    // Before the transaction: if it is run again, the order is the same one.
    UUID id = UUID.randomUUID();
    Instant now = Instant.now();
    return store.transact(
        tx -> {
          List<Line> lines =
              tx.scan(CARTS, Tuple.of(customer)).stream().map(entry -> take(tx, entry)).toList();
          if (lines.isEmpty()) {
            throw new ShopException("the cart is empty");
          }
          long cents = lines.stream().mapToLong(line -> line.quantity() * line.cents()).sum();
          Order order = new Order(id, customer, now, lines, cents);
          tx.insert(ORDERS, Tuple.of(now, id), order);
          tx.insert(BY_CUSTOMER, Tuple.of(customer, now, id), order);
          return order;
        });
  }

  private static Line take(Transaction tx, Entry<Long> inCart) {
    String sku = inCart.key().string(1);
    long wanted = inCart.value();
    Product product =
        tx.get(PRODUCTS, Tuple.of(sku))
            .orElseThrow(() -> new ShopException("there is no product " + sku + " any more"));
    long left = tx.get(STOCK, Tuple.of(sku)).orElse(0L) - wanted;
    if (left < 0) {
      throw new ShopException("of " + sku + " there are not " + wanted);
    }
    tx.put(STOCK, Tuple.of(sku), left);
    tx.delete(CARTS, inCart.key());
    return new Line(sku, product.name(), wanted, product.cents());
  }

  /** Some orders, newest first, of one customer or of all; a token goes on behind a page. */
  public Orders orders(Optional<String> customer, Optional<String> token, int limit) {
    return store.read(
        snapshot -> {
          Scan<Order> scan =
              customer
                  .map(name -> snapshot.scan(BY_CUSTOMER, Tuple.of(name)))
                  .orElseGet(() -> snapshot.scan(ORDERS))
                  .reverse()
                  .limit(limit);
          Page<Order> page = token.map(scan::resume).orElse(scan).page();
          return new Orders(page.entries().stream().map(Entry::value).toList(), page.next());
        });
  }
}
